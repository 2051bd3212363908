package import HTTPMessage
package import Reactor

/// A request and the outcome of its answer, for the access log.
package struct Exchange: Sendable {
    package let requestID: RequestID
    /// Nil if the socket does not tell.
    package let peer: SocketAddress?
    /// Nil when it could not be accepted.
    package let head: RequestHead?
    package let status: Status
    /// Those of the answer that its maker gave.
    package var fields = FieldLines()
    package var ownFields = FieldLines()
    /// When the head was complete, or refused.
    package let arrived: MonotonicInstant
    /// When the answer's head was queued.
    package let answered: MonotonicInstant
    /// When the socket had taken the last byte, or the client was gone.
    package internal(set) var finished: MonotonicInstant
    package internal(set) var sentByteCount: Int
    /// Whether the socket took the whole answer.
    package internal(set) var isComplete: Bool

    /// nil where the client sent none.
    package var trace: TraceContext? { head.flatMap { TraceContext($0.fields, seed: requestID.seed) } }
}

/// The exchanges of one connection with unsent answers, in order. Positions count bytes since the connection began.
struct ExchangeRecords {
    private struct Entry {
        var exchange: Exchange
        let start: Int
        var end: Int
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// The queued answer takes the bytes from `start` to `end`.
    mutating func append(_ exchange: Exchange, from start: Int, to end: Int) {
        entries.append(Entry(exchange: exchange, start: start, end: end))
    }

    /// The last answer is streamed and now ends at `end`.
    mutating func extendLast(to end: Int) { if !entries.isEmpty { entries[entries.count - 1].end = end } }

    /// Takes out answers within the first `sent` bytes, but not the last one while it is `growing`.
    mutating func takeFinished(sent: Int, growing: Bool, now: MonotonicInstant) -> [Exchange] {
        var count = 0
        while count < entries.count, entries[count].end <= sent, !(growing && count == entries.count - 1) { count += 1 }
        return take(count, sent: sent, isComplete: true, now: now)
    }

    /// Takes out the rest when the connection is gone.
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
