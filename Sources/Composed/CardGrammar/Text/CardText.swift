package import Parameters
import TextLines

/// Texts of requests as cards show them.
package enum CardText {
    /// The cleaned text of a parameter.
    /// - Throws: where it is longer, or nothing of it can be seen.
    package static func parse(_ text: String, _ limit: Int) throws(ParameterFault.Reason) -> String {
        let allowed = "a text of at most \(limit) characters and \(limit * 8) bytes with something to see"
        guard text.utf8.count <= limit * 8, text.count <= limit else { throw .outOfRange(allowed: allowed) }
        let cleaned = CleanText.cleaned(text)
        guard CleanText.isVisible(cleaned) else { throw .malformed(allowed: allowed) }
        return cleaned
    }

    package static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    /// By the first letter; nil without letters.
    package static func isRightToLeft(_ text: [UInt32]) -> Bool? {
        for character in text {
            switch character {
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
            default: if Unicode.Scalar(character)?.properties.isAlphabetic == true { return false }
            }
        }
        return nil
    }
}
