import Reactor

/// Where the service listens, as `--listen` says.
enum Entrance: Equatable {
    /// An address that it binds itself.
    case address(SocketAddress)
    /// The socket that the service manager passed.
    case passedSocket

    /// The word for a socket of the service manager.
    static let passedSocketWord = "systemd"

    /// Reads the text of `--listen`.
    init(_ text: String) throws(ServiceError) {
        if text == Self.passedSocketWord {
            self = .passedSocket
        } else if let address = SocketAddress(text) {
            self = .address(address)
        } else {
            throw .listen(text, cause: "not an address")
        }
    }

    func open() throws(ServiceError) -> FileDescriptor {
        switch self {
        case .address(let address):
            do {
                return try Listener.bind(address, backlog: 4096)
            } catch {
                throw .listen("\(address)", cause: "\(error)")
            }
        case .passedSocket:
            switch SocketActivation.take() {
            case .listener(let socket): return socket
            case .none: throw .activation(cause: "none was passed to this process (LISTEN_PID, LISTEN_FDS)")
            case .several(let count): throw .activation(cause: "\(count) were passed, and one is served")
            case .unusable(let error): throw .activation(cause: "what was passed does not listen for streams: \(error)")
            }
        }
    }
}
