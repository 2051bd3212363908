import Parameters

/// Texts of requests as cards show them.
package enum CardText {
    /// Marks on one letter beyond these are left out: they would pile up over other lines.
    private static let markLimit = 4

    /// One line, without what steers directions of its surroundings, and without characters that show nothing.
    package static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
                if let last = scalars.last, last != " " { scalars.append(" ") }
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
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// Joiners, marks of direction, soft hyphens' kin that shape letters, and tags of flags.
    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C...0x200F, 0x061C, 0xE0020...0xE007F: true
        default: false
        }
    }

    /// Whether something of it can be seen.
    static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .format, .spaceSeparator, .nonspacingMark, .enclosingMark: false
            default: true
            }
        }
    }

    /// The cleaned text of a parameter.
    /// - Throws: where it is longer, or nothing of it can be seen.
    static func parse(_ text: String, _ limit: Int) throws(ParameterFault.Reason) -> String {
        let allowed = "a text of at most \(limit) characters and \(limit * 8) bytes with something to see"
        guard text.utf8.count <= limit * 8, text.count <= limit else { throw .outOfRange(allowed: allowed) }
        let cleaned = cleaned(text)
        guard isVisible(cleaned) else { throw .malformed(allowed: allowed) }
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
