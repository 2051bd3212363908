/// The style in the last words of a font's name: Noto Sans **Bold Italic**.
package struct FontStyle: Hashable, Sendable {
    package var weight = 400.0
    package var isItalic = false

    private static let weights: [String: Double] = [
        "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300, "book": 400, "regular": 400,
        "normal": 400, "roman": 400, "medium": 500, "semibold": 600, "demibold": 600, "demi": 600, "bold": 700,
        "extrabold": 800, "ultrabold": 800, "black": 900, "heavy": 900,
    ]

    package static func split(_ name: String) -> (family: String, style: FontStyle) {
        var words = name.lowercased().split(separator: " ").map(String.init)
        var style = FontStyle()
        while words.count > 1, let last = words.last {
            // Two words for one weight: Semi Bold.
            if words.count > 2, let weight = weights[words[words.count - 2] + last] {
                style.weight = weight
                words.removeLast(2)
            } else if let weight = weights[last] {
                style.weight = weight
                words.removeLast()
            } else if last == "italic" || last == "oblique" {
                style.isItalic = true
                words.removeLast()
            } else {
                break
            }
        }
        return (words.joined(separator: " "), style)
    }

    /// The suffix of families for all of East Asia with the forms of a language.
    static func region(of language: String) -> String? {
        switch language {
        case "ja": "jp"
        case "ko": "kr"
        case "zh-Hans": "sc"
        case "zh-Hant": "tc"
        default: nil
        }
    }
}
