import Bytes

/// Makes a response head of lines, perhaps after interim heads (1xx); trailers are left out.
package struct ResponseHeadReader: Sendable {
    package enum Outcome: Equatable, Sendable {
        /// More lines follow, or this was a trailer.
        case more
        case interim(ResponseHead)
        case head(ResponseHead)
        case malformed
        case tooLarge
    }

    private let byteLimit: Int
    private var byteCount = 0
    private var status: Status?
    private var fields = Fields()
    private var isWhole = false

    package init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// The line end is optional.
    package mutating func read(_ line: RawSpan) -> Outcome {
        byteCount += line.byteCount
        guard byteCount <= byteLimit else { return .tooLarge }
        if isWhole { return .more }
        let text = Self.withoutLineEnd(line)
        guard let status else {
            guard let status = Self.status(text) else { return .malformed }
            self.status = status
            return .more
        }
        guard text.byteCount == 0 else { return readField(text) ? .more : .malformed }
        let head = ResponseHead(status, fields)
        self.status = nil
        fields = Fields()
        if status.code < 200 { return .interim(head) }
        isWhole = true
        return .head(head)
    }

    @_lifetime(copy line) private static func withoutLineEnd(_ line: RawSpan) -> RawSpan {
        var end = line.byteCount
        if end > 0, line.byte(end - 1) == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, line.byte(end - 1) == UInt8(ascii: "\r") { end -= 1 }
        return line.extracting(0..<end)
    }

    /// `HTTP/1.1 200 OK` (RFC 9112 §4); the reason and the space before it are optional: HTTP/2 has none.
    private static func status(_ line: RawSpan) -> Status? {
        let parts = line.text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3,
            parts[1].utf8.allSatisfy(ASCII.isDigit), let code = Int(parts[1]), (100...599).contains(code)
        else { return nil }
        return Status(code: code)
    }

    /// Skips a line without a valid name, as browsers do. Refuses obsolete folding (RFC 9112 §5.2) and control bytes.
    private mutating func readField(_ line: RawSpan) -> Bool {
        guard line.byte(0) != UInt8(ascii: " "), line.byte(0) != UInt8(ascii: "\t") else { return false }
        let colon = line.position(of: UInt8(ascii: ":"), from: 0)
        guard colon < line.byteCount, let name = FieldName(line.extracting(0..<colon).text) else { return true }
        let value = line.extracting(line.trimmed((colon + 1)..<line.byteCount))
        for index in 0..<value.byteCount {
            let byte = value.byte(index)
            guard byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") else { return false }
        }
        fields.append(name, bytes: value)
        return true
    }
}
