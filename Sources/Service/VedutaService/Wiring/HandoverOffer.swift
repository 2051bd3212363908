import Logging
import Reactor
import Synchronization

/// The running server's side: passes its sockets to one new server at a time, and waits until that serves. The next one
/// waits in the queue of the socket meanwhile, and finds whoever serves then.
final class HandoverOffer: Sendable {
    private let thread: LoopThread<Void>
    private let sockets: ListeningSockets
    private let state: State

    /// What the thread tells.
    fileprivate final class State: Sendable {
        let isTaken = Atomic<Bool>(false)
    }

    private init(_ thread: LoopThread<Void>, _ sockets: ListeningSockets, _ state: State) {
        self.thread = thread
        self.sockets = sockets
        self.state = state
    }

    /// - Parameters:
    ///   - sockets: the first is where new servers connect.
    ///   - whenTaken: called once, on the thread of the offer, when a new server serves.
    static func start(
        _ sockets: ListeningSockets, log: Logger, whenTaken: @escaping @Sendable () -> Void
    ) throws(Errno) -> HandoverOffer {
        let state = State()
        let thread = try LoopThread<Void>.start(name: "handover") { loop throws(Errno) in
            let dialogue = try HandoverDialogue(sockets, state, log: log, whenTaken: whenTaken)
            try dialogue.open(on: loop)
        }
        return HandoverOffer(thread, sockets, state)
    }

    /// Whether a new server serves.
    var isTaken: Bool { state.isTaken.load(ordering: .acquiring) }

    /// Ends the offer and closes its sockets: one that stays open would let clients wait in a queue that nobody empties.
    func withdraw() {
        thread.stop()
        thread.join()
        sockets.closeAll()
    }
}

/// Confined to the thread of the offer, whose loop keeps it.
private final class HandoverDialogue: EventHandler {
    private let sockets: ListeningSockets
    /// A descriptor of its own for the first of them.
    private let listener: FileDescriptor
    private let state: HandoverOffer.State
    private let log: Logger
    private let whenTaken: @Sendable () -> Void
    private var successor: Successor?

    private final class Successor {
        let socket: FileDescriptor
        var token: EventToken?

        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    init(
        _ sockets: ListeningSockets, _ state: HandoverOffer.State, log: Logger,
        whenTaken: @escaping @Sendable () -> Void
    ) throws(Errno) {
        guard let first = sockets.rawValues.first else { throw .invalidArgument }
        listener = try FileDescriptor.duplicate(first)
        self.sockets = sockets
        self.state = state
        self.log = log
        self.whenTaken = whenTaken
    }

    func open(on loop: EventLoop) throws(Errno) { _ = try loop.add(listener.rawValue, .read, self) }

    /// For the listening socket and for the new server alike.
    func handle(_ readiness: Readiness, on loop: EventLoop) {
        hear(on: loop)
        while successor == nil, !state.isTaken.load(ordering: .relaxed) {
            guard greetNext(on: loop) else { return }
        }
    }

    func timerFired(_ timer: TimerToken, on loop: EventLoop) { handle([], on: loop) }

    /// False when nobody waits.
    private func greetNext(on loop: EventLoop) -> Bool {
        let socket: FileDescriptor
        switch listener.accept() {
        case .accepted(let accepted, _): socket = accepted
        case .failed(let error):
            if error.isDescriptorShortage { _ = loop.schedule(at: loop.now + .milliseconds(100), self) }
            return false
        case .wouldBlock: return false
        }
        do throws(Errno) {
            guard try socket.isPeerSameUser() else {
                log.warning("a process of another user asked for the listening sockets and was refused")
                return true
            }
            try socket.pass(sockets, saying: Array(HandoverWords.greeting.utf8))
            let next = Successor(socket)
            next.token = try loop.add(next.socket.rawValue, .read, self)
            successor = next
            log.info("a new server starts and will take over")
        } catch {
            log.warning("could not pass the listening sockets to a new server: \(error)")
        }
        return true
    }

    private func hear(on loop: EventLoop) {
        guard let successor else { return }
        var bytes = [UInt8](repeating: 0, count: 16)
        let result = bytes.withUnsafeMutableBytes { successor.socket.receive(into: $0) }
        if result == .wouldBlock { return }
        if let token = successor.token { loop.remove(token) }
        self.successor = nil
        guard case .bytes(let count) = result, bytes.prefix(count).elementsEqual(HandoverWords.ready.utf8) else {
            return log.warning("the new server ended before it could take over, so this one goes on")
        }
        state.isTaken.store(true, ordering: .releasing)
        log.info("a new server has taken over")
        whenTaken()
    }
}
