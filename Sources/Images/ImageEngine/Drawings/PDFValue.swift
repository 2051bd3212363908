import Bytes

/// A value of a PDF (ISO 32000-1 §7.3), as far as drawing needs it.
enum PDFValue {
    case name(String)
    case number(Int)
    case reference(Int)
    case array([PDFValue])
    case dictionary([String: PDFValue])
    /// Bytes of a text string, without escapes; read only where labels are wanted.
    case text([UInt8])
    /// Other texts, true, null and the rest.
    case other

    subscript(key: String) -> PDFValue? {
        if case .dictionary(let members) = self { members[key] } else { nil }
    }

    /// All objects referred to, at any depth.
    var references: [Int] {
        switch self {
        case .reference(let number): [number]
        case .array(let elements): elements.flatMap(\.references)
        case .dictionary(let members): members.values.flatMap(\.references)
        case .name, .number, .text, .other: []
        }
    }
}

/// Which values a reader keeps; the others take no memory.
enum PDFPurpose {
    /// Values that affect the cost of drawing.
    case drawing
    /// Also the values of page labels (ISO 32000-1 §12.4.2).
    case labels
}

/// Reads values of a PDF. Nothing traps, and what is looked at twice counts twice; a broken value ends where it breaks.
@safe struct PDFReader {
    private let text: UnsafeRawBufferPointer
    var index: Int
    private let origin: Int
    /// Bytes that were looked at without passing them.
    private var aheadByteCount = 0
    /// Memory of the values read, in units of about 60 bytes.
    private(set) var keptSize = 0
    private let purpose: PDFPurpose
    private static let depthLimit = 64
    /// A look ahead of so few bytes comes with any number, and costs no more than the number.
    private static let freeLook = 32

    /// `text` must outlive this value.
    init(_ text: UnsafeRawBufferPointer, at index: Int, for purpose: PDFPurpose = .drawing) {
        unsafe self.text = unsafe text
        (self.index, origin) = (index, index)
        self.purpose = purpose
    }

    /// All bytes looked at so far. Callers that begin at many places must count these, not how far `index` went.
    var readByteCount: Int { index - origin + aheadByteCount }

    func byte(_ index: Int) -> UInt8 { unsafe index < text.count ? text[index] : 0 }
    var isAtEnd: Bool { unsafe index >= text.count }
    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 && [0, 9, 10, 12, 13, 32].contains(byte) }
    private static func isDelimiter(_ byte: UInt8) -> Bool { "()<>[]{}/%".utf8.contains(byte) }
    private static func endsWord(_ byte: UInt8) -> Bool { isSpace(byte) || isDelimiter(byte) }

    mutating func skipSpace() {
        while !isAtEnd {
            let byte = byte(index)
            if byte == UInt8(ascii: "%") {
                while !isAtEnd, self.byte(index) != 10, self.byte(index) != 13 { index += 1 }
            } else if Self.isSpace(byte) {
                index += 1
            } else {
                return
            }
        }
    }

    /// Whether `word` stands here; moves past it if so.
    mutating func skip(_ word: StaticString) -> Bool {
        for (place, wanted) in word.description.utf8.enumerated() where byte(index + place) != wanted { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    /// The next value, that of `key` in a dictionary; nil at the end of its container or of the text.
    mutating func value(depth: Int = 0, of key: String = "") -> PDFValue? {
        skipSpace()
        guard !isAtEnd, depth < Self.depthLimit else { return nil }
        switch byte(index) {
        case UInt8(ascii: "/"): return .name(name())
        case UInt8(ascii: "("):
            if isLabelText(key) { return .text(literalText()) }
            skipText()
            return .other
        case UInt8(ascii: "<"):
            if skip("<<") { return dictionary(depth: depth) }
            if isLabelText(key) { return .text(hexadecimalText()) }
            while !isAtEnd, byte(index) != UInt8(ascii: ">") { index += 1 }
            index += 1
            return .other
        case UInt8(ascii: "["):
            index += 1
            var elements: [PDFValue] = []
            // A number tree may have its array as an object of its own.
            let keepsNumbers = purpose == .labels && (depth == 0 || key == "Nums")
            while let element = value(depth: depth + 1) {
                switch element {
                case .number: if keepsNumbers { elements.append(element) }
                case .text, .other: break
                case .name, .reference, .array, .dictionary: elements.append(element)
                }
            }
            _ = skip("]")
            keptSize += 1 + elements.count
            return .array(elements)
        case UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "{"): return nil
        default: return word()
        }
    }

    private mutating func dictionary(depth: Int) -> PDFValue {
        var members: [String: PDFValue] = [:]
        while let key = value(depth: depth + 1) {
            // Lenient readers skip what is not a key.
            guard case .name(let name) = key else { continue }
            guard let value = value(depth: depth + 1, of: name) else { break }
            guard matters(value, of: name), members[name] == nil else { continue }
            members[name] = value
            keptSize += 1
        }
        skipSpace()
        _ = skip(">>")
        keptSize += 4
        return .dictionary(members)
    }

    /// Whether the inspector needs this value: any reference, and a few known keys.
    private func matters(_ value: PDFValue, of key: String) -> Bool {
        if purpose == .labels, Self.labelKeys.contains(key) { return true }
        return switch value {
        case .reference: true
        case .name: key == "Filter" || key == "F" || key == "Subtype"
        case .number: Self.numbers.contains(key)
        case .array(let elements): !elements.isEmpty || key == "BBox"
        case .dictionary(let members): !members.isEmpty || key == "Resources"
        case .text, .other: false
        }
    }

    private func isLabelText(_ key: String) -> Bool { purpose == .labels && key == "P" }

    /// Style, prefix and start of labels.
    private static let labelKeys = ["S", "P", "St"]
    private static let numbers = ["Length", "First", "FunctionType", "ShadingType", "Width", "Height", "W", "H"]

    /// A name, unescaped (§7.3.5).
    mutating func name() -> String {
        index += 1
        var bytes: [UInt8] = []
        while !isAtEnd, bytes.count < 256 {
            let byte = byte(index)
            guard !Self.endsWord(byte) else { break }
            index += 1
            if byte == UInt8(ascii: "#"), let high = ASCII.hexValue(self.byte(index)),
                let low = ASCII.hexValue(self.byte(index + 1))
            {
                bytes.append(high << 4 | low)
                index += 2
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func skipText() {
        var depth = 0
        repeat {
            switch byte(index) {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            index += 1
        } while depth > 0 && !isAtEnd
    }

    /// A number, a reference of two numbers and `R`, or a word.
    private mutating func word() -> PDFValue? {
        if byte(index) == UInt8(ascii: "+") { index += 1 }
        guard let first = wholeNumber() else {
            let start = index
            if let number = realNumber() { return .number(number) }
            while !isAtEnd, !Self.endsWord(byte(index)) { index += 1 }
            // `endobj` and `endstream` end what is broken.
            let isEnd = byte(start) == UInt8(ascii: "e") && byte(start + 1) == UInt8(ascii: "n")
            return isEnd || index == start ? nil : .other
        }
        var ahead = self
        ahead.skipSpace()
        if ahead.wholeNumber() != nil {
            ahead.skipSpace()
            if ahead.skip("R") {
                index = ahead.index
                return .reference(first)
            }
        }
        // Many objects may begin before the same comment, which each of them sees whole.
        let aheadCount = ahead.index - index
        if aheadCount > Self.freeLook { aheadByteCount += aheadCount }
        return .number(first)
    }

    /// The whole part of a number with a point.
    private mutating func realNumber() -> Int? {
        guard let (end, value) = digits(), byte(end) == UInt8(ascii: ".") else { return nil }
        index = end
        while !isAtEnd, !Self.endsWord(byte(index)) { index += 1 }
        return value
    }

    /// A number of at most nine digits, without a point.
    mutating func wholeNumber() -> Int? {
        guard let (end, value) = digits(), unsafe end >= text.count || Self.endsWord(byte(end)) else { return nil }
        index = end
        return value
    }

    private func digits() -> (end: Int, value: Int)? {
        var (end, value) = (index, 0)
        while end < index + 9, ASCII.isDigit(byte(end)) {
            value = value * 10 + Int(byte(end) - 0x30)
            end += 1
        }
        return end > index ? (end, value) : nil
    }
}
