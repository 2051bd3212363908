import HTTPMessage
import Reactor

/// One client: moves bytes between socket, parser, handler and output queue, as `ConnectionState` decides.
final class Connection: EventHandler {
    let id: UInt64
    // Unchecked, as every request uses it dozens of times (7 in 1,000 of a hit's time): only the loop calls a
    // connection, and the loop holds the server's mailbox, which holds the server.
    unowned(unsafe) let server: ServerLoop
    let peer: SocketAddress?
    let socket: FileDescriptor
    // The loop's thread alone touches these, and nothing that changes one calls back a method of this object. The
    // checks at run time were 16 in 100 of a hit's instructions (`scripts/bench counts`, service/hit: 18,600 with
    // them); debug builds of the tests keep those of everything else.
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

    /// Bytes that may wait in the kernel, besides those on their way to the client.
    private static let unsentByteCount = 128 << 10

    /// Registers with the loop; false drops the connection.
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

    var isIdle: Bool { state.isIdle && output.isEmpty && !input.isPending }

    // MARK: Events

    func handle(_ readiness: Readiness, on loop: EventLoop) {
        if readiness.isFailed {
            // A hang-up of both sides. What the client sent before its end must still be read, or its reset eats the answer.
            guard state.isLingering else { return close() }
            (input.mayRead, input.sawPeerClose) = (true, true)
        }
        if readiness.isReadable { input.mayRead = true }
        if readiness.isPeerClosed {
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
        case .close: closeUnlessAsked()
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

    /// Finishes what is under way and closes. A request in the socket counts as under way.
    func drain(isHandover: Bool) {
        input.mayRead = true
        if state.parsesHeads { pump() }
        let isNew = current.number == 0
        let action = state.drain(
            isNew: isNew, isHandover: isHandover, hasInput: input.isPending, hasOutput: !output.isEmpty,
            now: server.loop.now)
        switch action {
        case .goOn: if token != nil { syncTimer() }
        case .close: close()
        case .finish: pump()
        }
    }

    /// A request that came in the last moment of a handover is in the socket, where closing would lose it.
    private func closeUnlessAsked() {
        if server.isDraining, state.isIdle {
            input.mayRead = true
            pump()
            guard token != nil, state.isIdle else { return }
        }
        close()
    }

    func makesRoom(_ kind: RoomKind, now: MonotonicInstant) -> Bool {
        switch kind {
        case .idle: isIdle && (current.number > 0 || isPastGrace(now))
        case .unfinishedHead: hasUnfinishedHead && isPastGrace(now)
        }
    }

    private func isPastGrace(_ now: MonotonicInstant) -> Bool { state.idleSince + ConnectionState.grace <= now }
    private var hasUnfinishedHead: Bool { state.isReadingHead && output.isEmpty && input.held.isEmpty }

    /// Whether one was closed. A request in the socket is served first; an unfinished head gets a 408.
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

    /// In a row, so that a client that never stops sending does not hold up the others.
    private static let turnLimit = (reads: 16, requests: 64)

    /// Parses, answers, sends and reads until nothing moves, or until it is the other connections' turn.
    func pump() {
        var readsLeft = Self.turnLimit.reads
        input.requestsLeft = Self.turnLimit.requests
        // A queue that holds only content has no storage either, and must not be exchanged for the empty one.
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

    /// Posts one message at a time: otherwise every edge that arrives meanwhile would add a turn for good.
    private func postResume() {
        guard !isResumePosted else { return }
        isResumePosted = true
        server.mailbox.post(.resume(connectionID: id))
    }

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
            // A short read has emptied the socket; a new edge tells of more (epoll(7)). A signalled end is still to come.
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
        case .failed: return false
        }
    }

    private func consumeHeld() {
        let bytes = input.held
        input.held = []
        let consumed = consume(bytes.span.bytes)
        if consumed < bytes.count { input.held = Array(bytes[consumed...]) }
    }

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
