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
    // another: nothing that they do calls back. The checks at run time were 16 in 100 of a hit's instructions
    // (`scripts/bench counts`, service/hit: 18,600 with them); debug builds of the tests keep those of everything else.
    @exclusivity(unchecked) var token: EventToken?
    @exclusivity(unchecked) var state: ConnectionState
    @exclusivity(unchecked) var input: ConnectionInput
    @exclusivity(unchecked) var current = CurrentRequest()
    @exclusivity(unchecked) var output = ConnectionOutput()
    @exclusivity(unchecked) var timer: TimerToken?
    @exclusivity(unchecked) var timerInstant = MonotonicInstant.distantFuture
    @exclusivity(unchecked) private var isResumePosted = false

    init(id: UInt64, socket: consuming FileDescriptor, peer: SocketAddress?, server: ServerLoop) {
        self.id = id
        self.server = server
        self.socket = socket
        self.peer = peer
        self.state = ConnectionState(timeouts: server.timeouts, now: server.loop.now)
        self.input = ConnectionInput(limits: server.settings.limits)
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
    var isIdle: Bool { state.isIdle && output.isEmpty && !input.isPending }

    // MARK: Events

    func handle(_ readiness: Readiness, on loop: EventLoop) {
        if readiness.contains(.failed) {
            // When both sides have ended that is a hang-up. What the client sent before its end is still to be read, or the
            // reset for it eats the answer.
            guard state.isLingering else { return close() }
            (input.mayRead, input.sawPeerClose) = (true, true)
        }
        if readiness.contains(.readable) { input.mayRead = true }
        if readiness.contains(.peerClosed) {
            (input.mayRead, input.sawPeerClose) = (true, true)
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
        case .answerTimedOut(let closes):
            let late = current.pending
            abandon()
            endIntake()
            if let response = late?.whenLate?() {
                answer(response, closes: closes)
            } else {
                refuse(.answerTimedOut, closes: closes)
            }
            pump()
        case .probePeer:
            probePeer()
            pump()
        }
    }

    /// Finishes what is under way and closes. A request that is in the socket already still counts as under way.
    func drain() {
        input.mayRead = true
        if state.parsesHeads { pump() }
        let isNew = current.number == 0
        switch state.drain(
            isNew: isNew, hasInput: input.isPending, hasOutput: !output.isEmpty, now: server.loop.now)
        {
        case .goOn: if token != nil { syncTimer() }
        case .close: close()
        case .finish: pump()
        }
    }

    /// Whether it may be closed for the sake of a new one.
    func makesRoom(_ kind: RoomKind, now: MonotonicInstant) -> Bool {
        switch kind {
        case .idle: isIdle && (current.number > 0 || isPastGrace(now))
        case .unfinishedHead: hasUnfinishedHead && isPastGrace(now)
        }
    }

    private func isPastGrace(_ now: MonotonicInstant) -> Bool { state.idleSince + ConnectionState.grace <= now }

    private var hasUnfinishedHead: Bool { state.isReadingHead && output.isEmpty && input.held.isEmpty }

    /// Closes a connection that makes room; whether it did. A request that is in the socket already is served, and a client that
    /// has begun to ask is told that it took too long (408).
    func closeForRoom(_ kind: RoomKind) -> Bool {
        input.mayRead = true
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
        input.requestsLeft = Self.turnLimit.requests
        // A queue that holds content alone has no storage either, and must not change places with the empty one.
        if output.isEmpty, !output.queue.hasStorage { output.queue.takeStorage(of: &server.spareOutput) }
        while token != nil {
            if canConsumeHeld, input.requestsLeft > 0 { consumeHeld() }
            let outcome = flush()
            if outcome == .gone { return close() }
            if state.actsWhenAllIsSent, output.isEmpty {
                switch state.sentAll(now: server.loop.now) {
                case .nothing: break
                case .pullPiece: pullPiece()
                case .shutDown: beginLingering()
                }
            }
            let isPaused = outcome == .paused
            guard isPaused || canConsumeHeld || canRead else { break }
            if isPaused || input.requestsLeft == 0 || readsLeft == 0 {
                postResume()
                break
            }
            guard canRead else { continue }
            readsLeft -= 1
            guard receive() else { return close() }
        }
        if output.isEmpty, output.queue.hasStorage { output.queue.leaveStorage(to: &server.spareOutput) }
        if token != nil { syncTimer() }
    }

    /// Posts one message at a time: else every edge that arrives meanwhile would add a turn of its own for good.
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

    private var canConsumeHeld: Bool { !input.held.isEmpty && state.consumes && output.isEmpty }

    private var canRead: Bool { input.mayRead && input.held.isEmpty && state.reads && output.isEmpty }

    /// Reads once; false when the connection is over.
    private func receive() -> Bool {
        let buffer = server.readBuffer
        switch socket.receive(into: buffer) {
        case .bytes(let count):
            // A short read has emptied the socket; the next edge tells of more (epoll(7)). A signalled end is still to come.
            if count < buffer.count, !input.sawPeerClose { input.mayRead = false }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let consumed = consume(bytes.bytes)
            if consumed < count { input.held.append(contentsOf: bytes[consumed...]) }
            return true
        case .wouldBlock:
            input.mayRead = false
            return true
        case .closed:
            input.mayRead = false
            return !state.peerShutDown(hasOutput: !output.isEmpty)
        case .failed:
            return false
        }
    }

    private func consumeHeld() {
        let bytes = input.held
        input.held = []
        let consumed = consume(bytes.span.bytes)
        if consumed < bytes.count { input.held = Array(bytes[consumed...]) }
    }

    /// Takes bytes as far as the state lets it; returns how many.
    private func consume(_ bytes: RawSpan) -> Int {
        var offset = 0
        while offset < bytes.byteCount {
            let rest = bytes.extracting(offset..<bytes.byteCount)
            switch state.reception {
            case .head:
                // A flood of pipelined requests is answered in bounded batches.
                guard output.queue.count < FileDescriptor.gatherLimit, input.requestsLeft > 0 else { return offset }
                switch input.parser.parse(rest) {
                case .needMore(let count):
                    offset += count
                    if input.parser.isInsideHead { state.headBegan(now: server.loop.now) }
                case .complete(let head, let count):
                    offset += count
                    begin(head)
                case .failed(let error):
                    current.arrived = server.loop.now
                    refuse(.refused(error), closes: true)
                    return bytes.byteCount
                }
            case .discardedContent: offset += discardContent(rest)
            case .content: offset += receiveContent(rest)
            case .lingering:
                input.lingeredByteCount += rest.byteCount
                if input.lingeredByteCount > server.settings.lingerByteCount { close() }
                return bytes.byteCount
            case .later: return offset
            case .dropped: return bytes.byteCount
            }
        }
        return offset
    }
}
