import Bytes
import HTTPMessage
import Reactor

// One loop accepts for all and deals the connections out in turn: loads stay even, and the listening socket needs no
// SO_REUSEPORT, under which a second server on the same port would start without a word.
//
// When there is no room, the oldest idle connections are asked to close and the new one waits a moment for the place of one
// of them. If there is none, the oldest of those that have not finished a head are asked next; a connection that gets no place
// is told so (503). When not even a descriptor is available, one that is kept in reserve is
// given up to accept, answer and close, and taken again. Time, not an edge, brings the acceptor back: it never spins.

/// Accepts connections on one listening socket.
final class Acceptor: EventHandler {
    private let listener: FileDescriptor
    /// Whether somebody else takes what waits when this acceptor closes.
    private let leavesBacklog: Bool
    private unowned let server: ServerLoop
    private let mailboxes: [Mailbox<LoopMessage>]
    private var next = 0
    private var token: EventToken?
    private var retry: TimerToken?
    private var waiting: WaitingConnection?
    /// Until when connections wait, if there is no place at present.
    private var waitingEnds: MonotonicInstant?
    /// Whether unfinished heads have been asked for that place.
    private var hasAskedHeads = false
    private var reserve: FileDescriptor?
    /// How many times in a row no descriptor was available.
    private var shortageCount = 0

    /// How many connections are accepted in one turn of the loop; the rest wait for the next.
    private static let turnLimit = 64
    /// How many connections can wait to be accepted when the server is told to stop (`listen(2)`'s backlog).
    private static let backlogLimit = 4096
    /// How long connections wait for a place: the first, and those behind it no longer. Once that was in vain, all are
    /// turned away at once for as long.
    private static let patience = Duration.milliseconds(250)
    /// How long until it is seen whether there is one now.
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

    func open() throws(Errno) {
        token = try server.loop.add(listener.rawValue, .read, self)
    }

    /// Stops listening. What waits already is taken first, unless it is left to another process: a connection that is in
    /// nobody's backlog any more is answered here or not at all.
    func close() {
        if !leavesBacklog { acceptAll(limit: Self.backlogLimit) }
        if let waiting { turnAway(waiting, .tooManyConnections) }
        waiting = nil
        if let token { server.loop.remove(token) }
        token = nil
        if let retry { server.loop.cancel(retry) }
        retry = nil
    }

    func handle(_ readiness: Readiness, on loop: EventLoop) {
        acceptAll()
    }

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
                server.statistics.acceptFailed()
                // What this loop has closed is free at once.
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

    /// Whether the next connection may be looked at: the one that waited has its place, or its answer.
    private func placeWaiting() -> Bool {
        guard let waiting else { return true }
        self.waiting = nil
        return place(waiting)
    }

    /// Deals `connection` out, or turns it away; false when it waits for a place.
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
        // Waited for in vain, and turned away as long: connections may have become idle since.
        if let ends = waitingEnds, now >= ends + Self.patience { waitingEnds = nil }
        let ends = waitingEnds ?? now + Self.patience
        // What this loop has closed is free at once.
        if waitingEnds == nil {
            waitingEnds = ends
            hasAskedHeads = false
            if makeRoom(.idle) > 0 { return place(connection) }
        } else if now < ends, !hasAskedHeads {
            // The loops have had a moment to close idle connections, and there was none.
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

    /// Asks every loop to close the oldest connections of one kind: a share of all, as looking for them takes time in
    /// proportion to all, and no more, as the newest may be about to ask. Returns how many this loop has closed.
    @discardableResult
    private func makeRoom(_ kind: RoomKind) -> Int {
        let share = max(1, server.statistics.openConnectionCount / 64 / (mailboxes.count + 1))
        for mailbox in mailboxes { mailbox.post(.makeRoom(count: share, kind)) }
        return server.makeRoom(count: share, kind)
    }

    /// Answers and closes: one send into an empty socket buffer, then the end. What came already is taken first, as bytes
    /// left behind would make the end a reset, and that may eat the answer.
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

    /// The waiting connections stay in the backlog, and no edge will come for them. Idle connections make room at first, then
    /// unfinished heads; if there are none the reserve serves to turn clients away.
    private func descriptorsAreShort() {
        shortageCount += 1
        makeRoom(.idle)
        if shortageCount > 1 { makeRoom(.unfinishedHead) }
        takeReserve()
        if shortageCount > 4 { turnAwayOnReserve() }
        scheduleRetry(after: min(.milliseconds(100), Self.pause * min(shortageCount, 20)))
    }

    /// Turns away all who wait, one after the other, each on the descriptor that is free while there is no reserve.
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
        do throws(Errno) {
            reserve = try FileDescriptor.makeReserve()
        } catch {
            // There is none now; the next shortage tries again.
        }
    }
}

/// A connection that was accepted and has no place yet.
private final class WaitingConnection {
    private var socket: FileDescriptor?
    let peer: SocketAddress?

    init(socket: consuming FileDescriptor, peer: SocketAddress?) {
        self.socket = consume socket
        self.peer = peer
    }

    func takeSocket() -> FileDescriptor? { socket.take() }
}
