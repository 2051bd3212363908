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

    /// Tells of the answers within the first `sent` bytes, but not of the last one while it is `growing`, and forgets them.
    mutating func finish(sent: Int, growing: Bool, now: MonotonicInstant, _ tell: (Exchange) -> Void) {
        var count = 0
        while count < entries.count, entries[count].end <= sent, !(growing && count == entries.count - 1) { count += 1 }
        end(count, sent: sent, isComplete: true, now: now, tell)
    }

    /// Tells of the rest when the connection is gone.
    mutating func breakOff(sent: Int, now: MonotonicInstant, _ tell: (Exchange) -> Void) {
        end(entries.count, sent: sent, isComplete: false, now: now, tell)
    }

    private mutating func end(
        _ count: Int, sent: Int, isComplete: Bool, now: MonotonicInstant, _ tell: (Exchange) -> Void
    ) {
        for index in 0..<count {
            let (start, end) = (entries[index].start, entries[index].end)
            entries[index].exchange.sentByteCount = min(max(sent - start, 0), end - start)
            entries[index].exchange.isComplete = isComplete
            entries[index].exchange.finished = now
            tell(entries[index].exchange)
        }
        if count > 0 { entries.removeFirst(count) }
    }
}
