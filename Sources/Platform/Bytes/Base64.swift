/// RFC 4648.
package enum Base64 {
    package enum Alphabet: Sendable {
        /// `+` and `/` (§4).
        case standard
        /// `-` and `_`, for URLs and file names (§5).
        case url
    }

    /// Nil if malformed. Padding is optional but must be right; unused bits must be zero, so that each value has one text.
    package static func bytes(_ text: some Collection<UInt8>, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, bitCount, paddingCount, count) = (UInt32(0), 0, 0, 0)
        for character in text {
            count += 1
            if character == UInt8(ascii: "=") {
                paddingCount += 1
                continue
            }
            guard paddingCount == 0, let value = value(character, alphabet) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= (1 << UInt32(bitCount)) - 1
            }
        }
        guard bits == 0, bitCount < 6, paddingCount == 0 || paddingCount <= 2 && count.isMultiple(of: 4) else {
            return nil
        }
        return bytes
    }

    private static let standardCharacters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// In the standard alphabet, padded.
    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count ? standardCharacters[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func value(_ character: UInt8, _ alphabet: Alphabet) -> UInt32? {
        switch (character, alphabet) {
        case (UInt8(ascii: "A")...UInt8(ascii: "Z"), _): UInt32(character - UInt8(ascii: "A"))
        case (UInt8(ascii: "a")...UInt8(ascii: "z"), _): UInt32(character - UInt8(ascii: "a")) + 26
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _): UInt32(character - UInt8(ascii: "0")) + 52
        case (UInt8(ascii: "+"), .standard), (UInt8(ascii: "-"), .url): 62
        case (UInt8(ascii: "/"), .standard), (UInt8(ascii: "_"), .url): 63
        case (_, _): nil
        }
    }
}
