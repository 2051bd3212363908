/// Follows the content of one request through the bytes of a connection in any framing; keeps none of it.
package struct ContentReader: Sendable {
    private enum State {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    private var state: State

    package init(_ framing: Framing, limits: HTTPLimits = HTTPLimits()) {
        switch framing {
        case .none: state = .length(remaining: 0)
        case .length(let count): state = .length(remaining: count)
        case .chunked: state = .chunked(ChunkedDecoder(limits: limits))
        }
    }

    /// Without content the first call gives `.complete(consumed: 0)`.
    package mutating func read(_ bytes: RawSpan) -> ContentProgress {
        switch state {
        case .length(let remaining):
            if remaining == 0 { return .complete(consumed: 0) }
            let count = min(remaining, bytes.byteCount)
            if count == 0 { return .needMore(consumed: 0) }
            state = .length(remaining: remaining - count)
            return .content(range: 0..<count, consumed: count)
        case .chunked(var decoder):
            let progress = decoder.decode(bytes)
            state = .chunked(decoder)
            return progress
        }
    }
}
