import Logging
import Reactor
import ServiceConfiguration

// Taking over from a running server, and being taken over from (HandoverClaim.swift).
extension Service {
    /// Nil when there is no `--handover`, or no server to take over from.
    static func claim(_ configuration: Configuration, _ address: ListenAddress) throws(ServiceError) -> HandoverClaim? {
        guard let path = configuration.handover else { return nil }
        guard address != .passedSocket else {
            throw .handover(
                path: path, cause: "with --listen systemd the service manager holds the socket, so there is no need")
        }
        return try HandoverClaim.open(path)
    }

    /// What the next server will get: the socket of `--handover`, then that of the service.
    static func offeredSockets(
        _ configuration: Configuration, _ claim: HandoverClaim?, _ listener: borrowing FileDescriptor
    ) throws(ServiceError) -> ListeningSockets? {
        guard let path = configuration.handover else { return nil }
        do throws(Errno) {
            let sockets = try handoverSocket(path, claim)
            try sockets.append(duplicateOf: listener)
            return sockets
        } catch {
            throw .handover(path: path, cause: "\(error)")
        }
    }

    private static func handoverSocket(_ path: String, _ claim: HandoverClaim?) throws(Errno) -> ListeningSockets {
        if let claim {
            if let passed = claim.sockets.takeFirst() { return ListeningSockets(passed) }
        }
        let address = try HandoverWords.address(path)
        return ListeningSockets(try Listener.bind(address, backlog: 8, isPrivate: true))
    }

    /// Nil when nothing is offered, or when no thread can be started, which must not end a server that serves already.
    static func startOffer(
        _ sockets: ListeningSockets?, _ log: Logger, whenTaken: @escaping @Sendable () -> Void
    ) -> HandoverOffer? {
        guard let sockets else { return nil }
        do throws(Errno) {
            return try HandoverOffer.start(sockets, log: log, whenTaken: whenTaken)
        } catch {
            log.error("no new server can take over from this one: \(error)")
            return nil
        }
    }
}
