import Bytes

package enum AcceptEncoding {
    private static let elementLimit = 32

    /// Whether gzip has a weight other than 0, by name or by `*`. False without the field, unlike RFC 9110 §12.5.3.
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
        String(decoding: bytes.trimmed(RawSpan.isBlank).map(ASCII.lowercased), as: UTF8.self)
    }

    private static func isZeroWeight(_ parameter: String) -> Bool {
        guard parameter.hasPrefix("q=") else { return false }
        let weight = parameter.dropFirst(2)
        return !weight.isEmpty && weight.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
