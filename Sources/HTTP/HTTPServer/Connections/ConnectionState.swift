import Reactor

// The protocol of one connection as a value: events in, actions out, time passed in. It owns no descriptor and calls nobody,
// so its rules are tested without a socket. `Connection` does what the actions say and never looks at the phase.

/// What a connection is doing and until when.
struct ConnectionState {
    /// Where the connection stands between and within requests.
    enum Phase: Equatable {
        /// No byte of the next head has arrived.
        case idle
        /// A part of a head has arrived.
        case readingHead
        /// The request's content is read past before it is answered.
        case discardingContent
        case receivingContent
        /// A part of the content is being written to a file; nothing is read until it is.
        case storingContent
        /// The handler has the request and answers later.
        case answering
        /// The head of an answer is queued, its content comes in pieces.
        case streaming
        /// The last answer is queued; when it is sent, the connection ends.
        case closing
        /// Our side is shut down; what the client still sends is read past, so that no reset eats the answer.
        case lingering
        case closed
    }

    /// What bytes from the client are for.
    enum Reception {
        case head
        case discardedContent
        case content
        /// They wait until the request before them is answered.
        case later
        case lingering
        case dropped
    }

    /// What to do when a deadline has come.
    enum Expiry: Equatable {
        case notYet
        /// Answer 408, then close (RFC 9110 §15.5.9).
        case requestTimedOut
        /// Answer in place of the handler, which takes too long; the rest of the request's content is not read.
        case answerTimedOut(closes: Bool)
        /// Find out whether the peer that shut down its side still listens.
        case probePeer
        /// Find out whether the client takes anything of its answer, and close if it does not.
        case readerStalled
        case close
    }

    /// What to do when all that was queued is sent.
    enum Sent {
        case nothing
        /// Ask for the next piece of the content that is being streamed.
        case pullPiece
        case shutDown
    }

    /// What to do when the server takes no further requests.
    enum Drain {
        /// Finish what is under way, or wait a moment for the request that is about to come.
        case goOn
        /// Nothing is under way and nothing may be lost.
        case close
        /// Send what is queued, then shut down.
        case finish
    }

    /// Time limits, shared by all connections that were accepted under the same settings; that of the head is for the whole
    /// of it, not for a single read. In nanoseconds: they are added to the time with every request.
    final class Timeouts: Sendable {
        let idle: Int64
        let head: Int64
        let write: Int64
        let answer: Int64
        let content: Int64
        /// Bytes a second below which an answer or content is too slow, beside `write` and `content`.
        let minimumRate: Int
        let linger: Int64
        let probe: Int64

        init(
            idle: Duration, head: Duration, write: Duration, answer: Duration = .seconds(60),
            content: Duration = .seconds(20), minimumRate: Int = 0, linger: Duration = .seconds(2),
            probe: Duration = .milliseconds(250)
        ) {
            self.idle = idle.saturatedNanoseconds
            self.head = head.saturatedNanoseconds
            self.write = write.saturatedNanoseconds
            self.answer = answer.saturatedNanoseconds
            self.content = content.saturatedNanoseconds
            self.minimumRate = minimumRate
            self.linger = linger.saturatedNanoseconds
            self.probe = probe.saturatedNanoseconds
        }
    }

    private(set) var phase = Phase.idle
    /// The client has shut down its side: no further request can come.
    private(set) var isHalfClosed = false
    /// The answer under way is the last one.
    private(set) var isLast = false
    /// When the head under way began, the last answer was queued, or the connection began.
    private(set) var idleSince: MonotonicInstant
    private var peerEndWasSignalled = false
    private let timeouts: Timeouts
    private var readDeadline: MonotonicInstant
    private var intake: Pace?
    private var delivery: Pace?
    private var writeDeadline = MonotonicInstant.distantFuture
    private var answerDeadline = MonotonicInstant.distantFuture
    private var awaitsPiece = false

    /// How long a connection that never asked is not taken for idle: its client was let in a moment ago and is about to ask.
    /// The rest of a head is expected as soon.
    static let grace = Duration.milliseconds(500)

    /// A connection that was accepted at `now`; its first head must come within the head timeout.
    init(timeouts: Timeouts, now: MonotonicInstant) {
        self.timeouts = timeouts
        self.readDeadline = now.advanced(byNanoseconds: timeouts.head)
        self.idleSince = now
    }

    /// The next instant at which `expire` has something to say.
    var deadline: MonotonicInstant { min(readDeadline, writeDeadline, answerDeadline) }

    /// Whether bytes wait that the client did not take yet.
    var owesOutput: Bool { writeDeadline != .distantFuture }

    var isIdle: Bool { phase == .idle }
    var isReadingHead: Bool { phase == .readingHead }
    var isAnswering: Bool { phase == .answering }
    var isLingering: Bool { phase == .lingering }

    var reception: Reception {
        switch phase {
        case .idle, .readingHead: .head
        case .discardingContent: .discardedContent
        case .receivingContent: .content
        case .storingContent, .answering, .streaming: .later
        case .lingering: .lingering
        case .closing, .closed: .dropped
        }
    }

    var parsesHeads: Bool { phase == .idle || phase == .readingHead }

    /// Whether bytes of requests are taken now.
    var consumes: Bool {
        switch phase {
        case .idle, .readingHead, .discardingContent, .receivingContent: true
        case .storingContent, .answering, .streaming, .closing, .lingering, .closed: false
        }
    }

    /// Whether bytes from the client are wanted now; otherwise they wait in the socket (backpressure).
    var reads: Bool { consumes || phase == .lingering }

    /// The first bytes of a head arrived.
    mutating func headBegan(now: MonotonicInstant) {
        guard phase == .idle else { return }
        phase = .readingHead
        idleSince = now
        // The deadline of a server that drains stays.
        if !isLast { readDeadline = now.advanced(byNanoseconds: timeouts.head) }
    }

    /// A head is complete. Content that is to be read past comes next when `hasContent`, else the handler's turn.
    mutating func headEnded(hasContent: Bool, keepsAlive: Bool, now: MonotonicInstant) {
        if !keepsAlive { isLast = true }
        if hasContent {
            phase = .discardingContent
            readDeadline = now.advanced(byNanoseconds: timeouts.head)
        } else {
            contentEnded(now: now)
        }
    }

    /// A head is complete, and its content is taken in.
    mutating func contentBegan(keepsAlive: Bool, now: MonotonicInstant) {
        if !keepsAlive { isLast = true }
        phase = .receivingContent
        expectContent(now: now)
    }

    private mutating func expectContent(now: MonotonicInstant) {
        let pace = Pace(now: now)
        intake = pace
        readDeadline = pace.deadline(patienceNanoseconds: timeouts.content, minimumRate: timeouts.minimumRate)
    }

    mutating func contentCame(_ byteCount: Int, now: MonotonicInstant) {
        guard phase == .receivingContent, var pace = intake else { return }
        pace.moved(byteCount, now: now)
        intake = pace
        readDeadline = pace.deadline(patienceNanoseconds: timeouts.content, minimumRate: timeouts.minimumRate)
    }

    /// Content is being written away; the client is not to blame for what that takes.
    mutating func contentPaused(now: MonotonicInstant) {
        phase = .storingContent
        readDeadline = .distantFuture
        answerDeadline = now.advanced(byNanoseconds: timeouts.answer)
    }

    /// The part of the content was written. Returns whether that was waited for: then more content may come.
    mutating func contentStored(now: MonotonicInstant) -> Bool {
        guard phase == .storingContent else { return false }
        phase = .receivingContent
        answerDeadline = .distantFuture
        // The pace starts over: the client is not to blame for the time that storing took.
        expectContent(now: now)
        return true
    }

    /// The content was read past or taken in: the handler's turn.
    mutating func contentEnded(now: MonotonicInstant) {
        intake = nil
        phase = .answering
        answerDeadline = now.advanced(byNanoseconds: timeouts.answer)
        readDeadline = peerEndWasSignalled ? now.advanced(byNanoseconds: timeouts.probe) : .distantFuture
    }

    /// The answer is queued for sending.
    mutating func answered(closes: Bool, now: MonotonicInstant) {
        answerDeadline = .distantFuture
        if closes || isHalfClosed { isLast = true }
        if isLast {
            finish()
        } else {
            phase = .idle
            idleSince = now
            readDeadline = now.advanced(byNanoseconds: timeouts.idle)
        }
    }

    /// The head of an answer is queued whose content comes in pieces; the next one is owed by the handler.
    mutating func streamBegan(closes: Bool) {
        if closes || isHalfClosed { isLast = true }
        phase = .streaming
        readDeadline = .distantFuture
        answerDeadline = .distantFuture
    }

    /// Whether `sentAll` may have something to do; cheaper to ask with every turn.
    var actsWhenAllIsSent: Bool { phase == .streaming || phase == .closing }

    /// All that was queued is sent.
    mutating func sentAll(now: MonotonicInstant) -> Sent {
        switch phase {
        case .streaming:
            if awaitsPiece { return .nothing }
            awaitsPiece = true
            answerDeadline = now.advanced(byNanoseconds: timeouts.answer)
            return .pullPiece
        case .closing:
            phase = .lingering
            readDeadline = now.advanced(byNanoseconds: timeouts.linger)
            writeDeadline = .distantFuture
            return .shutDown
        case .idle, .readingHead, .discardingContent, .receivingContent, .storingContent, .answering, .lingering,
            .closed:
            return .nothing
        }
    }

    /// A piece of the streamed content arrived. Returns whether it was asked for.
    mutating func pieceCame() -> Bool {
        guard phase == .streaming, awaitsPiece else { return false }
        awaitsPiece = false
        answerDeadline = .distantFuture
        return true
    }

    /// Sending was tried, and the client took `byteCount` bytes. Only these put the deadline off. A client that still
    /// takes its last answer is not idle: the limits of reading begin when all is sent.
    mutating func wrote(isDrained: Bool, byteCount: Int, now: MonotonicInstant) {
        if !isDrained {
            var pace = delivery ?? Pace(now: now)
            pace.moved(byteCount, now: now)
            delivery = pace
            writeDeadline = pace.deadline(patienceNanoseconds: timeouts.write, minimumRate: timeouts.minimumRate)
            restartReading(now: nil)
        } else if owesOutput {
            delivery = nil
            writeDeadline = .distantFuture
            restartReading(now: now)
        }
    }

    /// The client was seen to take bytes that the socket had before, `byteCount` in all since answers began to wait. Returns
    /// whether that is quick enough.
    mutating func readerMoved(byteCount: Int, now: MonotonicInstant) -> Bool {
        guard var pace = delivery else { return true }
        pace.arrived(byteCount, now: now)
        delivery = pace
        writeDeadline = pace.deadline(patienceNanoseconds: timeouts.write, minimumRate: timeouts.minimumRate)
        return writeDeadline > now
    }

    /// Nothing is read while answers wait to be sent: the limits of reading rest (nil) and then start over.
    private mutating func restartReading(now: MonotonicInstant?) {
        switch phase {
        case .idle: readDeadline = now?.advanced(byNanoseconds: timeouts.idle) ?? .distantFuture
        case .readingHead, .discardingContent:
            readDeadline = now?.advanced(byNanoseconds: timeouts.head) ?? .distantFuture
        case .receivingContent:
            readDeadline = .distantFuture
            if let now { expectContent(now: now) }
        case .storingContent, .answering, .streaming, .closing, .lingering, .closed: break
        }
    }

    /// The peer's end was signalled. A client that vanished looks the same as one that only ended its side: a moment after
    /// its request is with the handler we ask, once for each request.
    mutating func peerMayBeGone(now: MonotonicInstant) {
        guard !peerEndWasSignalled else { return }
        peerEndWasSignalled = true
        if phase == .answering { readDeadline = now.advanced(byNanoseconds: timeouts.probe) }
    }

    /// All that the peer sent is read and it sends no more. Returns whether the connection is over: nothing is owed to the
    /// peer any more.
    mutating func peerShutDown(hasOutput: Bool) -> Bool {
        isHalfClosed = true
        isLast = true
        switch phase {
        case .idle, .readingHead, .discardingContent, .receivingContent:
            guard hasOutput else { return true }
            finish()
            return false
        case .storingContent, .answering, .streaming, .closing: return false
        case .lingering, .closed: return true
        }
    }

    /// What is queued is the last thing sent.
    mutating func finish() {
        isLast = true
        phase = .closing
        readDeadline = .distantFuture
    }

    /// No further request is taken; what is under way is finished.
    mutating func drain() {
        isLast = true
    }

    /// The server takes no further requests. A client that never asked (`isNew`) or that has begun a head is about to ask: it
    /// gets a moment. Bytes that are left unread make the end a reset, which may eat answers on their way: with `hasInput`
    /// the longer goodbye is said.
    mutating func drain(isNew: Bool, hasInput: Bool, hasOutput: Bool, now: MonotonicInstant) -> Drain {
        isLast = true
        guard parsesHeads else { return .goOn }
        if !hasOutput, isNew || phase == .readingHead {
            readDeadline = min(readDeadline, now + Self.grace)
            return .goOn
        }
        if !hasOutput, !hasInput { return .close }
        finish()
        return .finish
    }

    mutating func closed() {
        phase = .closed
        readDeadline = .distantFuture
        answerDeadline = .distantFuture
        writeDeadline = .distantFuture
    }

    /// What to do at `now`. A due deadline is used up.
    mutating func expire(now: MonotonicInstant) -> Expiry {
        if writeDeadline <= now { return .readerStalled }
        if answerDeadline <= now {
            answerDeadline = .distantFuture
            // A head that has gone out cannot be taken back.
            return phase == .streaming ? .close : .answerTimedOut(closes: phase == .storingContent)
        }
        guard readDeadline <= now else { return .notYet }
        readDeadline = .distantFuture
        switch phase {
        case .readingHead, .discardingContent, .receivingContent: return .requestTimedOut
        case .answering: return .probePeer
        case .idle, .storingContent, .streaming, .closing, .lingering, .closed: return .close
        }
    }
}
