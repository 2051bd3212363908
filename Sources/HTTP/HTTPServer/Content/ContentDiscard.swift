import HTTPMessage

final class DiscardedContent {
    var reader: ContentDiscard

    init(_ reader: ContentDiscard) { self.reader = reader }
}

/// Reads past the content of a request that is answered without it, up to a limit.
struct ContentDiscard {
    private var reader: ContentReader
    private var room: Int

    private(set) var isComplete: Bool

    /// A length over `limit` is over it at once.
    init(_ framing: Framing = .none, limit: Int = 0, limits: HTTPLimits = HTTPLimits()) {
        reader = ContentReader(framing, limits: limits)
        room = limit
        isComplete = if case .none = framing { true } else { false }
        if case .length(let count) = framing, count > limit { room = -1 }
    }

    var isOverLimit: Bool { room < 0 }

    mutating func consume(_ bytes: RawSpan) throws(RequestError) -> Int {
        var offset = 0
        while true {
            switch reader.read(bytes.extracting(offset..<bytes.byteCount)) {
            case .needMore(let count):
                room -= count
                return offset + count
            case .content(_, let count):
                offset += count
                room -= count
                if isOverLimit { return offset }
            case .complete(let count):
                isComplete = true
                return offset + count
            case .failed(let error): throw error
            }
        }
    }
}
