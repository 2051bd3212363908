extension XMPReader {
    struct Value {
        private var bytes: [UInt8] = []
        private var isBroken = false

        var text: String? { isBroken || bytes.isEmpty ? nil : Credits.text(bytes) }

        /// Adds `text`, which may contain entities, up to `limit` bytes.
        mutating func append(_ text: ArraySlice<UInt8>, limit: Int) {
            var rest = text
            while !rest.isEmpty, bytes.count < limit, !isBroken {
                let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
                append(literal: rest[rest.startIndex..<end], limit: limit)
                rest = rest[end...]
                guard !rest.isEmpty else { return }
                // The longest entity is a number of seven digits with its marks.
                let name = rest.dropFirst().prefix(12).prefix { $0 != UInt8(ascii: ";") }
                guard name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: ";"),
                    let scalar = Self.scalar(of: name)
                else {
                    isBroken = true
                    return
                }
                bytes += Array(String(scalar).utf8)
                rest = rest[(name.endIndex + 1)...]
            }
        }

        /// Adds `text` without entities, up to `limit` bytes of whole characters.
        mutating func append(literal text: ArraySlice<UInt8>, limit: Int) {
            var end = min(text.endIndex, text.startIndex + max(0, limit - bytes.count))
            while end > text.startIndex, end < text.endIndex, text[end] & 0xc0 == 0x80 { end -= 1 }
            bytes += text[text.startIndex..<end]
        }

        private static let known: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
        ]

        /// The character of a predefined or numeric entity (XML 1.0 §4.1, §4.6).
        private static func scalar(of name: ArraySlice<UInt8>) -> Unicode.Scalar? {
            let name = String(decoding: name, as: UTF8.self)
            if let scalar = known[name] { return scalar }
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard name.hasPrefix("#"), digits.first?.isHexDigit == true,
                let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
            else { return nil }
            return Unicode.Scalar(number)
        }
    }
}
