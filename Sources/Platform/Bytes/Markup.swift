/// Text inside HTML and XML.
public enum Markup {
    /// For content and attributes. Leaves out characters that XML 1.0 (§2.2) cannot hold.
    public static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r", "\u{20}"..."\u{FFFD}", "\u{10000}"...: escaped.unicodeScalars.append(character)
            default: break
            }
        }
        return escaped
    }
}
