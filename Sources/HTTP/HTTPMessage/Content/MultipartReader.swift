import Bytes

// The CR that begins a delimiter stands in no boundary, so a delimiter can begin nowhere within what has been matched of
// another one: what does not go on is content as it stands, and nothing is ever looked at twice.

/// What a call of `MultipartReader.read` came to; ranges and counts are of the input.
package enum MultipartProgress: Equatable, Sendable {
    /// All of the input was taken and the rest of it held no content.
    case needMore(consumed: Int)
    /// A part begins, and the one before it is over; call again with what follows the first `consumed` bytes.
    case part(MultipartPart, consumed: Int)
    /// Content of the part lies at `range`; call again with what follows the first `consumed` bytes.
    case content(range: Range<Int>, consumed: Int)
    /// Bytes that looked like the beginning of a delimiter, here or in earlier input, are content of the part.
    case withheld([UInt8], consumed: Int)
    /// The last part is over. What follows is an epilogue, which means nothing.
    case complete(consumed: Int)
    /// The content is no multipart content, or goes beyond a limit.
    case failed(MultipartError)
}

/// Reads `multipart/form-data` (RFC 7578; RFC 2046 §5.1) from bytes that arrive in pieces; keeps no content.
///
/// Each part must be form data with a name. What stands before the first delimiter and behind the last is passed over. Time
/// is linear in the bytes taken; memory is bounded by the limits.
package struct MultipartReader: Sendable {
    private enum State: Equatable {
        case preamble
        /// Behind a delimiter, in the rest of its line.
        case delimiterEnd, closingDash, padding, lineEnd
        case partHead
        case content
        case complete
        case failed(MultipartError)
    }

    private let limits: MultipartLimits
    /// CR LF, two dashes and the boundary.
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// How much of a delimiter the latest bytes are, and how much of that is no content in any case: the line break that the
    /// start of all, or the end of a part's head, stands for.
    private var matchedCount = 2
    private var impliedCount = 2
    private var partHead: [UInt8] = []
    /// Bytes up to the first delimiter, or behind one in its line.
    private var idleByteCount = 0
    private var partCount = 0
    private var offset = 0

    /// Reads what stands between delimiters of `boundary`.
    package init(_ boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()) {
        self.limits = limits
        delimiter = [0x0d, 0x0a, UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary.bytes
    }

    /// Whether the last part is over: content that ends earlier was cut short.
    package var isComplete: Bool { state == .complete }

    /// Reads on until a part, content, the end or a fault comes up.
    package mutating func read(_ span: RawSpan) -> MultipartProgress {
        if case .failed(let error) = state { return .failed(error) }
        do throws(MultipartError) {
            let progress = try advance(span)
            switch progress {
            case .needMore(let count), .part(_, let count), .content(_, let count), .withheld(_, let count),
                .complete(let count):
                offset = offset &+ count
            case .failed: break
            }
            return progress
        } catch {
            state = .failed(error)
            partHead = []
            return .failed(error)
        }
    }

    private mutating func advance(_ span: RawSpan) throws(MultipartError) -> MultipartProgress {
        var index = 0
        while index < span.byteCount {
            switch state {
            case .preamble, .content:
                if let progress = try search(span, &index) { return progress }
            case .delimiterEnd, .closingDash, .padding, .lineEnd:
                try endDelimiter(span.byte(index), at: index)
                index += 1
            case .partHead:
                if let part = try readPartHead(span, &index) { return .part(part, consumed: index) }
            case .complete: return .complete(consumed: span.byteCount)
            case .failed(let error): throw error
            }
        }
        return state == .complete ? .complete(consumed: index) : .needMore(consumed: index)
    }

    /// Goes on to the next delimiter or to the end of the input; a result is content that came before.
    private mutating func search(_ span: RawSpan, _ index: inout Int) throws(MultipartError) -> MultipartProgress? {
        let isContent = state == .content
        let start = index
        var found = matchedCount > 0 ? resume(span, &index) : nil
        if found == nil, matchedCount == 0 { found = scan(span, &index) }
        if !isContent {
            idleByteCount += index - start
            guard idleByteCount <= limits.partHeadByteCount else {
                throw .preambleTooLarge(limit: limits.partHeadByteCount)
            }
        }
        if matchedCount == delimiter.count {
            state = .delimiterEnd
            (matchedCount, impliedCount, idleByteCount) = (0, 0, 0)
        }
        return isContent ? found : nil
    }

    /// Goes on with what may be a delimiter.
    private mutating func resume(_ span: RawSpan, _ index: inout Int) -> MultipartProgress? {
        index += match(span, at: index)
        if matchedCount == delimiter.count || index == span.byteCount { return nil }
        let bytes = delimiter[impliedCount..<matchedCount]
        (matchedCount, impliedCount) = (0, 0)
        return bytes.isEmpty ? nil : .withheld(Array(bytes), consumed: index)
    }

    /// Looks for a delimiter, or the beginning of one at the end of the input.
    private mutating func scan(_ span: RawSpan, _ index: inout Int) -> MultipartProgress? {
        let start = index
        while index < span.byteCount {
            let candidate = span.firstCarriageReturn(from: index)
            index = candidate + match(span, at: candidate)
            if matchedCount == delimiter.count || index == span.byteCount {
                return candidate > start ? .content(range: start..<candidate, consumed: index) : nil
            }
            matchedCount = 0
        }
        return nil
    }

    /// Matches on as far as it goes; returns how many bytes matched.
    private mutating func match(_ span: RawSpan, at start: Int) -> Int {
        var index = start
        while index < span.byteCount, matchedCount < delimiter.count, span.byte(index) == delimiter[matchedCount] {
            index += 1
            matchedCount += 1
        }
        return index - start
    }

    /// RFC 2046 §5.1.1: two dashes behind the last delimiter, and white space that gateways may have added.
    private mutating func endDelimiter(_ byte: UInt8, at index: Int) throws(MultipartError) {
        idleByteCount += 1
        switch (state, byte) {
        case (.delimiterEnd, UInt8(ascii: "-")): state = .closingDash
        case (.closingDash, UInt8(ascii: "-")): state = .complete
        case (.delimiterEnd, 0x0d), (.padding, 0x0d): state = .lineEnd
        case (.delimiterEnd, 0x20), (.delimiterEnd, 0x09), (.padding, 0x20), (.padding, 0x09):
            guard idleByteCount <= limits.partHeadByteCount else { throw .invalidDelimiter(offset: offset &+ index) }
            state = .padding
        case (.lineEnd, 0x0a):
            partCount += 1
            guard partCount <= limits.partCount else { throw .tooManyParts(limit: limits.partCount) }
            state = .partHead
        default: throw .invalidDelimiter(offset: offset &+ index)
        }
    }

    private mutating func readPartHead(
        _ span: RawSpan, _ index: inout Int
    ) throws(MultipartError) -> MultipartPart? {
        while index < span.byteCount {
            let byte = span.byte(index)
            partHead.append(byte)
            index += 1
            guard partHead.count <= limits.partHeadByteCount else {
                throw .partHeadTooLarge(limit: limits.partHeadByteCount)
            }
            let isEnd =
                byte == 0x0a && (partHead.count == 2 || partHead.suffix(4).elementsEqual([0x0d, 0x0a, 0x0d, 0x0a]))
            guard isEnd else { continue }
            let part = try MultipartPart(head: partHead, at: offset &+ index &- partHead.count)
            partHead = []
            state = .content
            // A part without content may have its delimiter right here: the line break was the head's.
            (matchedCount, impliedCount) = (2, 2)
            return part
        }
        return nil
    }
}

extension RawSpan {
    /// The first CR from `start` on, or the end; eight bytes at a time, as all content goes through here.
    fileprivate func firstCarriageReturn(from start: Int) -> Int {
        var index = start
        while byteCount - index >= 8 {
            let word = unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0d0d_0d0d_0d0d_0d0d
            if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { break }
            index += 8
        }
        while index < byteCount, byte(index) != 0x0d { index += 1 }
        return index
    }
}
