import Bytes

/// Makes the head of an answer of its lines, as a client gets them one by one: a status line, fields, an empty line. Interim
/// answers (1xx) may come before it; trailers after it are left out.
package struct ResponseHeadReader: Sendable {
    package enum Outcome: Equatable, Sendable {
        /// More lines are to come, or a trailer.
        case more
        /// The head of an interim answer is whole; another head follows.
        case interim(ResponseHead)
        /// The head of the final answer is whole.
        case head(ResponseHead)
        case malformed
        /// The lines are longer than they may be.
        case tooLarge
    }

    private let byteLimit: Int
    private var byteCount = 0
    private var status: Status?
    private var fields = Fields()
    private var isWhole = false

    /// Reads at most `byteLimit` bytes in all lines together.
    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Reads the next line, with or without its line end.
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

    @_lifetime(copy line)
    private static func withoutLineEnd(_ line: RawSpan) -> RawSpan {
        var end = line.byteCount
        if end > 0, line.byte(end - 1) == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, line.byte(end - 1) == UInt8(ascii: "\r") { end -= 1 }
        return line.extracting(0..<end)
    }

    /// `HTTP/1.1 200 OK` (RFC 9112 §4), the reason and the space before it may be absent: HTTP/2 has none.
    private static func status(_ line: RawSpan) -> Status? {
        let parts = line.text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3,
            parts[1].utf8.allSatisfy(ASCII.isDigit), let code = Int(parts[1]), (100...599).contains(code)
        else { return nil }
        return Status(code: code)
    }

    /// A line without a name, or with one that is none, is left out, as browsers do. One that continues the line before
    /// (obsolete, RFC 9112 §5.2), or whose value holds a control character, is refused.
    private mutating func readField(_ line: RawSpan) -> Bool {
        guard line.byte(0) != UInt8(ascii: " "), line.byte(0) != UInt8(ascii: "\t") else { return false }
        var colon = 0
        while colon < line.byteCount, line.byte(colon) != UInt8(ascii: ":") { colon += 1 }
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
