import Bytes

/// What content codings a client takes (RFC 9110 §12.5.3).
package enum AcceptEncoding {
    private static let elementLimit = 32

    /// Whether `fields` say that gzip is welcome: by name or by `*`, with a weight other than 0. Without the field it is not
    /// sent, though it would be allowed.
    package static func takesGzip(_ fields: Fields) -> Bool {
        var isTaken: Bool?
        var isAnyTaken = false
        for line in fields.all("Accept-Encoding") {
            for element in line.utf8.split(separator: UInt8(ascii: ",")).prefix(elementLimit) {
                let parts = element.split(separator: UInt8(ascii: ";")).map { trimmed($0) }
                let isWelcome = !parts.dropFirst().contains { isZeroWeight($0) }
                switch parts.first {
                case "gzip", "x-gzip": isTaken = isWelcome
                case "*": isAnyTaken = isWelcome
                default: break
                }
            }
        }
        return isTaken ?? isAnyTaken
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        return String(decoding: bytes.trimmed(RawSpan.isBlank).map(ASCII.lowercased), as: UTF8.self)
    }

    /// `q=0`, `q=0.0` and so on.
    private static func isZeroWeight(_ parameter: String) -> Bool {
        guard parameter.hasPrefix("q=") else { return false }
        let weight = parameter.dropFirst(2)
        return !weight.isEmpty && weight.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
