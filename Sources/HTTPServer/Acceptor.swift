import Bytes
import HTTPMessage
import Reactor

// One loop accepts for all and deals the connections out in turn: loads stay even, and the listening socket needs no
// SO_REUSEPORT, under which a second server on the same port would start without a word.

/// Accepts connections on one listening socket.
final class Acceptor: EventHandler {
    private let listener: FileDescriptor
    private unowned let server: ServerLoop
    private let mailboxes: [Mailbox<LoopMessage>]
    private var next = 0
    private var token: EventToken?
    private var retry: TimerToken?

    init(listener: consuming FileDescriptor, server: ServerLoop, mailboxes: [Mailbox<LoopMessage>]) {
        self.listener = listener
        self.server = server
        self.mailboxes = mailboxes
    }

    func open() throws(Errno) {
        token = try server.loop.add(listener.rawValue, .read, self)
    }

    /// Takes what waits already, then stops listening.
    func close() {
        acceptAll()
        if let token { server.loop.remove(token) }
        token = nil
        if let retry { server.loop.cancel(retry) }
    }

    func handle(_ readiness: Readiness, on loop: EventLoop) {
        acceptAll()
    }

    func timerFired(_ timer: TimerToken, on loop: EventLoop) {
        retry = nil
        acceptAll()
    }

    /// How many connections are accepted in one turn of the loop; the rest wait for the next.
    private static let turnLimit = 64

    private func acceptAll() {
        for _ in 0..<Self.turnLimit {
            switch listener.accept() {
            case .accepted(let socket, _): deal(socket)
            case .wouldBlock: return
            case .failed:
                // Without descriptors the waiting connections stay in the backlog; no edge will come for them, so time does.
                server.statistics.acceptFailed()
                return scheduleRetry(after: .milliseconds(100))
            }
        }
        scheduleRetry(after: .zero)
    }

    private func scheduleRetry(after pause: Duration) {
        if retry == nil { retry = server.loop.schedule(at: server.loop.now + pause, self) }
    }

    private func deal(_ socket: consuming FileDescriptor) {
        guard server.statistics.connectionOpened(limit: server.settings.connectionLimit) else {
            turnAway(socket)
            return
        }
        next = (next + 1) % (mailboxes.count + 1)
        if next == mailboxes.count {
            server.adopt(socket)
        } else {
            mailboxes[next].post(.adopt(socket.release()))
        }
    }

    /// Answers 503: one send into an empty socket buffer, then the end. What came already is taken first, as octets left
    /// behind would make the end a reset, and that may eat the answer.
    private func turnAway(_ socket: consuming FileDescriptor) {
        let response = server.handler.answer(to: .tooManyConnections)
        var octets: [UInt8] = []
        server.write(response, to: "", version: nil, isLast: true, into: &octets)
        octets.withUnsafeBytes { head in
            if let content = response.content {
                content.withUnsafeBytes { _ = socket.send(head, then: $0) }
            } else {
                _ = socket.send(head)
            }
        }
        socket.shutDownSending()
        _ = socket.receive(into: server.readBuffer)
    }
}
