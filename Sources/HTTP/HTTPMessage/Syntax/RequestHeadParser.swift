import Bytes

// An automaton over bytes whose state survives between calls: the result does not depend on where the input is cut.
// Runs of ordinary bytes are scanned in tight loops and copied once, into the bytes of the head.

package enum ParseProgress: Sendable, Equatable {
    case needMore(consumed: Int)
    /// The bytes after the first `consumed` belong to the content or to the next request.
    case complete(RequestHead, consumed: Int)
    /// The request is refused; what follows on the connection cannot be framed.
    case failed(RequestError)
}

/// RFC 9112 §2–§6, in pieces. Two allocations for a head in one piece. After `.failed` it repeats the error.
package struct RequestHeadParser: Sendable {
    private enum State {
        case emptyLine, emptyLineEnd
        case method, target, version, requestLineEnd
        case fieldStart, fieldName, fieldBlank, fieldValue, fieldLineEnd
        case headEnd, complete
    }

    private let limits: HTTPLimits
    private var state = State.emptyLine
    private var failure: RequestError?
    /// Whether the refused request is a HEAD, whose answer has no content either (RFC 9110 §9.3.2).
    package private(set) var hasRefusedHead = false
    private var emptyLineCount = 0
    private var bytes: [UInt8] = []
    private var entries: [Fields.Entry] = []
    private var methodEnd = 0
    private var targetEnd = 0
    private var majorVersion = 0
    private var minorVersion = 0
    private var nameStart = 0
    private var nameEnd = 0
    private var valueStart = 0
    private var valueEnd = 0

    package init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

    package var isInsideHead: Bool {
        switch state {
        case .emptyLine, .emptyLineEnd, .complete: false
        default: failure == nil
        }
    }

    /// Linear in the bytes taken.
    package mutating func parse(_ span: RawSpan) -> ParseProgress {
        do throws(RequestError) {
            return try advance(span)
        } catch {
            if failure == nil { hasRefusedHead = isHead(before: span) }
            failure = error
            bytes = []
            entries = []
            return .failed(error)
        }
    }

    private mutating func advance(_ span: RawSpan) throws(RequestError) -> ParseProgress {
        if let failure { throw failure }
        let start = try skipEmptyLines(span)
        var scan = Scan(index: start, base: bytes.count - start, end: span.byteCount)
        // The limit bounds what is looked at, so it holds at the same byte however the input is cut.
        let room = limits.headByteCount - bytes.count
        if scan.end - start > room { scan.end = start + room }
        while scan.index < scan.end, state != .complete { try step(span, &scan) }
        if state == .complete { return try finish(span, start: start, end: scan.index) }
        guard scan.end == span.byteCount else { throw .headTooLarge(limit: limits.headByteCount) }
        append(span.extracting(start..<scan.end))
        return .needMore(consumed: span.byteCount)
    }

    private mutating func append(_ span: RawSpan) { span.withUnsafeBytes { bytes.append(contentsOf: $0) } }

    private mutating func finish(_ span: RawSpan, start: Int, end: Int) throws(RequestError) -> ParseProgress {
        append(span.extracting(start..<end))
        for index in entries.indices {
            let range = entries[index].nameRange
            let fingerprint = FieldName.fingerprint(of: bytes.span.bytes.extracting(range))
            entries[index].fingerprint = fingerprint
        }
        let parts = RequestHead.Parts(
            bytes: bytes, entries: entries, methodByteCount: methodEnd, targetRange: (methodEnd + 1)..<targetEnd,
            version: minorVersion == 0 ? .http10 : .http11)
        let head = try RequestHead(parts)
        self = RequestHeadParser(limits: limits)
        return .complete(head, consumed: end)
    }

    /// Whether the method is known to be HEAD: it begins `bytes`, or `span` after empty lines.
    private func isHead(before span: RawSpan) -> Bool {
        guard methodEnd == 4 else { return false }
        return span.withUnsafeBytes { span in
            let rest = span.drop { bytes.isEmpty && ($0 == 0x0d || $0 == 0x0a) }
            return (bytes.prefix(4) + rest.prefix(4)).starts(with: "HEAD".utf8)
        }
    }

    private struct Scan {
        var index: Int
        let base: Int
        var end: Int
        var offset: Int { base + index }
    }

    /// Skips empty lines before the request line (RFC 9112 §2.2) and returns where it begins.
    private mutating func skipEmptyLines(_ span: RawSpan) throws(RequestError) -> Int {
        var index = 0
        while index < span.byteCount {
            switch state {
            case .emptyLine:
                guard span.byte(index) == 0x0d else {
                    state = .method
                    return index
                }
                state = .emptyLineEnd
            case .emptyLineEnd:
                guard span.byte(index) == 0x0a else { throw .invalidLineEnd(offset: 0) }
                emptyLineCount += 1
                guard emptyLineCount <= limits.leadingEmptyLineCount else {
                    throw .tooManyEmptyLines(limit: limits.leadingEmptyLineCount)
                }
                state = .emptyLine
            default: return index
            }
            index += 1
        }
        return index
    }

    private mutating func step(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        switch state {
        case .method: try readMethod(span, &scan)
        case .target: try readTarget(span, &scan)
        case .version: try readVersion(span, &scan)
        case .requestLineEnd, .fieldLineEnd: try readLineFeed(span, &scan, then: .fieldStart)
        case .fieldStart: try beginField(span, &scan)
        case .fieldName: try readFieldName(span, &scan)
        case .fieldBlank: try skipBlanks(span, &scan)
        case .fieldValue: try readFieldValue(span, &scan)
        case .headEnd: try readLineFeed(span, &scan, then: .complete)
        case .emptyLine, .emptyLineEnd, .complete: scan.index = scan.end
        }
    }

    private mutating func readLineFeed(_ span: RawSpan, _ scan: inout Scan, then next: State) throws(RequestError) {
        guard span.byte(scan.index) == 0x0a else { throw .invalidLineEnd(offset: scan.offset) }
        scan.index += 1
        state = next
    }
}

extension RequestHeadParser {
    private mutating func readMethod(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        scan.index = ByteSet.endOfToken(in: span, from: scan.index, to: scan.end)
        guard scan.offset <= limits.methodByteCount else { throw .methodTooLong(limit: limits.methodByteCount) }
        guard scan.index < scan.end else { return }
        guard span.byte(scan.index) == 0x20, scan.offset > 0 else { throw .invalidMethod(offset: scan.offset) }
        methodEnd = scan.offset
        state = .target
        scan.index += 1
    }

    private mutating func readTarget(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        scan.index = ByteSet.endOfTarget(in: span, from: scan.index, to: scan.end)
        let count = scan.offset - methodEnd - 1
        guard count <= limits.targetByteCount else { throw .targetTooLong(limit: limits.targetByteCount) }
        guard scan.index < scan.end else { return }
        guard span.byte(scan.index) == 0x20, count > 0 else { throw .invalidTarget(offset: scan.offset) }
        targetEnd = scan.offset
        state = .version
        scan.index += 1
    }

    /// Reads `HTTP/` digit `.` digit CR (RFC 9112 §2.3).
    private mutating func readVersion(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        let byte = span.byte(scan.index)
        let isRight: Bool
        switch scan.offset - targetEnd - 1 {
        case 0: isRight = byte == UInt8(ascii: "H")
        case 1, 2: isRight = byte == UInt8(ascii: "T")
        case 3: isRight = byte == UInt8(ascii: "P")
        case 4: isRight = byte == UInt8(ascii: "/")
        case 5:
            isRight = ASCII.isDigit(byte)
            majorVersion = Int(byte) - 0x30
        case 6: isRight = byte == UInt8(ascii: ".")
        case 7:
            isRight = ASCII.isDigit(byte)
            minorVersion = Int(byte) - 0x30
        default:
            isRight = byte == 0x0d
            state = .requestLineEnd
        }
        guard isRight else { throw .invalidVersion(offset: scan.offset) }
        if state == .requestLineEnd, majorVersion != 1 { throw .unsupportedVersion(major: majorVersion) }
        scan.index += 1
    }

    private mutating func beginField(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        let byte = span.byte(scan.index)
        if byte == 0x0d {
            state = .headEnd
            scan.index += 1
            return
        }
        if RawSpan.isBlank(byte) { throw .foldedField(offset: scan.offset) }
        guard entries.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
        if entries.isEmpty { entries.reserveCapacity(min(16, limits.fieldCount)) }
        nameStart = scan.offset
        state = .fieldName
    }

    private mutating func readFieldName(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        scan.index = ByteSet.endOfToken(in: span, from: scan.index, to: scan.end)
        try checkFieldSize(scan)
        guard scan.index < scan.end else { return }
        // White space before the colon is refused here too (RFC 9112 §5.1).
        guard span.byte(scan.index) == UInt8(ascii: ":"), scan.offset > nameStart else {
            throw .invalidFieldName(offset: scan.offset)
        }
        nameEnd = scan.offset
        state = .fieldBlank
        scan.index += 1
    }

    private mutating func skipBlanks(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        while scan.index < scan.end, RawSpan.isBlank(span.byte(scan.index)) { scan.index += 1 }
        try checkFieldSize(scan)
        guard scan.index < scan.end else { return }
        valueStart = scan.offset
        valueEnd = scan.offset
        state = .fieldValue
    }

    private mutating func readFieldValue(_ span: RawSpan, _ scan: inout Scan) throws(RequestError) {
        let start = scan.index
        scan.index = FieldValue.endOfText(in: span, from: start, to: scan.end)
        try checkFieldSize(scan)
        var visible = scan.index
        while visible > start, RawSpan.isBlank(span.byte(visible - 1)) { visible -= 1 }
        if visible > start { valueEnd = scan.base + visible }
        guard scan.index < scan.end else { return }
        switch span.byte(scan.index) {
        case 0x0d: break
        case 0x0a: throw .invalidLineEnd(offset: scan.offset)
        default: throw .invalidFieldValue(offset: scan.offset)
        }
        entries.append(
            Fields.Entry(
                nameStart: UInt32(clamping: nameStart), nameCount: UInt32(clamping: nameEnd - nameStart),
                valueStart: UInt32(clamping: valueStart), valueCount: UInt32(clamping: valueEnd - valueStart)))
        state = .fieldLineEnd
        scan.index += 1
    }

    private func checkFieldSize(_ scan: Scan) throws(RequestError) {
        if scan.offset - nameStart > limits.fieldByteCount { throw .fieldTooLarge(limit: limits.fieldByteCount) }
    }
}

/// RFC 9110 §5.5.
enum FieldValue {
    /// The first index in `start..<end` of a control byte other than HTAB, or `end`.
    static func endOfText(in span: RawSpan, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            // As in `ByteSet.endOfTarget`: to the first byte that is below 0x20 or DEL.
            while end - index >= 8 {
                let word = span.word(index)
                let deleted = word ^ 0x7f7f_7f7f_7f7f_7f7f
                let controls = (word &- 0x2020_2020_2020_2020) & ~word
                let deletes = (deleted &- 0x0101_0101_0101_0101) & ~deleted
                let marks = (controls | deletes) & 0x8080_8080_8080_8080
                index += marks.trailingZeroBitCount / 8
                if marks != 0 { break }
            }
            guard index < end else { break }
            let byte = span.byte(index)
            if byte < 0x20 && byte != 0x09 || byte == 0x7f { return index }
            index += 1
        }
        return index
    }
}
