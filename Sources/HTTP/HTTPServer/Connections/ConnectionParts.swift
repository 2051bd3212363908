import HTTPMessage
import Reactor

/// The input that was not taken yet.
struct ConnectionInput {
    var parser: RequestHeadParser
    var held: [UInt8] = []
    /// How many requests this connection may begin before it is the others' turn.
    var requestsLeft = 0
    var lingeredByteCount = 0
    /// Whether the socket may have more to read; edges are told once.
    var mayRead = false
    /// Whether the peer's end was signalled; it is read after all bytes before it.
    var sawPeerClose = false

    init(limits: HTTPLimits) { parser = RequestHeadParser(limits: limits) }

    var isPending: Bool { mayRead || !held.isEmpty }
}

struct CurrentRequest {
    /// Counts requests, so that no answer reaches a later one.
    var number: UInt64 = 0
    var arrived = MonotonicInstant.distantFuture
    var head: RequestHead?
    var id: RequestID?
    // Both by reference, as few requests have such content and a connection would be a fifth larger.
    var discard: DiscardedContent?
    var intake: ContentIntake?
    /// How to refuse the request once its content was read past.
    var refusal: RequestFailure?
    /// What to do if the answer does not come.
    var pending: PendingAnswer?
    var stream: StreamedAnswer?

    mutating func end() {
        head = nil
        refusal = nil
        arrived = .distantFuture
        id = nil
    }
}

struct StreamedAnswer {
    let stream: ContentStream
    /// Whether pieces are framed as chunks; otherwise the content ends with the connection.
    let isChunked: Bool
}

struct ConnectionOutput {
    var queue = OutputQueue()
    var records = ExchangeRecords()
    /// Bytes of answers that the client had acknowledged when the socket was last full or checked.
    var acknowledgedByteCount = 0
    /// The same when answers began to wait.
    var deliveryStart = 0

    var isEmpty: Bool { queue.isEmpty }
}
