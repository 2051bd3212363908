import Glibc

/// The listening socket that a service manager opened for this process, by the protocol of sd_listen_fds(3).
///
/// The manager names the process in `LISTEN_PID`, passes sockets from descriptor 3 on and tells their number in
/// `LISTEN_FDS`; `LISTEN_FDNAMES` names them. It listens before the service runs, so that no client is refused while the
/// service restarts, and it may open ports and paths that the service itself may not.
package enum SocketActivation: ~Copyable, Sendable {
    /// No socket was passed to this process.
    case none
    /// One stream socket that listens; non-blocking and close-on-exec now.
    case listener(FileDescriptor)
    /// More sockets than the one that a server listens on were passed; they are left as they are.
    case several(Int)
    /// What was passed does not listen for streams (`ENOTSOCK`, `EPROTOTYPE`, `EINVAL`) or is not open (`EBADF`).
    case unusable(Errno)

    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// Takes over what was passed. The variables are removed, so that it can be taken once and no child mistakes it for its
    /// own. On main, before any other thread reads or writes the environment.
    ///
    /// `firstDescriptor` is the first that is passed, 3 by the protocol; tests run where others have that one.
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

    /// A variable that holds a decimal number and nothing else.
    private static func number(_ name: String) -> Int? {
        guard let text = unsafe getenv(name) else { return nil }
        let digits = unsafe String(cString: text)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    private static func checkListens(_ descriptor: Int32) throws(Errno) {
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
    /// What sockets of this module are from birth.
    fileprivate borrowing func setNonBlockingAndCloseOnExec() throws(Errno) {
        let number = rawValue
        let flags = try systemCall { fcntl(number, F_GETFL) }
        _ = try systemCall { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
        _ = try systemCall { fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
}
