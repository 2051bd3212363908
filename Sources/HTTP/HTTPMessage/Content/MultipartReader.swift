// No boundary contains the CR that begins a delimiter, so no delimiter can begin within the matched part of another:
// what does not match on is content, and no byte is looked at twice.

/// The outcome of `MultipartReader.read`; ranges and counts are of the input.
package enum MultipartProgress: Equatable, Sendable {
    case needMore(consumed: Int)
    case part(MultipartPart, consumed: Int)
    case content(range: Range<Int>, consumed: Int)
    /// Content of the part that looked like the beginning of a delimiter, here or in earlier input.
    case withheld([UInt8], consumed: Int)
    case complete(consumed: Int)
    case failed(MultipartError)
}

/// Reads `multipart/form-data` (RFC 7578; RFC 2046 §5.1) from pieces in linear time; keeps no content, bounded memory.
package struct MultipartReader: Sendable {
    private enum State: Equatable {
        case preamble
        /// After a delimiter, in the rest of its line.
        case delimiterEnd, closingDash, padding, lineEnd
        case partHead, content, complete
        case failed(MultipartError)
    }

    private let limits: MultipartLimits
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// How many of the latest bytes match a delimiter, and how many of these are an implied line break, never content.
    private var matchedCount = 2
    private var impliedCount = 2
    private var partHead: [UInt8] = []
    /// Bytes up to the first delimiter, or after one in its line.
    private var idleByteCount = 0
    private var partCount = 0
    private var offset = 0

    package init(_ boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()) {
        self.limits = limits
        delimiter = [0x0d, 0x0a, UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary.bytes
    }

    package var isComplete: Bool { state == .complete }

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

    /// Reads up to the next delimiter or the end of the input; returns content before it.
    private mutating func search(_ span: RawSpan, _ index: inout Int) throws(MultipartError) -> MultipartProgress? {
        let isContent = state == .content
        let start = index
        var found = matchedCount > 0 ? resume(span, &index) : nil
        if found == nil, matchedCount == 0 { found = scan(span, &index) }
        if !isContent {
            idleByteCount += index - start
            if idleByteCount > limits.partHeadByteCount { throw .preambleTooLarge(limit: limits.partHeadByteCount) }
        }
        if matchedCount == delimiter.count {
            state = .delimiterEnd
            (matchedCount, impliedCount, idleByteCount) = (0, 0, 0)
        }
        return isContent ? found : nil
    }

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

    private mutating func match(_ span: RawSpan, at start: Int) -> Int {
        var index = start
        while index < span.byteCount, matchedCount < delimiter.count, span.byte(index) == delimiter[matchedCount] {
            index += 1
            matchedCount += 1
        }
        return index - start
    }

    /// RFC 2046 §5.1.1: two dashes follow the last delimiter, and gateways may have added white space.
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

    private mutating func readPartHead(_ span: RawSpan, _ index: inout Int) throws(MultipartError) -> MultipartPart? {
        while index < span.byteCount {
            let byte = span.byte(index)
            partHead.append(byte)
            index += 1
            if partHead.count > limits.partHeadByteCount { throw .partHeadTooLarge(limit: limits.partHeadByteCount) }
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
    /// The first CR from `start` on, or the end; eight bytes at a time, as all content passes here.
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
