import Foundation
import Glibc
import Synchronization

/// Hands on the bytes of TCP connections of loopback, no faster than some 30 MB/s, and counts them. It stops at `pauseByteCount`
/// until `goOn`, or cuts the connection there, once.
final class CountingProxy: Sendable {
    /// From the client to the server, and back.
    let sent = Atomic<Int>(0)
    let received = Atomic<Int>(0)
    let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let isOpen = Atomic(true)
    private let mayGoOn = Atomic(false)
    private let pauseByteCount: Int
    private let cuts: Bool

    /// Listens, and connects to `target`.
    init(to target: UInt16, pausingAt pauseByteCount: Int, cuts: Bool = false) throws {
        self.pauseByteCount = pauseByteCount
        self.cuts = cuts
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(0, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw POSIXError(.EIO)
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        guard named == 0 else { throw POSIXError(.EIO) }
        (self.target, self.listener, port) = (target, listener, UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    var byteCount: Int { sent.load(ordering: .relaxed) + received.load(ordering: .relaxed) }

    func goOn() { mayGoOn.store(true, ordering: .releasing) }

    func stop() {
        goOn()
        isOpen.store(false, ordering: .releasing)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while isOpen.load(ordering: .acquiring) {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            for end in [client, server] {
                // Little is under way at any time, and so little is lost with a connection.
                var size: Int32 = 131_072
                setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
                setsockopt(end, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            }
            guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
                close(client)
                close(server)
                continue
            }
            let open = Atomic2()
            for (from, to, isUp) in [(client, server, true), (server, client, false)] {
                Thread.detachNewThread { [self] in
                    pump(from, to, isUp)
                    shutdown(from, Int32(SHUT_RDWR))
                    shutdown(to, Int32(SHUT_RDWR))
                    if open.isLast() {
                        close(client)
                        close(server)
                    }
                }
            }
        }
        close(listener)
    }

    private func pump(_ from: Int32, _ to: Int32, _ isUp: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0 else { return }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { bytes in
                    send(to, bytes.baseAddress.map { $0 + done }, count - done, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return }
                done += written
            }
            if isUp { sent.add(count, ordering: .relaxed) } else { received.add(count, ordering: .relaxed) }
            usleep(UInt32(count / 32))
            if cuts, byteCount >= pauseByteCount, !mayGoOn.exchange(true, ordering: .acquiringAndReleasing) { return }
            while byteCount >= pauseByteCount, !mayGoOn.load(ordering: .acquiring) { usleep(2000) }
        }
    }

    /// Two users of a pair of descriptors.
    private final class Atomic2: Sendable {
        private let left = Atomic<Int>(2)

        func isLast() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
