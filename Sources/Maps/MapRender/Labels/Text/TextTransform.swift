import MapStyle

enum TextTransform: String, Sendable {
    case none, uppercase, lowercase

    /// By Unicode's full mapping: ß becomes SS.
    func apply(_ text: FormattedText) -> FormattedText {
        guard self != .none else { return text }
        var result = text
        for index in result.sections.indices {
            let before = result.sections[index].text
            result.sections[index].text = self == .uppercase ? before.uppercased() : Self.lowercased(before)
        }
        return result
    }

    /// A sigma at the end of a word becomes ς, which Swift's own mapping does not do.
    private static func lowercased(_ text: String) -> String {
        let capitalSigma: Unicode.Scalar = "\u{03A3}"
        guard text.unicodeScalars.contains(capitalSigma) else { return text.lowercased() }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            guard scalar == capitalSigma else {
                result += scalar.properties.lowercaseMapping
                continue
            }
            let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
            let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
            let isFinal = (before?.properties.isCased ?? false) && !(after?.properties.isCased ?? false)
            result += isFinal ? "\u{03C2}" : "\u{03C3}"
        }
        return result
    }
}
