import Glibc

/// A socket passed by a service manager, as sd_listen_fds(3): it listens before the service runs, so no client is
/// refused during a restart, and may open ports and paths that the service may not.
package enum SocketActivation: ~Copyable, Sendable {
    case none
    /// Non-blocking and close-on-exec now.
    case listener(FileDescriptor)
    /// Left as they are.
    case several(Int)
    /// It does not listen for streams (`ENOTSOCK`, `EPROTOTYPE`, `EINVAL`) or is not open (`EBADF`).
    case unusable(Errno)

    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// Removes the variables, so that no child mistakes the socket for its own. On main, before other threads use the environment.
    package static func take(_ firstDescriptor: Int32 = 3) -> SocketActivation {
        defer { for name in variables { unsafe unsetenv(name) } }
        guard number("LISTEN_PID") == Int(getpid()), let count = number("LISTEN_FDS"), count > 0 else { return .none }
        guard count == 1 else { return .several(count) }
        do throws(Errno) {
            try checkListens(firstDescriptor)
            let listener = FileDescriptor(adopting: firstDescriptor)
            try listener.setNonBlockingAndCloseOnExec()
            return .listener(listener)
        } catch {
            return .unusable(error)
        }
    }

    private static func number(_ name: String) -> Int? {
        guard let text = unsafe getenv(name) else { return nil }
        let digits = unsafe String(cString: text)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    /// Errors: as of ``unusable(_:)``.
    static func checkListens(_ descriptor: Int32) throws(Errno) {
        guard try option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue) else { throw Errno(code: EPROTOTYPE) }
        guard try option(SO_ACCEPTCONN, of: descriptor) != 0 else { throw .invalidArgument }
    }

    private static func option(_ name: Int32, of descriptor: Int32) throws(Errno) -> Int32 {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = try systemCall { unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) }
        return value
    }
}

extension FileDescriptor {
    fileprivate borrowing func setNonBlockingAndCloseOnExec() throws(Errno) {
        let number = rawValue
        let flags = try systemCall { fcntl(number, F_GETFL) }
        _ = try systemCall { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
        _ = try systemCall { fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
}
