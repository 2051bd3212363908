import Bytes

/// The field Upload-Metadata of the tus protocol: keys with values in base64.
package struct UploadMetadata: Equatable, Sendable {
    /// As it was sent; may be empty.
    package let text: String
    private let values: [(key: String, value: [UInt8])]

    package static let byteLimit = 4096

    package static let none = UploadMetadata()

    private init() {
        text = ""
        values = []
    }

    /// Reads pairs with commas between them, each a key and, after a space, a value. nil unless every key is there once
    /// and every value is base64 (RFC 4648 §4).
    package init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        var values: [(key: String, value: [UInt8])] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = pair.split(separator: " ")
            guard let key = words.first.map(String.init), words.count <= 2, Self.isKey(key),
                !values.contains(where: { $0.key == key }),
                let value = Base64.bytes((words.count == 2 ? words[1] : "").utf8)
            else { return nil }
            values.append((key, value))
        }
        self.text = text
        self.values = values
    }

    private static func isKey(_ key: String) -> Bool { key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }

    /// What the client calls the file, under one of the usual keys; nil when it is missing or not UTF-8.
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
