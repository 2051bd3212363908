/// Texts of requests as pictures show them: without what would steer the directions of their surroundings, pile up over other
/// lines, or show nothing.
package enum CleanText {
    /// Marks on one letter beyond these are left out.
    private static let markLimit = 4

    /// With single spaces between words and none at the ends. `keepsLines`: ends of lines become line feeds; otherwise they are
    /// spaces, too.
    package static func cleaned(_ text: String, keepsLines: Bool = false) -> String {
        if isClean(text) { return text }
        var scalars = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where keepsLines && isLineEnd(scalar):
                while scalars.last == " " { scalars.removeLast() }
                if !scalars.isEmpty { scalars.append("\n") }
                marks = 0
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                if let last = scalars.last, last != " ", last != "\n" { scalars.append(" ") }
                marks = 0
            case .unassigned, .privateUse, .surrogate: break
            case .format: if isKept(scalar) { scalars.append(scalar) }
            case .nonspacingMark, .enclosingMark:
                marks += 1
                if marks <= markLimit, !scalars.isEmpty { scalars.append(scalar) }
            default:
                marks = 0
                scalars.append(scalar)
            }
        }
        while let last = scalars.last, last == "\n" || last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// Whether `text` is ASCII of which nothing is to be left out. Most are, and others take some hundred times as long to look at.
    private static func isClean(_ text: String) -> Bool {
        // As behind a space: none is first.
        var last = UInt8(ascii: " ")
        for byte in text.utf8 {
            guard (0x20...0x7E).contains(byte), byte != last || byte != UInt8(ascii: " ") else { return false }
            last = byte
        }
        return last != UInt8(ascii: " ") || text.isEmpty
    }

    package static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .nonspacingMark, .enclosingMark: false
            default: true
            }
        }
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Joiners, marks of direction, and the tags of flags.
    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C...0x200F, 0x061C, 0xE0020...0xE007F: true
        default: false
        }
    }
}
