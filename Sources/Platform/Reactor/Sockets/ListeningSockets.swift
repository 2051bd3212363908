import CLinux
import Glibc
import Synchronization

/// Listening sockets that one process passes to another over a Unix-domain connection. Closes those that nobody took.
package final class ListeningSockets: Sendable {
    private let numbers: Mutex<[Int32]>

    package static let limit = Int(CLINUX_PASSED_LIMIT)

    init(adopting numbers: [Int32]) { self.numbers = Mutex(numbers) }

    package convenience init(_ first: consuming FileDescriptor) { self.init(adopting: [first.release()]) }

    deinit { closeAll() }

    /// Those that nobody took.
    package func closeAll() {
        let left = numbers.withLock { numbers -> [Int32] in
            defer { numbers = [] }
            return numbers
        }
        for number in left { _ = close(number) }
    }

    /// In the order of adding; valid while this object lives and none is taken.
    package var rawValues: [Int32] { numbers.withLock { $0 } }

    package var addresses: [SocketAddress] { rawValues.compactMap { Self.address(of: $0) } }

    /// Errors: `EBADF`, `EMFILE`; `E2BIG` beyond ``limit``.
    package func append(duplicateOf socket: borrowing FileDescriptor) throws(Errno) {
        guard rawValues.count < Self.limit else { throw Errno(code: E2BIG) }
        let number = try FileDescriptor.duplicate(socket.rawValue).release()
        numbers.withLock { $0.append(number) }
    }

    package func takeFirst() -> FileDescriptor? { take(where: { _ in true }) }

    /// The socket that listens at `address`, whose port may be 0.
    package func take(at address: SocketAddress) -> FileDescriptor? {
        take(where: { number in Self.address(of: number).map { address.names($0) } ?? false })
    }

    private func take(where matches: (Int32) -> Bool) -> FileDescriptor? {
        guard let number = rawValues.first(where: matches) else { return nil }
        let isOurs = numbers.withLock { numbers -> Bool in
            guard let index = numbers.firstIndex(of: number) else { return false }
            numbers.remove(at: index)
            return true
        }
        guard isOurs else { return nil }
        return FileDescriptor(adopting: number)
    }

    private static func address(of number: Int32) -> SocketAddress? {
        let socket = FileDescriptor(adopting: number)
        let address = try? socket.localAddress()
        _ = socket.release()
        return address
    }
}

extension SocketAddress {
    /// Whether a socket bound to this address may have the address `bound`: the system chooses the port for port 0.
    fileprivate func names(_ bound: SocketAddress) -> Bool {
        switch (self, bound) {
        case (.ipv4(let host, 0), .ipv4(let other, _)): host == other
        case (.ipv6(let high, let low, 0, _), .ipv6(let otherHigh, let otherLow, _, _)):
            high == otherHigh && low == otherLow
        default: self == bound
        }
    }
}

/// What came with ``FileDescriptor/pass(_:saying:)``.
package struct PassedMessage: Sendable {
    /// Empty when the other side has closed.
    package let text: [UInt8]
    /// Stream sockets that listen, non-blocking and close-on-exec.
    package let sockets: ListeningSockets
}

// Over a Unix-domain stream.
extension FileDescriptor {
    /// Whether the other process runs as this user. Errors: `EBADF`, `ENOTSOCK`.
    package borrowing func isPeerSameUser() throws(Errno) -> Bool {
        var user = uid_t.max
        _ = try systemCall { unsafe clinux_peer_user(rawValue, &user) }
        return user == geteuid()
    }

    /// Sends `sockets`, which stay open here, with a short text. Errors: `EPIPE`, `EAGAIN`, `EINVAL` without any socket.
    package borrowing func pass(_ sockets: ListeningSockets, saying text: [UInt8]) throws(Errno) {
        let numbers = sockets.rawValues
        let count = try systemCall { unsafe clinux_pass(rawValue, text, text.count, numbers, numbers.count) }
        guard count == text.count else { throw Errno(code: EMSGSIZE) }
    }

    /// Waits, on a blocking socket, for one message with a text of at most 64 bytes. Errors: `EAGAIN` when its patience is over,
    /// `EPROTOTYPE` and `EINVAL` for a descriptor that does not listen for streams.
    package borrowing func receivePassed() throws(Errno) -> PassedMessage {
        var text = [UInt8](repeating: 0, count: 64)
        var numbers = [Int32](repeating: -1, count: ListeningSockets.limit)
        var passed = 0
        let capacity = text.count
        let count = try systemCall { unsafe clinux_take_passed(rawValue, &text, capacity, &numbers, &passed) }
        let sockets = ListeningSockets(adopting: Array(numbers.prefix(passed)))
        for number in sockets.rawValues { try SocketActivation.checkListens(number) }
        return PassedMessage(text: Array(text.prefix(count)), sockets: sockets)
    }
}
