import Bytes

/// The outcome of `ContentReader.read` or `ChunkedDecoder.decode`; ranges and counts are of the input.
package enum ContentProgress: Equatable, Sendable {
    case needMore(consumed: Int)
    case content(range: Range<Int>, consumed: Int)
    /// The content is complete; what follows the first `consumed` bytes is the next request.
    case complete(consumed: Int)
    /// The framing is broken: the connection has to end.
    case failed(RequestError)
}

/// Decodes the chunked coding (RFC 9112 §7.1) from pieces; checks, bounds and drops extensions and trailers. CR LF only.
package struct ChunkedDecoder: Sendable {
    private enum State: Equatable {
        case size, blank, chunkExtension, lineEnd, data, dataReturn, dataLineFeed
        case trailerStart, trailerName, trailerValue, trailerLineEnd, finalLineFeed, complete
        case failed(RequestError)
    }

    private let limits: HTTPLimits
    private var state = State.size
    private var sizeDigitCount = 0
    private var remaining = 0
    private var lineByteCount = 0
    private var extensionByteCount = 0
    private var trailerByteCount = 0
    private var offset = 0

    package init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

    /// Reads up to content, the end or a fault. Linear in the bytes taken, but skips content in one step.
    package mutating func decode(_ bytes: RawSpan) -> ContentProgress {
        if case .failed(let error) = state { return .failed(error) }
        var index = 0
        do throws(RequestError) {
            while index < bytes.byteCount, state != .complete {
                if state == .data {
                    let count = min(remaining, bytes.byteCount - index)
                    remaining -= count
                    offset = offset &+ count
                    if remaining == 0 { state = .dataReturn }
                    return .content(range: index..<(index + count), consumed: index + count)
                }
                try step(bytes.byte(index))
                index += 1
                offset = offset &+ 1
            }
        } catch {
            state = .failed(error)
            return .failed(error)
        }
        return state == .complete ? .complete(consumed: index) : .needMore(consumed: index)
    }

    private mutating func step(_ byte: UInt8) throws(RequestError) {
        switch state {
        case .size, .blank, .chunkExtension, .lineEnd: try readSizeLine(byte)
        case .dataReturn: try expect(0x0d, byte, then: .dataLineFeed)
        case .dataLineFeed:
            try expect(0x0a, byte, then: .size)
            (sizeDigitCount, lineByteCount) = (0, 0)
        case .trailerStart, .trailerName, .trailerValue, .trailerLineEnd, .finalLineFeed: try readTrailer(byte)
        case .data, .complete, .failed: break
        }
    }

    private mutating func expect(_ wanted: UInt8, _ byte: UInt8, then next: State) throws(RequestError) {
        guard byte == wanted else { throw .invalidChunk(offset: offset) }
        state = next
    }

    private mutating func readSizeLine(_ byte: UInt8) throws(RequestError) {
        lineByteCount += 1
        if lineByteCount > limits.chunkLineByteCount { throw .chunkLineTooLong(limit: limits.chunkLineByteCount) }
        switch (state, byte) {
        case (.lineEnd, 0x0a): state = remaining == 0 ? .trailerStart : .data
        case (.size, 0x0d) where sizeDigitCount > 0, (.chunkExtension, 0x0d): state = .lineEnd
        case (.size, UInt8(ascii: ";")) where sizeDigitCount > 0, (.blank, UInt8(ascii: ";")): state = .chunkExtension
        case (.size, 0x20) where sizeDigitCount > 0, (.size, 0x09) where sizeDigitCount > 0: state = .blank
        case (.blank, 0x20), (.blank, 0x09): break
        case (.size, _):
            // Refuses a size over 63 bits before it can wrap.
            guard let digit = ASCII.hexValue(byte), remaining <= Int.max >> 4 else {
                throw .invalidChunk(offset: offset)
            }
            remaining = remaining << 4 | Int(digit)
            sizeDigitCount += 1
            return
        case (.chunkExtension, let byte) where byte >= 0x20 && byte != 0x7f || byte == 0x09: break
        default: throw .invalidChunk(offset: offset)
        }
        extensionByteCount += state == .chunkExtension || state == .blank ? 1 : 0
        guard extensionByteCount <= limits.chunkExtensionByteCount else {
            throw .chunkExtensionsTooLarge(limit: limits.chunkExtensionByteCount)
        }
    }

    private mutating func readTrailer(_ byte: UInt8) throws(RequestError) {
        trailerByteCount += 1
        if trailerByteCount > limits.trailerByteCount { throw .trailersTooLarge(limit: limits.trailerByteCount) }
        switch (state, byte) {
        case (.trailerStart, 0x0d): state = .finalLineFeed
        case (.finalLineFeed, 0x0a): state = .complete
        case (.trailerStart, let byte) where ByteSet.tokenBytes.contains(byte): state = .trailerName
        case (.trailerName, let byte) where ByteSet.tokenBytes.contains(byte): break
        case (.trailerName, UInt8(ascii: ":")): state = .trailerValue
        case (.trailerValue, 0x0d): state = .trailerLineEnd
        case (.trailerValue, let byte) where byte >= 0x20 && byte != 0x7f || byte == 0x09: break
        case (.trailerLineEnd, 0x0a): state = .trailerStart
        default: throw .invalidTrailer(offset: offset)
        }
    }
}
