import Bytes
import HTTPMessage
import Reactor

/// One client: moves bytes between its socket, the parser, the handler and the output queue, as `ConnectionState` decides.
final class Connection: EventHandler {
    let id: UInt64
    // Unchecked, as it is looked at dozens of times for each request (7 in 1,000 of a hit's time): a connection is called by
    // its loop alone, and the loop holds the server's mailbox, which holds the server.
    unowned(unsafe) let server: ServerLoop
    let peer: SocketAddress?
    let socket: FileDescriptor
    // What follows is touched on the loop's thread alone, and no method is called while one of these is being changed by
    // another: nothing that `output`, `parser`, `state` or `records` do calls back. The checks at run time were 16 in 100 of a
    // hit's instructions (`scripts/bench counts`, service/hit: 18,600 with them); debug builds of the tests keep those of
    // everything else.
    @exclusivity(unchecked) var token: EventToken?
    @exclusivity(unchecked) var state: ConnectionState
    @exclusivity(unchecked) private(set) var parser: RequestHeadParser
    @exclusivity(unchecked) var output = OutputQueue()
    /// How many bytes of answers the client had acknowledged when the socket was last full, or when it was looked at.
    @exclusivity(unchecked) var acknowledgedByteCount = 0
    /// The same when answers began to wait.
    @exclusivity(unchecked) var deliveryStart = 0
    /// Bytes that came behind a request that is still being answered.
    @exclusivity(unchecked) var held: [UInt8] = []
    /// Whether the socket may have more to read; edges are told once.
    @exclusivity(unchecked) var mayRead = false
    /// Whether the peer's end was signalled; the end itself is seen when all before it is read.
    @exclusivity(unchecked) private var sawPeerClose = false
    /// The request under way: its head, its content as far as it has come, and its name.
    @exclusivity(unchecked) var head: RequestHead?
    /// Apart from the connection, which would be a fifth larger with it: few requests have such content.
    @exclusivity(unchecked) var discard: DiscardedContent?
    @exclusivity(unchecked) var intake: ContentIntake?
    /// What the request is refused with when its content was read past.
    @exclusivity(unchecked) var refusal: RequestFailure?
    @exclusivity(unchecked) var requestID: RequestID?
    @exclusivity(unchecked) var requestArrived = MonotonicInstant.distantFuture
    /// Counts requests, so that no answer gets to a later one.
    @exclusivity(unchecked) var requestNumber: UInt64 = 0
    @exclusivity(unchecked) var requestsLeft = 0
    /// What is done where the answer does not come.
    @exclusivity(unchecked) var pending: PendingAnswer?
    @exclusivity(unchecked) var stream: StreamedAnswer?
    @exclusivity(unchecked) var records = ExchangeRecords()
    @exclusivity(unchecked) var timer: TimerToken?
    @exclusivity(unchecked) var timerInstant = MonotonicInstant.distantFuture
    @exclusivity(unchecked) private var lingeredByteCount = 0
    @exclusivity(unchecked) private var isResumePosted = false

    init(id: UInt64, socket: consuming FileDescriptor, peer: SocketAddress?, server: ServerLoop) {
        self.id = id
        self.server = server
        self.socket = socket
        self.peer = peer
        let settings = server.settings
        self.state = ConnectionState(timeouts: server.timeouts, now: server.loop.now)
        self.parser = RequestHeadParser(limits: settings.limits)
    }

    /// How many bytes may wait in the kernel beside those on their way to the client.
    private static let unsentByteCount = 128 << 10

    /// Registers with the loop. On failure the connection is simply gone.
    func open() -> Bool {
        socket.setNoDelay()
        socket.setUnsentLimit(byteCount: Self.unsentByteCount)
        if server.settings.keepAliveSeconds > 0 { socket.setKeepAlive(idleSeconds: server.settings.keepAliveSeconds) }
        do throws(Errno) {
            token = try server.loop.add(socket.rawValue, [.read, .write], self)
        } catch { return false }
        syncTimer()
        return true
    }

    /// Whether no request is under way and nothing is owed to the client.
    var isIdle: Bool { state.phase == .idle && output.isEmpty && held.isEmpty && !mayRead }

    // MARK: Events

    func handle(_ readiness: Readiness, on loop: EventLoop) {
        if readiness.contains(.failed) {
            // When both sides have ended that is a hang-up. What the client sent before its end is still to be read, or the
            // reset for it eats the answer.
            guard state.phase == .lingering else { return close() }
            (mayRead, sawPeerClose) = (true, true)
        }
        if readiness.contains(.readable) { mayRead = true }
        if readiness.contains(.peerClosed) {
            mayRead = true
            sawPeerClose = true
            state.peerMayBeGone(now: loop.now)
        }
        pump()
    }

    func timerFired(_ timer: TimerToken, on loop: EventLoop) {
        self.timer = nil
        timerInstant = .distantFuture
        switch state.expire(now: loop.now) {
        case .notYet: syncTimer()
        case .close: close()
        case .readerStalled: checkReader()
        case .requestTimedOut: fail(.timedOut)
        case .answerTimedOut:
            let late = pending
            abandon()
            let isStoring = state.phase == .storingContent
            endIntake()
            if let response = late?.whenLate?() {
                answer(response, closes: isStoring)
            } else {
                refuse(.answerTimedOut, closes: isStoring)
            }
            pump()
        case .probePeer:
            probePeer()
            pump()
        }
    }

    /// Finishes what is under way and closes. A request that is in the socket already still counts as under way, and a client
    /// that was let in a moment ago has not had the time to ask: it gets that (`grace`).
    func drain() {
        mayRead = true
        if state.parsesHeads { pump() }
        guard state.parsesHeads, token != nil else { return state.drain() }
        if output.isEmpty, requestNumber == 0 || state.phase == .readingHead {
            state.drain(askedBy: server.loop.now + Self.grace)
            return syncTimer()
        }
        state.drain()
        // Bytes that are left unread make the end a reset, and that may eat answers on their way: then the longer goodbye.
        if output.isEmpty, held.isEmpty, !mayRead { return close() }
        state.finish()
        pump()
    }

    /// How long a connection that never asked is not taken for idle: its client was let in a moment ago and is about to ask.
    /// As long, the rest of a head is expected in a moment.
    private static let grace = Duration.milliseconds(500)

    /// Whether it may be closed for the sake of a new one.
    func makesRoom(_ kind: RoomKind, now: MonotonicInstant) -> Bool {
        switch kind {
        case .idle: isIdle && (requestNumber > 0 || state.idleSince + Self.grace <= now)
        case .unfinishedHead: hasUnfinishedHead && state.idleSince + Self.grace <= now
        }
    }

    private var hasUnfinishedHead: Bool { state.phase == .readingHead && output.isEmpty && held.isEmpty }

    /// Closes a connection that makes room; whether it did. A request that is in the socket already is served, and a client that
    /// has begun to ask is told that it took too long (408).
    func closeForRoom(_ kind: RoomKind) -> Bool {
        mayRead = true
        pump()
        switch kind {
        case .idle: guard isIdle else { return token == nil }
        case .unfinishedHead:
            guard hasUnfinishedHead else { return token == nil }
            fail(.timedOut)
        }
        close()
        return true
    }

    // MARK: Moving bytes

    /// How many times one connection reads and how many requests it begins in a row: a client that never stops sending
    /// must not hold up the others.
    private static let turnLimit = (reads: 16, requests: 64)

    /// Parses, answers, sends and reads until nothing moves any more, or until it is the other connections' turn.
    func pump() {
        var readsLeft = Self.turnLimit.reads
        requestsLeft = Self.turnLimit.requests
        // An output that holds content alone has no storage either, and must not change places with the empty one.
        if output.isEmpty, !output.hasStorage { output.takeStorage(of: &server.spareOutput) }
        while token != nil {
            if canConsumeHeld, requestsLeft > 0 { consumeHeld() }
            let outcome = flush()
            if outcome == .gone { return close() }
            if state.phase == .streaming, output.isEmpty { pullPiece() }
            if state.phase == .closing, output.isEmpty { beginLingering() }
            let isPaused = outcome == .paused
            guard isPaused || canConsumeHeld || canRead else { break }
            if isPaused || requestsLeft == 0 || readsLeft == 0 {
                postResume()
                break
            }
            guard canRead else { continue }
            readsLeft -= 1
            guard receive() else { return close() }
        }
        if output.isEmpty, output.hasStorage { output.leaveStorage(to: &server.spareOutput) }
        if token != nil { syncTimer() }
    }

    /// Once at a time: else every edge that comes meanwhile would add a turn of its own for good.
    private func postResume() {
        guard !isResumePosted else { return }
        isResumePosted = true
        server.mailbox.post(.resume(connectionID: id))
    }

    /// It is this connection's turn again.
    func resume() {
        isResumePosted = false
        pump()
    }

    private var canConsumeHeld: Bool { !held.isEmpty && state.consumes && output.isEmpty }

    private var canRead: Bool { mayRead && held.isEmpty && state.reads && output.isEmpty }

    /// Reads once; false when the connection is over.
    private func receive() -> Bool {
        let buffer = server.readBuffer
        switch socket.receive(into: buffer) {
        case .bytes(let count):
            // A short read has emptied the socket; the next edge tells of more (epoll(7)). A signalled end is still to come.
            if count < buffer.count, !sawPeerClose { mayRead = false }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let consumed = consume(bytes.bytes)
            if consumed < count { held.append(contentsOf: bytes[consumed...]) }
            return true
        case .wouldBlock:
            mayRead = false
            return true
        case .closed:
            mayRead = false
            return !state.peerShutDown(hasOutput: !output.isEmpty)
        case .failed:
            return false
        }
    }

    private func consumeHeld() {
        let bytes = held
        held = []
        let consumed = consume(bytes.span.bytes)
        if consumed < bytes.count { held = Array(bytes[consumed...]) }
    }

    /// Takes bytes as far as the phase lets it; returns how many.
    private func consume(_ bytes: RawSpan) -> Int {
        var offset = 0
        while offset < bytes.byteCount {
            let rest = bytes.extracting(offset..<bytes.byteCount)
            switch state.phase {
            case .idle, .readingHead:
                // A flood of pipelined requests is answered in bounded batches.
                guard output.count < FileDescriptor.gatherLimit, requestsLeft > 0 else { return offset }
                switch parser.parse(rest) {
                case .needMore(let count):
                    offset += count
                    if parser.isInsideHead { state.headBegan(now: server.loop.now) }
                case .complete(let head, let count):
                    offset += count
                    begin(head)
                case .failed(let error):
                    requestArrived = server.loop.now
                    refuse(.refused(error), closes: true)
                    return bytes.byteCount
                }
            case .discardingContent: offset += discardContent(rest)
            case .receivingContent: offset += receiveContent(rest)
            case .lingering:
                lingeredByteCount += rest.byteCount
                if lingeredByteCount > server.settings.lingerByteCount { close() }
                return bytes.byteCount
            case .storingContent, .answering, .streaming: return offset
            case .closing, .closed: return bytes.byteCount
            }
        }
        return offset
    }
}
