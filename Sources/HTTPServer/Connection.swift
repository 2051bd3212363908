import Bytes
import HTTPMessage
import Reactor

/// One client: moves octets between its socket, the parser, the handler and the output queue, as `ConnectionState` decides.
final class Connection: EventHandler {
    let id: UInt64
    unowned let server: ServerLoop
    let peer: SocketAddress?
    let socket: FileDescriptor
    var token: EventToken?
    var state: ConnectionState
    private var parser: RequestHeadParser
    var output = OutputQueue()
    /// Octets that came behind a request that is still being answered.
    var held: [UInt8] = []
    /// Whether the socket may have more to read; edges are told once.
    var mayRead = false
    /// Whether the peer's end was signalled; the end itself is seen when all before it is read.
    private var sawPeerClose = false
    /// The request under way: its head, its content as far as it has come, and its name.
    var head: RequestHead?
    var discard = ContentDiscard()
    var intake: ContentIntake?
    /// What the request is refused with when its content was read past.
    var refusal: RequestFailure?
    var requestID: RequestID?
    var requestArrived = MonotonicInstant.distantFuture
    /// Counts requests, so that no answer gets to a later one.
    var requestNumber: UInt64 = 0
    var requestsLeft = 0
    var onAbandon: (@Sendable () -> Void)?
    var stream: StreamedAnswer?
    var records = ExchangeRecords()
    var timer: TimerToken?
    var timerInstant = MonotonicInstant.distantFuture
    private var lingeredByteCount = 0

    init(id: UInt64, socket: consuming FileDescriptor, peer: SocketAddress?, server: ServerLoop) {
        self.id = id
        self.server = server
        self.socket = socket
        self.peer = peer
        let settings = server.settings
        self.state = ConnectionState(timeouts: .init(settings), now: server.loop.now)
        self.parser = RequestHeadParser(limits: settings.limits)
    }

    /// How many octets may wait in the kernel beside those on their way to the client.
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
    var isIdle: Bool { state.phase == .idle && output.isEmpty && held.isEmpty }

    // MARK: Events

    func handle(_ readiness: Readiness, on loop: EventLoop) {
        if readiness.contains(.failed) { return close() }
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
        case .requestTimedOut: fail(.timedOut)
        case .answerTimedOut:
            abandon()
            let isStoring = state.phase == .storingContent
            refuse(.answerTimedOut, closes: isStoring)
            pump()
        case .probePeer:
            probePeer()
            pump()
        }
    }

    /// Finishes what is under way and closes. A request that is in the socket already still counts as under way.
    func drain() {
        mayRead = true
        if state.parsesHeads { pump() }
        state.drain()
        if state.parsesHeads, token != nil { output.isEmpty ? close() : state.finish() }
    }

    // MARK: Moving octets

    /// How many times one connection reads and how many requests it begins in a row: a client that never stops sending
    /// must not hold up the others.
    private static let turnLimit = (reads: 16, requests: 64)

    /// Parses, answers, sends and reads until nothing moves any more, or until it is the other connections' turn.
    func pump() {
        var readsLeft = Self.turnLimit.reads
        requestsLeft = Self.turnLimit.requests
        if !output.hasStorage { output.takeStorage(of: &server.spareOutput) }
        while token != nil {
            if canConsumeHeld, requestsLeft > 0 { consumeHeld() }
            let outcome = flush()
            if outcome == .gone { return close() }
            if state.phase == .streaming, output.isEmpty { pullPiece() }
            if state.phase == .closing, output.isEmpty { beginLingering() }
            let isPaused = outcome == .paused
            guard isPaused || canConsumeHeld || canRead else { break }
            if isPaused || requestsLeft == 0 || readsLeft == 0 {
                server.mailbox.post(.resume(connectionID: id))
                break
            }
            guard canRead else { continue }
            readsLeft -= 1
            guard receive() else { return close() }
        }
        if output.isEmpty, output.hasStorage { output.takeStorage(of: &server.spareOutput) }
        if token != nil { syncTimer() }
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

    /// Takes octets as far as the phase lets it; returns how many.
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
