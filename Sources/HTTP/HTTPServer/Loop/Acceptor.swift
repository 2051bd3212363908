import Bytes
import Reactor

// One loop accepts for all and deals the connections out in turn: loads stay even, and without SO_REUSEPORT a second
// server on the same port cannot start unnoticed.
//
// Without room, the oldest idle connections are asked to close and the new one waits a moment for a place; then the
// oldest with unfinished heads are asked. A connection that gets no place is told so (503). When not even a descriptor
// is available, a reserve is given up to accept, answer and close, and taken again. Time, not an edge, brings the
// acceptor back: it never spins.

/// Accepts connections on one listening socket.
final class Acceptor: EventHandler {
    private let listener: FileDescriptor
    /// Whether another process takes the backlog when this acceptor closes.
    private let leavesBacklog: Bool
    private unowned let server: ServerLoop
    private let mailboxes: [Mailbox<LoopMessage>]
    private var next = 0
    private var token: EventToken?
    private var retry: TimerToken?
    private var waiting: WaitingConnection?
    /// The end of waiting for a place, if there is none at present.
    private var waitingEnds: MonotonicInstant?
    /// Whether unfinished heads were asked to make room in that time.
    private var hasAskedHeads = false
    private var reserve: FileDescriptor?
    /// How often in a row no descriptor was available.
    private var shortageCount = 0

    private static let turnLimit = 64
    /// Connections accepted when the server stops (`listen(2)`'s backlog).
    private static let backlogLimit = 4096
    /// How long the first connection waits for a place; after a wait in vain, all are turned away at once for as long.
    private static let patience = Duration.milliseconds(250)
    private static let pause = Duration.milliseconds(5)

    init(
        listener: consuming FileDescriptor, leavesBacklog: Bool, server: ServerLoop, mailboxes: [Mailbox<LoopMessage>]
    ) {
        self.listener = listener
        self.leavesBacklog = leavesBacklog
        self.server = server
        self.mailboxes = mailboxes
        takeReserve()
    }

    func open() throws(Errno) { token = try server.loop.add(listener.rawValue, .read, self) }

    /// First takes what waits, unless that is left to another process: nobody else would answer it.
    func close(leavingBacklog: Bool) {
        if !leavesBacklog, !leavingBacklog { acceptAll(limit: Self.backlogLimit) }
        if let waiting { turnAway(waiting, .tooManyConnections) }
        waiting = nil
        if let token { server.loop.remove(token) }
        token = nil
        if let retry { server.loop.cancel(retry) }
        retry = nil
    }

    func handle(_ readiness: Readiness, on loop: EventLoop) { acceptAll() }

    func timerFired(_ timer: TimerToken, on loop: EventLoop) {
        retry = nil
        acceptAll()
    }

    private func acceptAll(limit: Int = turnLimit) {
        guard placeWaiting() else { return scheduleRetry(after: Self.pause) }
        var hasMadeRoom = false
        for _ in 0..<limit {
            switch listener.accept() {
            case .accepted(let socket, let peer):
                shortageCount = 0
                hasMadeRoom = false
                server.statistics.connectionAccepted()
                guard place(WaitingConnection(socket: socket, peer: peer)) else {
                    return scheduleRetry(after: Self.pause)
                }
            case .wouldBlock: return
            case .failed:
                // Descriptors that this loop has closed are free at once.
                guard !hasMadeRoom, makeRoom(.idle) > 0 else { return descriptorsAreShort() }
                hasMadeRoom = true
            }
        }
        scheduleRetry(after: .zero)
    }

    private func scheduleRetry(after pause: Duration) {
        if retry == nil { retry = server.loop.schedule(at: server.loop.now + pause, self) }
    }

    // MARK: Places

    /// Whether the next connection can be accepted: the waiting one has its place or its answer.
    private func placeWaiting() -> Bool {
        guard let waiting else { return true }
        self.waiting = nil
        return place(waiting)
    }

    private func place(_ connection: WaitingConnection) -> Bool {
        switch server.statistics.admit(connection.peer, server.settings) {
        case .admitted:
            waitingEnds = nil
            deal(connection)
        case .addressFull: turnAway(connection, .tooManyConnectionsFromAddress)
        case .full: return waitOrTurnAway(connection)
        }
        return true
    }

    private func waitOrTurnAway(_ connection: WaitingConnection) -> Bool {
        let now = server.loop.now
        // After a wait in vain and as long a time of turning away, connections may have become idle.
        if let ends = waitingEnds, now >= ends + Self.patience { waitingEnds = nil }
        let ends = waitingEnds ?? now + Self.patience
        // Places that this loop has freed are free at once.
        if waitingEnds == nil {
            waitingEnds = ends
            hasAskedHeads = false
            if makeRoom(.idle) > 0 { return place(connection) }
        } else if now < ends, !hasAskedHeads {
            // The loops have had a moment to close idle connections, in vain.
            hasAskedHeads = true
            if makeRoom(.unfinishedHead) > 0 { return place(connection) }
        }
        guard now < ends, !server.isDraining else {
            turnAway(connection, .tooManyConnections)
            return true
        }
        waiting = connection
        return false
    }

    private func deal(_ connection: WaitingConnection) {
        guard let socket = connection.takeSocket() else { return }
        next = (next + 1) % (mailboxes.count + 1)
        if next == mailboxes.count {
            server.adopt(socket, peer: connection.peer)
        } else {
            mailboxes[next].post(.adopt(Handover(socket), peer: connection.peer))
        }
    }

    /// Only a share of all: finding the oldest takes time, and the newest may be about to ask. Returns this loop's count.
    @discardableResult private func makeRoom(_ kind: RoomKind) -> Int {
        let share = max(1, server.statistics.openConnectionCount / 64 / (mailboxes.count + 1))
        for mailbox in mailboxes { mailbox.post(.makeRoom(count: share, kind)) }
        return server.makeRoom(count: share, kind)
    }

    /// Answers with one send, then closes. Input is taken first, as the reset for unread bytes may eat the answer.
    private func turnAway(_ connection: WaitingConnection, _ failure: RequestFailure) {
        guard let socket = connection.takeSocket() else { return }
        server.statistics.connectionTurnedAway()
        let id = server.requestID(for: nil)
        let response = server.handler.answer(to: failure, of: RefusedRequest(id: id, head: nil))
        var bytes: [UInt8] = []
        let framing = response.content.map { ResponseFraming($0, version: nil) } ?? .length(0)
        server.write(response, to: id, version: nil, framing: framing, isLast: true, into: &bytes)
        bytes.withUnsafeBytes { head in
            if case .bytes(let content)? = response.content {
                content.withUnsafeBytes { _ = socket.send(head, then: $0) }
            } else {
                _ = socket.send(head)
            }
        }
        socket.shutDownSending()
        _ = socket.receive(into: server.readBuffer)
    }

    // MARK: Descriptors

    /// No edge comes for connections in the backlog. Idle ones make room first, then unfinished heads, then the reserve.
    private func descriptorsAreShort() {
        shortageCount += 1
        makeRoom(.idle)
        if shortageCount > 1 { makeRoom(.unfinishedHead) }
        takeReserve()
        if shortageCount > 4 { turnAwayOnReserve() }
        scheduleRetry(after: min(.milliseconds(100), Self.pause * min(shortageCount, 20)))
    }

    /// Turns away waiting clients one after the other, each on the descriptor that giving up the reserve frees.
    private func turnAwayOnReserve() {
        for _ in 0..<Self.turnLimit {
            guard reserve.take() != nil else { return }
            guard case .accepted(let socket, let peer) = listener.accept() else { return takeReserve() }
            turnAway(WaitingConnection(socket: socket, peer: peer), .tooManyConnections)
            takeReserve()
        }
    }

    private func takeReserve() {
        guard reserve == nil else { return }
        // If there is none now, the next shortage tries again.
        reserve = try? FileDescriptor.makeReserve()
    }
}

private final class WaitingConnection {
    private var socket: FileDescriptor?
    let peer: SocketAddress?

    init(socket: consuming FileDescriptor, peer: SocketAddress?) {
        self.socket = consume socket
        self.peer = peer
    }

    func takeSocket() -> FileDescriptor? { socket.take() }
}
