package import HTTPMessage
package import Reactor

/// A request and what became of its answer, for the access log.
package struct Exchange: Sendable {
    /// Names the request; the same as in its answer.
    package let requestID: RequestID
    /// Who asked; nil where the socket does not tell.
    package let peer: SocketAddress?
    /// The request's head; nil when it could not be accepted.
    package let head: RequestHead?
    package let status: Status
    /// When the head was complete, or refused.
    package let arrived: MonotonicInstant
    /// When the answer's head was queued.
    package let answered: MonotonicInstant
    /// When the socket had taken the last byte, or the client was gone.
    package internal(set) var finished: MonotonicInstant
    /// How many bytes of head and content the socket took.
    package internal(set) var sentByteCount: Int
    /// Whether the socket took the whole answer.
    package internal(set) var isComplete: Bool
}

/// The exchanges of one connection whose answers are not all sent yet, in the order of their answers. Positions are counts
/// of bytes since the connection began.
struct ExchangeRecords {
    private struct Entry {
        var exchange: Exchange
        let start: Int
        var end: Int
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// An answer was queued that takes the bytes from `start` to `end`.
    mutating func append(_ exchange: Exchange, from start: Int, to end: Int) {
        entries.append(Entry(exchange: exchange, start: start, end: end))
    }

    /// The last answer grew: a streamed one ends at `end`, for now or for good.
    mutating func extendLast(to end: Int) {
        if !entries.isEmpty { entries[entries.count - 1].end = end }
    }

    /// Takes out what is done when the socket has taken `sent` bytes; the last one is not if it is still `growing`.
    mutating func takeFinished(sent: Int, growing: Bool, now: MonotonicInstant) -> [Exchange] {
        var count = 0
        while count < entries.count, entries[count].end <= sent, !(growing && count == entries.count - 1) { count += 1 }
        return take(count, sent: sent, isComplete: true, now: now)
    }

    /// Takes out all that is left: the connection is gone.
    mutating func takeAll(sent: Int, now: MonotonicInstant) -> [Exchange] {
        take(entries.count, sent: sent, isComplete: false, now: now)
    }

    private mutating func take(_ count: Int, sent: Int, isComplete: Bool, now: MonotonicInstant) -> [Exchange] {
        guard count > 0 else { return [] }
        let finished = entries[..<count].map { entry in
            var exchange = entry.exchange
            exchange.sentByteCount = min(max(sent - entry.start, 0), entry.end - entry.start)
            exchange.isComplete = isComplete
            exchange.finished = now
            return exchange
        }
        entries.removeFirst(count)
        return finished
    }
}
