import Reactor

/// Where the service listens, as `--listen` says.
enum ListenAddress: Equatable {
    case address(SocketAddress)
    /// A socket that the service manager passed.
    case passedSocket

    static let passedSocketWord = "systemd"

    init(_ text: String) throws(ServiceError) {
        if text == Self.passedSocketWord {
            self = .passedSocket
        } else if let address = SocketAddress(text) {
            self = .address(address)
        } else {
            throw .listen(text, cause: "not an address")
        }
    }

    /// A new socket, or that of the server to take over from.
    func open(takingOver claim: HandoverClaim?) throws(ServiceError) -> FileDescriptor {
        switch self {
        case .address(let address):
            if let claim { return try Self.take(address, from: claim) }
            do throws(Errno) {
                return try Listener.bind(address, backlog: 4096)
            } catch {
                throw .listen("\(address)", cause: "\(error)")
            }
        case .passedSocket:
            switch SocketActivation.take() {
            case .listener(let socket): return socket
            case .none: throw .activation(cause: "it passed no socket to this process (LISTEN_PID, LISTEN_FDS)")
            case .several(let count):
                throw .activation(cause: "it passed \(count) sockets, and this server uses exactly one")
            case .unusable(let error):
                throw .activation(cause: "it passed something other than a listening stream socket: \(error)")
            }
        }
    }

    private static func take(
        _ address: SocketAddress, from claim: HandoverClaim
    ) throws(ServiceError) -> FileDescriptor {
        if let socket = claim.sockets.take(at: address) { return socket }
        throw .handover(path: claim.path, cause: "the server that runs does not listen on \(address)")
    }
}
