/// One answer as it came over the wire.
package struct WireResponse: Sendable, Equatable {
    /// Status line and fields as they came, with line ends.
    package let head: String
    package let code: Int
    /// The fields in order, names as they came, values without white space around.
    package let fields: [Field]
    package var content: [UInt8] = []

    package struct Field: Sendable, Equatable {
        /// The name as it came.
        package let name: String
        package let value: String
    }

    /// Reads `head`, which ends with its empty line; every line must be of proper form.
    init(head bytes: [UInt8]) throws(WireFault) {
        head = String(decoding: bytes, as: UTF8.self)
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        guard let status = lines.first, status.hasPrefix("HTTP/1.1 "), status.utf8.count >= 13,
            let code = Int(status.dropFirst(9).prefix(3)), (100...599).contains(code)
        else { throw .malformed(head) }
        self.code = code
        var fields: [Field] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { throw .malformed(head) }
            let name = line[..<colon]
            guard !name.contains(where: \.isWhitespace) else { throw .malformed(head) }
            fields.append(Field(name: String(name), value: Self.trimmed(line[line.index(after: colon)...])))
        }
        self.fields = fields
    }

    /// The value of a field that is there once; nil when it is missing or repeated.
    package func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values.first?.value : nil
    }

    package var text: String { String(decoding: content, as: UTF8.self) }

    /// Whether the answer says that the connection ends.
    package var saysClose: Bool { field("Connection") == "close" }

    /// The head without the fields that differ from answer to answer.
    package var stableHead: [String] {
        let changing = ["age", "date", "x-request-id", "server-timing", "cache-status"]
        return fields.filter { !changing.contains($0.name.lowercased()) }.map { "\($0.name): \($0.value)" }
    }

    var contentLength: Int? { field("Content-Length").flatMap { Int($0) } }

    /// RFC 9110 §6.4.1.
    var forbidsContent: Bool { code < 200 || code == 204 || code == 304 }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
