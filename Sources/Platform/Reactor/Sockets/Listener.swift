import CLinux
import Glibc

package enum Listener {
    /// Non-blocking, close-on-exec; with port 0, ``FileDescriptor/localAddress()`` tells the port. With `reusePort` the kernel spreads
    /// connections over several listeners. Replaces a local socket's file that nobody serves; with
    /// `isPrivate` its mode is 0600. Errors: `EADDRINUSE`, `EACCES`, …
    package static func bind(
        _ address: SocketAddress, backlog: Int32 = 1024, reusePort: Bool = false, isPrivate: Bool = false
    ) throws(Errno) -> FileDescriptor {
        let socket = FileDescriptor(adopting: try systemCall { clinux_socket(address.family, 0) })
        let number = socket.rawValue
        if case .local(let path) = address {
            removeIfAbandoned(path, address)
            // The file gets the mode of the socket, less the umask: at no moment may others connect.
            if isPrivate { _ = try systemCall { fchmod(number, 0o600) } }
        } else {
            socket.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
            if reusePort, !socket.setOption(SOL_SOCKET, SO_REUSEPORT, 1) { throw Errno(code: ENOPROTOOPT) }
        }
        if case .ipv6 = address { socket.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        let code = unsafe address.withSystemAddress { unsafe Glibc.bind(number, $0, $1) == 0 ? 0 : errno }
        guard code == 0 else { throw Errno(code: code) }
        _ = try systemCall { listen(number, backlog) }
        return socket
    }

    /// Connecting is refused after a crash; anything else stays.
    private static func removeIfAbandoned(_ path: String, _ address: SocketAddress) {
        var information = stat()
        guard unsafe lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFSOCK else { return }
        do throws(Errno) {
            _ = try StreamSocket.connect(to: address, patience: .seconds(1))
        } catch {
            if error == .connectionRefused { _ = unsafe unlink(path) }
        }
    }
}
