import Reactor

// The protocol of one connection as a value: events in, actions out, time passed in. It owns no descriptor and calls
// nobody, so tests need no socket. `Connection` does what the actions say and never looks at the phase.

struct ConnectionState {
    enum Phase: Equatable {
        /// No byte of the next head has arrived.
        case idle
        case readingHead
        case discardingContent
        case receivingContent
        /// A part of the content is being written to a file; nothing is read meanwhile.
        case storingContent
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

    enum Expiry: Equatable {
        case notYet
        /// Answer 408, then close (RFC 9110 §15.5.9).
        case requestTimedOut
        /// Answer in place of the handler, which is too slow; do not read the rest of the request's content.
        case answerTimedOut(closes: Bool)
        /// Find out whether the peer that shut down its side still listens.
        case probePeer
        /// Find out whether the client takes any of its answer; close if not.
        case readerStalled
        case close
    }

    /// What to do when all queued output is sent.
    enum Sent {
        case nothing
        /// Ask for the next piece of the streamed content.
        case pullPiece
        case shutDown
    }

    /// What to do when the server takes no further requests.
    enum Drain {
        /// Finish what is under way, or wait a moment for the request that is about to come.
        case goOn
        case close
        /// Send what is queued, then shut down.
        case finish
    }

    /// In nanoseconds, as every request adds them to the time; shared by all connections accepted under the same settings.
    final class Timeouts: Sendable {
        let idle: Int64
        let head: Int64
        let write: Int64
        let answer: Int64
        let content: Int64
        /// Bytes a second below which an answer or content is too slow, besides `write` and `content`.
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
    /// The streamed answer under way is the last one only because of a handover, which its head could not say.
    private var leavesClientUntold = false
    private(set) var idleSince: MonotonicInstant
    private var peerEndWasSignalled = false
    private let timeouts: Timeouts
    private var readDeadline: MonotonicInstant
    private var intake: Pace?
    private var delivery: Pace?
    /// When the turn of this connection ended, until the next one.
    private var turnEnd: MonotonicInstant?
    private var writeDeadline = MonotonicInstant.distantFuture
    private var answerDeadline = MonotonicInstant.distantFuture
    private var awaitsPiece = false

    /// A client that was just let in, or has begun a head, is about to ask: it counts as idle only after this long.
    static let grace = Duration.milliseconds(500)
    /// Once another process accepts in place of this one, clients may ask for so long before they are disconnected.
    static let handoverGrace = Duration.seconds(2)

    /// The first head must come within the head timeout.
    init(timeouts: Timeouts, now: MonotonicInstant) {
        self.timeouts = timeouts
        self.readDeadline = now.advanced(byNanoseconds: timeouts.head)
        self.idleSince = now
    }

    /// When `expire` next has something to do. Inlined: a call copies the state.
    @inline(__always)
    var deadline: MonotonicInstant { min(readDeadline, writeDeadline, answerDeadline) }

    /// Whether output waits for the client to take it.
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

    /// Whether to read from the client; otherwise its bytes wait in the socket (backpressure).
    var reads: Bool { consumes || phase == .lingering }

    mutating func headBegan(now: MonotonicInstant) {
        guard phase == .idle else { return }
        phase = .readingHead
        idleSince = now
        // A draining server keeps its deadline; whoever asks as that ends gets a moment.
        if !isLast {
            readDeadline = now.advanced(byNanoseconds: timeouts.head)
        } else if readDeadline == .distantFuture {
            readDeadline = now + Self.grace
        }
    }

    /// A head is complete. Its content is read past next if `hasContent`; otherwise it is the handler's turn.
    mutating func headEnded(hasContent: Bool, keepsAlive: Bool, now: MonotonicInstant) {
        if !keepsAlive { isLast = true }
        if hasContent {
            phase = .discardingContent
            readDeadline = now.advanced(byNanoseconds: timeouts.head)
        } else {
            contentEnded(now: now)
        }
    }

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

    /// Content is being written, at the server's expense.
    mutating func contentPaused(now: MonotonicInstant) {
        phase = .storingContent
        readDeadline = .distantFuture
        answerDeadline = now.advanced(byNanoseconds: timeouts.answer)
    }

    /// Part of the content was written; returns whether that was waited for: then more content may come.
    mutating func contentStored(now: MonotonicInstant) -> Bool {
        guard phase == .storingContent else { return false }
        phase = .receivingContent
        answerDeadline = .distantFuture
        // The pace starts over: the client is not to blame for the time that storing took.
        expectContent(now: now)
        return true
    }

    /// All content was read past or taken in: the handler's turn.
    mutating func contentEnded(now: MonotonicInstant) {
        intake = nil
        phase = .answering
        answerDeadline = now.advanced(byNanoseconds: timeouts.answer)
        readDeadline = peerEndWasSignalled ? now.advanced(byNanoseconds: timeouts.probe) : .distantFuture
    }

    mutating func answered(closes: Bool, now: MonotonicInstant) {
        answerDeadline = .distantFuture
        if closes || isHalfClosed { isLast = true }
        if isLast, !leavesClientUntold || isHalfClosed {
            finish()
        } else {
            phase = .idle
            idleSince = now
            readDeadline = isLast ? now + Self.handoverGrace : now.advanced(byNanoseconds: timeouts.idle)
        }
        leavesClientUntold = false
    }

    /// The head of a streamed answer is queued; the handler owes its pieces.
    mutating func streamBegan(closes: Bool) {
        if closes || isHalfClosed { isLast = true }
        phase = .streaming
        readDeadline = .distantFuture
        answerDeadline = .distantFuture
    }

    /// Whether `sentAll` may have something to do; cheap enough to ask with every turn.
    var actsWhenAllIsSent: Bool { phase == .streaming || phase == .closing }

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

    /// A piece of the streamed content arrived; returns whether it was asked for.
    mutating func pieceCame() -> Bool {
        guard phase == .streaming, awaitsPiece else { return false }
        awaitsPiece = false
        answerDeadline = .distantFuture
        return true
    }

    /// Only bytes taken extend the deadline. While a client takes its last answer the limits of reading have not begun.
    mutating func wrote(isDrained: Bool, byteCount: Int, now: MonotonicInstant, minimumRate: Int? = nil) {
        if !isDrained {
            var pace = delivery ?? Pace(now: now)
            if let turnEnd { pace.skip(now - turnEnd) }
            turnEnd = nil
            pace.moved(byteCount, now: now)
            delivery = pace
            writeDeadline = pace.deadline(
                patienceNanoseconds: timeouts.write, minimumRate: minimumRate ?? timeouts.minimumRate)
            restartReading(now: nil)
        } else if owesOutput {
            delivery = nil
            turnEnd = nil
            writeDeadline = .distantFuture
            restartReading(now: now)
        }
    }

    /// It is the other connections' turn, although this client takes more: the time until the next one is not its fault.
    mutating func turnEnded(now: MonotonicInstant) { turnEnd = now }

    /// The client acknowledged `byteCount` bytes since answers began to wait; returns whether that is quick enough.
    mutating func readerMoved(byteCount: Int, now: MonotonicInstant, minimumRate: Int? = nil) -> Bool {
        guard var pace = delivery else { return true }
        pace.arrived(byteCount, now: now)
        delivery = pace
        writeDeadline = pace.deadline(
            patienceNanoseconds: timeouts.write, minimumRate: minimumRate ?? timeouts.minimumRate)
        return writeDeadline > now
    }

    /// Nothing is read while answers wait to be sent: the limits of reading pause (nil) and then start over.
    private mutating func restartReading(now: MonotonicInstant?) {
        switch phase {
        // It is the last while idle only in a handover.
        case .idle where isLast: readDeadline = now.map { $0 + Self.handoverGrace } ?? .distantFuture
        case .idle: readDeadline = now?.advanced(byNanoseconds: timeouts.idle) ?? .distantFuture
        case .readingHead, .discardingContent:
            readDeadline = now?.advanced(byNanoseconds: timeouts.head) ?? .distantFuture
        case .receivingContent:
            readDeadline = .distantFuture
            if let now { expectContent(now: now) }
        case .storingContent, .answering, .streaming, .closing, .lingering, .closed: break
        }
    }

    /// The peer's end was signalled: a moment after its request reached the handler we probe, once for each request.
    mutating func peerMayBeGone(now: MonotonicInstant) {
        guard !peerEndWasSignalled else { return }
        peerEndWasSignalled = true
        if phase == .answering { readDeadline = now.advanced(byNanoseconds: timeouts.probe) }
    }

    /// All input is read and no more comes; returns whether the connection is over, as nothing is owed to the peer.
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

    mutating func finish() {
        isLast = true
        phase = .closing
        readDeadline = .distantFuture
    }

    /// Takes no further request; finishes what is under way.
    mutating func drain() { isLast = true }

    /// Clients about to ask get a moment. Unread bytes are read past before closing, as a reset might eat answers.
    mutating func drain(
        isNew: Bool, isHandover: Bool = false, hasInput: Bool, hasOutput: Bool, now: MonotonicInstant
    ) -> Drain {
        if isHandover, phase == .streaming, !isLast { leavesClientUntold = true }
        isLast = true
        guard parsesHeads else { return .goOn }
        if isHandover {
            // Output that waits starts the limits of reading when it is sent.
            if !hasOutput { readDeadline = min(readDeadline, now + Self.handoverGrace) }
            return .goOn
        }
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

    mutating func expire(now: MonotonicInstant) -> Expiry {
        if writeDeadline <= now { return .readerStalled }
        if answerDeadline <= now {
            answerDeadline = .distantFuture
            // A head that is sent cannot be taken back.
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
