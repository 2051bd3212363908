import Bytes

// Text strings of a PDF (ISO 32000-1 §7.3.4).
extension PDFReader {
    /// Bytes that are kept of a text.
    static let textLimit = 256

    /// The bytes of `(…)`, unescaped. A text without an end is as one that is too long.
    mutating func literalText() -> [UInt8] {
        var bytes: [UInt8] = []
        var depth = 0
        repeat {
            let byte = byte(index)
            index += 1
            var kept: UInt8? = byte
            switch byte {
            case UInt8(ascii: "\\"): kept = escapedByte()
            case UInt8(ascii: "("):
                depth += 1
                if depth == 1 { kept = nil }
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { kept = nil }
            default: break
            }
            if let kept, bytes.count < Self.textLimit { bytes.append(kept) }
        } while depth > 0 && !isAtEnd
        return depth == 0 ? bytes : [UInt8](repeating: 0, count: Self.textLimit)
    }

    /// The byte that an escape stands for; nil for an escaped end of line, which is ignored.
    private mutating func escapedByte() -> UInt8? {
        let byte = byte(index)
        index += 1
        switch byte {
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case 10: return nil
        case 13:
            if self.byte(index) == 10 { index += 1 }
            return nil
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value = Int(byte - 0x30)
            for _ in 0..<2 where (0x30...0x37).contains(self.byte(index)) {
                value = value * 8 + Int(self.byte(index) - 0x30)
                index += 1
            }
            return UInt8(truncatingIfNeeded: value)
        default: return byte
        }
    }

    /// The bytes of `<…>`; a missing last digit is 0.
    mutating func hexadecimalText() -> [UInt8] {
        index += 1
        var bytes: [UInt8] = []
        var high: UInt8?
        while !isAtEnd, byte(index) != UInt8(ascii: ">") {
            if let digit = ASCII.hexValue(byte(index)), bytes.count < Self.textLimit {
                if let first = high { bytes.append(first << 4 | digit) }
                high = high == nil ? digit : nil
            }
            index += 1
        }
        index += 1
        if let high { bytes.append(high << 4) }
        return bytes
    }
}
