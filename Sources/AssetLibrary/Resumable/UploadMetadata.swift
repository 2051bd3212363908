/// What a client says about its upload: the field Upload-Metadata of the tus protocol, keys with values in base64.
package struct UploadMetadata: Equatable, Sendable {
    /// The text as it was sent; empty when nothing was.
    package let text: String
    private let values: [(key: String, value: [UInt8])]

    /// How long a text may be, in octets.
    package static let byteLimit = 4096

    /// That nothing was said.
    package static let none = UploadMetadata()

    private init() {
        text = ""
        values = []
    }

    /// What `text` says: pairs with commas between them, each a key and, after a space, a value. nil unless every key is
    /// there once and every value is base64 (RFC 4648 §4).
    package init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        var values: [(key: String, value: [UInt8])] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = pair.split(separator: " ")
            guard let key = words.first.map(String.init), words.count <= 2, Self.isKey(key),
                !values.contains(where: { $0.key == key }),
                let value = Base64.octets((words.count == 2 ? words[1] : "").utf8)
            else { return nil }
            values.append((key, value))
        }
        self.text = text
        self.values = values
    }

    private static func isKey(_ key: String) -> Bool { key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }

    /// What clients call the file, under one of the keys that they use; nil when they did not say or it is not UTF-8.
    package var fileName: String? {
        for key in ["filename", "name"] {
            if let value = values.first(where: { $0.key == key })?.value, !value.isEmpty {
                return String(validating: value, as: UTF8.self)
            }
        }
        return nil
    }

    package static func == (left: UploadMetadata, right: UploadMetadata) -> Bool { left.text == right.text }
}

/// Octets as text (RFC 4648 §4).
package enum Base64 {
    /// The octets that `text` stands for; nil when it is malformed. Padding may be left out, but not be wrong.
    package static func octets(_ text: some Collection<UInt8>) -> [UInt8]? {
        var octets: [UInt8] = []
        var (bits, bitCount, paddingCount, count) = (UInt32(0), 0, 0, 0)
        for character in text {
            count += 1
            if character == UInt8(ascii: "=") {
                paddingCount += 1
                continue
            }
            guard paddingCount == 0, let value = value(character) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= (1 << UInt32(bitCount)) - 1
            }
        }
        guard bits == 0, bitCount < 6, paddingCount == 0 || paddingCount <= 2 && count.isMultiple(of: 4) else {
            return nil
        }
        return octets
    }

    private static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
