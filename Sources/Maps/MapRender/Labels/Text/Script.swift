enum Script {
    /// False for scripts that join letters.
    static func allowsLetterSpacing(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !contains(ScriptTable.cursives, $0.value) }
    }

    static func allowsVerticalWriting(_ text: String) -> Bool { text.unicodeScalars.contains { isUpright($0.value) } }

    /// False where letters are reordered or melt into clusters, as in the scripts of India: glyph ranges cannot show those.
    static func isLegibleLetterByLetter(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0900...0x0DFF, 0x0F00...0x109F, 0x1780...0x17FF: false
            default: true
            }
        }
    }

    /// Whether a letter's form or place depends on its neighbours, so that a font's own rules must set it.
    static func needsShaping(_ character: UInt32) -> Bool {
        switch character {
        case 0x0600...0x109F, 0x1700...0x18AF, 0x1900...0x1CFF, 0xA800...0xABFF, 0xFB50...0xFDFF, 0xFE70...0xFEFC,
            0x10A00...0x11FFF, 0x1E900...0x1EEFF:
            true
        default: false
        }
    }

    /// Blanks, controls, and characters that only choose forms of others.
    static func isInvisible(_ character: UInt32) -> Bool {
        switch character {
        case 0..<0x21, 0x7F...0xA0, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F,
            0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE0FFF:
            true
        default: isWhitespace(character)
        }
    }

    static func breaksLikeIdeograph(_ character: UInt32) -> Bool {
        character >= 0x2E80 && contains(ScriptTable.ideographs, character)
    }

    /// In vertical lines, whatever its neighbours.
    static func isUpright(_ character: UInt32) -> Bool {
        character >= 0x02EA && contains(ScriptTable.uprights, character)
    }

    static func isRotated(_ character: UInt32) -> Bool {
        !isUpright(character) && !contains(ScriptTable.neutrals, character)
    }

    static func isArabic(_ character: UInt32) -> Bool {
        character >= 0x0600 && contains(ScriptTable.arabics, character)
    }

    static func isWhitespace(_ character: UInt32) -> Bool {
        switch character {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    /// `table` has the first and the last of ranges by turns.
    private static func contains(_ table: [UInt32], _ character: UInt32) -> Bool {
        var (low, high) = (0, table.count / 2)
        while low < high {
            let middle = (low + high) / 2
            if character < table[middle * 2] {
                high = middle
            } else if character > table[middle * 2 + 1] {
                low = middle + 1
            } else {
                return true
            }
        }
        return false
    }
}
