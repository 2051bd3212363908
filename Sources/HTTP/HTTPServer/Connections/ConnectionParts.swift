import HTTPMessage
import Reactor

/// What a client sends, as far as it was not taken yet.
struct ConnectionInput {
    var parser: RequestHeadParser
    /// Bytes that arrived behind a request that is still being answered.
    var held: [UInt8] = []
    /// How many requests this connection may begin before it is the others' turn.
    var requestsLeft = 0
    var lingeredByteCount = 0
    /// Whether the socket may have more to read; edges are told once.
    var mayRead = false
    /// Whether the peer's end was signalled; the end itself is seen when all before it is read.
    var sawPeerClose = false

    init(limits: HTTPLimits) {
        parser = RequestHeadParser(limits: limits)
    }

    /// Whether something was sent, or may have been, that is still to be looked at.
    var isPending: Bool { mayRead || !held.isEmpty }
}

/// The request under way.
struct CurrentRequest {
    /// Counts requests, so that no answer gets to a later one.
    var number: UInt64 = 0
    var arrived = MonotonicInstant.distantFuture
    var head: RequestHead?
    var id: RequestID?
    // Both apart from the connection, which would be a fifth larger with them: few requests have such content.
    var discard: DiscardedContent?
    var intake: ContentIntake?
    /// What the request is refused with when its content was read past.
    var refusal: RequestFailure?
    /// What is done where the answer does not come.
    var pending: PendingAnswer?
    var stream: StreamedAnswer?

    /// Forgets the request whose answer is queued.
    mutating func end() {
        head = nil
        refusal = nil
        arrived = .distantFuture
        id = nil
    }
}

/// An answer whose content comes in pieces.
struct StreamedAnswer {
    let stream: ContentStream
    /// Whether pieces are framed as chunks; otherwise the end of the connection is the end of the content.
    let isChunked: Bool
}

/// Answers on their way to the client.
struct ConnectionOutput {
    var queue = OutputQueue()
    var records = ExchangeRecords()
    /// How many bytes of answers the client had acknowledged when the socket was last full, or when it was looked at.
    var acknowledgedByteCount = 0
    /// The same when answers began to wait.
    var deliveryStart = 0

    var isEmpty: Bool { queue.isEmpty }
}
