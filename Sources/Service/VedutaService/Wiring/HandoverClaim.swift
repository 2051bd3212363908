import Glibc
import Reactor

// How a server with --handover takes over from the one that runs. The new one connects to the socket at PATH and gets the
// listening sockets, that at PATH among them. When it serves, it says so; until then, and if it never does, the old one serves.
// Both then accept from the same queues, so no client is in the queue of a socket that closes (docs/decisions/0064).

enum HandoverWords {
    static let greeting = "veduta handover 1\n"
    static let ready = "ready\n"

    /// - Throws: `EINVAL` where the path cannot be that of a socket.
    static func address(_ path: String) throws(Errno) -> SocketAddress {
        guard let address = SocketAddress("unix:" + path) else { throw .invalidArgument }
        return address
    }
}

/// A new server's side of the conversation.
final class HandoverClaim: Sendable {
    let path: String
    /// The first is that at `path`.
    let sockets: ListeningSockets
    private let connection: FileDescriptor

    private init(path: String, sockets: ListeningSockets, connection: consuming FileDescriptor) {
        self.path = path
        self.sockets = sockets
        self.connection = connection
    }

    /// Nil when no server is there to take over from. One that is in the middle of another handover does not answer: it is
    /// waited for until `isEnding`, at most half a minute.
    static func open(_ path: String, isEnding: () -> Bool) throws(ServiceError) -> HandoverClaim? {
        let deadline = Clock.system.monotonic() + patience
        // Between two steps of a wait.
        func check(_ error: Errno) throws(Errno) {
            if error == Errno(code: EAGAIN), isEnding() { throw Errno(code: ECANCELED) }
            guard error == Errno(code: EAGAIN), Clock.system.monotonic() < deadline else { throw error }
        }
        let connection: FileDescriptor
        do throws(Errno) {
            connection = try Self.connection(to: HandoverWords.address(path), check)
        } catch {
            if error == .noSuchEntry || error == .connectionRefused { return nil }
            throw error == Errno(code: ECANCELED) ? .ended : .handover(path: path, cause: "\(error)")
        }
        let message: PassedMessage?
        do throws(Errno) {
            message = try connection.isPeerSameUser() ? try Self.message(from: connection, check) : nil
        } catch {
            // It ended before it came to this one.
            if error == Errno(code: ECONNRESET) { return nil }
            if error == Errno(code: ECANCELED) { throw .ended }
            throw .handover(
                path: path,
                cause: "the server there did not pass its sockets, perhaps because another one is taking over: \(error)"
            )
        }
        guard let message else { throw .handover(path: path, cause: "the process there belongs to another user") }
        // It ends just now.
        if message.text.isEmpty { return nil }
        guard String(decoding: message.text, as: UTF8.self) == HandoverWords.greeting else {
            throw .handover(path: path, cause: "the process there is no server that this version can take over from")
        }
        return HandoverClaim(path: path, sockets: message.sockets, connection: connection)
    }

    private static let patience = Duration.seconds(30)
    private static let step = Duration.milliseconds(100)

    /// `check` throws what ends the wait.
    private static func connection(
        to address: SocketAddress, _ check: (Errno) throws(Errno) -> Void
    ) throws(Errno) -> FileDescriptor {
        while true {
            do throws(Errno) {
                return try StreamSocket.connect(to: address, patience: step)
            } catch {
                try check(error)
            }
        }
    }

    private static func message(
        from connection: borrowing FileDescriptor, _ check: (Errno) throws(Errno) -> Void
    ) throws(Errno) -> PassedMessage {
        while true {
            do throws(Errno) {
                return try connection.receivePassed()
            } catch {
                try check(error)
            }
        }
    }

    /// The running server drains now. If it has ended meanwhile, nobody needs to know.
    func sayReady() { Array(HandoverWords.ready.utf8).withUnsafeBytes { _ = connection.send($0) } }
}
