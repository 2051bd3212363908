import Bytes
import HTTPMessage
import Reactor

/// One client: moves octets between its socket, the parser, the handler and the output queue, as `ConnectionState` decides.
final class Connection: EventHandler {
    let id: UInt64
    private unowned let server: ServerLoop
    private let socket: FileDescriptor
    private var token: EventToken?
    private var state: ConnectionState
    private var parser: RequestHeadParser
    private var output = OutputQueue()
    /// Octets that came behind a request that is still being answered.
    private var held: [UInt8] = []
    /// Whether the socket may have more to read; edges are told once.
    private var mayRead = false
    /// Whether the peer's end was signalled; the end itself is seen when all before it is read.
    private var sawPeerClose = false
    private var discard = ContentDiscard()
    private var head: RequestHead?
    private var requestID = ""
    /// Counts requests, so that no answer gets to a later one.
    private var requestNumber: UInt64 = 0
    private var requestsLeft = 0
    private var onAbandon: (@Sendable () -> Void)?
    private var timer: TimerToken?
    private var timerInstant = MonotonicInstant.distantFuture
    private var lingeredByteCount = 0

    init(id: UInt64, socket: consuming FileDescriptor, server: ServerLoop) {
        self.id = id
        self.server = server
        self.socket = socket
        let settings = server.settings
        self.state = ConnectionState(
            timeouts: .init(
                idle: settings.idleTimeout, head: settings.headTimeout, write: settings.writeTimeout,
                answer: settings.answerTimeout),
            now: server.loop.now)
        self.parser = RequestHeadParser(limits: settings.limits)
    }

    /// Registers with the loop. On failure the connection is simply gone.
    func open() -> Bool {
        socket.setNoDelay()
        do throws(Errno) {
            token = try server.loop.add(socket.rawValue, [.read, .write], self)
        } catch { return false }
        syncTimer()
        return true
    }

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
        case .requestTimedOut:
            answer(server.handler.answer(to: .timedOut), closes: true)
            pump()
        case .answerTimedOut:
            abandon()
            answer(server.handler.answer(to: .answerTimedOut), closes: false)
            pump()
        case .probePeer:
            probePeer()
            pump()
        }
    }

    /// The handler's answer to a request; dropped unless that one is under way.
    func deliver(_ response: Response, to requestNumber: UInt64) {
        guard state.phase == .answering, requestNumber == self.requestNumber else { return }
        onAbandon = nil
        answer(response, closes: false)
        pump()
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
        while token != nil {
            if canParseHeld, requestsLeft > 0 { parseHeld() }
            guard flush() else { return close() }
            if state.phase == .closing, output.isEmpty { beginLingering() }
            guard canParseHeld || canRead else { break }
            if requestsLeft == 0 || readsLeft == 0 {
                server.mailbox.post(.resume(connectionID: id))
                break
            }
            guard canRead else { continue }
            readsLeft -= 1
            guard receive() else { return close() }
        }
        if token != nil { syncTimer() }
    }

    private var canParseHeld: Bool { !held.isEmpty && state.parsesHeads && output.isEmpty }

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

    private func parseHeld() {
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
                    answer(server.handler.answer(to: .refused(error)), closes: true)
                    return bytes.byteCount
                }
            case .discardingContent:
                offset += discardContent(rest)
            case .lingering:
                lingeredByteCount += rest.byteCount
                if lingeredByteCount > server.settings.lingerByteCount { close() }
                return bytes.byteCount
            case .answering: return offset
            case .closing, .closed: return bytes.byteCount
            }
        }
        return offset
    }

    // MARK: Requests

    private func begin(_ head: RequestHead) {
        self.head = head
        requestsLeft -= 1
        let settings = server.settings
        discard = ContentDiscard(head.framing, limit: settings.discardByteCount, limits: settings.limits)
        // Content that a client holds back until 100, or that is too much to read past, is refused by closing.
        let isRefused = head.expectation != .none && head.framing != .none || discard.isOverLimit
        state.headEnded(
            hasContent: !discard.isComplete && !isRefused, keepsAlive: head.keepAlive && !isRefused,
            now: server.loop.now)
        if state.phase == .answering { dispatch(head) }
    }

    private func discardContent(_ bytes: RawSpan) -> Int {
        do throws(RequestError) {
            let count = try discard.consume(bytes)
            if discard.isOverLimit { state.drain() }
            if discard.isComplete || discard.isOverLimit {
                state.contentEnded(now: server.loop.now)
                if let head { dispatch(head) }
            }
            return count
        } catch {
            answer(server.handler.answer(to: .refused(error)), closes: true)
            return bytes.byteCount
        }
    }

    private func dispatch(_ head: RequestHead) {
        if head.method == .other { return answer(server.handler.answer(to: .unknownMethod), closes: false) }
        if head.expectation == .unknown {
            return answer(server.handler.answer(to: .unknownExpectation), closes: false)
        }
        requestID = server.requestID(for: head)
        requestNumber &+= 1
        let responder = Responder(connectionID: id, requestNumber: requestNumber, mailbox: server.mailbox)
        let request = Request(head: head, id: requestID, arrived: server.loop.now)
        switch server.handler.answer(request, responder) {
        case .now(let response): answer(response, closes: false)
        case .later(let onAbandon): self.onAbandon = onAbandon
        }
    }

    private func answer(_ response: Response, closes: Bool) {
        state.answered(closes: closes || response.closesConnection, now: server.loop.now)
        let isLast = state.isLast
        output.append { octets in
            server.write(response, to: requestID, version: head?.version, isLast: isLast, into: &octets)
        }
        if head?.method != .head, !response.status.forbidsContent, let content = response.content {
            output.append(content)
        }
        head = nil
        requestID = ""
    }

    // MARK: Sending and closing

    /// Sends what is queued; false when the peer is gone.
    private func flush() -> Bool {
        guard !output.isEmpty else { return true }
        let before = output.sentByteCount
        switch output.send(to: socket) {
        case .bytes, .wouldBlock:
            state.wrote(
                isDrained: output.isEmpty, madeProgress: output.sentByteCount != before, now: server.loop.now)
            return true
        case .closed, .failed: return false
        }
    }

    /// A client that closed its socket and one that only ended its side look the same until something is sent. An interim
    /// answer is harmless to the latter and draws a reset from the former (RFC 9110 §15.2); HTTP/1.0 knows none.
    private func probePeer() {
        guard let head, head.version == .http11, output.isEmpty else { return }
        output.append { $0.append(contentsOf: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    }

    private func beginLingering() {
        socket.shutDownSending()
        state.beganLingering(now: server.loop.now)
        held = []
        mayRead = true
    }

    /// Ends the connection at once. The descriptor closes when the last reference to this object goes.
    func close() {
        guard let token else { return }
        self.token = nil
        state.closed()
        output.removeAll()
        server.loop.remove(token)
        if let timer { server.loop.cancel(timer) }
        timer = nil
        abandon()
        server.connectionClosed(id)
    }

    /// Tells the handler that nobody waits for its answer any more.
    private func abandon() {
        guard let onAbandon else { return }
        self.onAbandon = nil
        onAbandon()
    }

    /// Keeps one timer that is due no later than the state's deadline; a deadline that moves away costs nothing.
    private func syncTimer() {
        let deadline = state.deadline
        guard deadline < timerInstant else { return }
        if let timer {
            server.loop.reschedule(timer, at: deadline)
        } else {
            timer = server.loop.schedule(at: deadline, self)
        }
        timerInstant = deadline
    }
}
