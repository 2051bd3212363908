import CLinux
import Glibc

package enum TransferResult: Equatable, Sendable {
    /// At least one unless nothing was asked.
    case bytes(Int)
    /// The loop tells when that changes.
    case wouldBlock
    /// The peer sends no more (receiving) or reads no more (sending).
    case closed
    case failed(Errno)
}

package enum AcceptResult: ~Copyable {
    /// Non-blocking and close-on-exec. The address is nil for a family that this module does not use.
    case accepted(FileDescriptor, peer: SocketAddress?)
    case wouldBlock
    /// ``Errno/isDescriptorShortage``: the connection still waits and no edge will come; try again later. Others: the listener is broken.
    case failed(Errno)
}

extension FileDescriptor {
    /// Fewer than `buffer.count` bytes mean that the socket is drained: an edge-triggered reader need not ask again (epoll(7)).
    package borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) -> TransferResult {
        guard let base = buffer.baseAddress, buffer.count > 0 else { return .bytes(0) }
        do throws(Errno) {
            let count = try systemCall(.receive) { unsafe recv(rawValue, base, buffer.count, 0) }
            return count == 0 ? .closed : .bytes(count)
        } catch {
            return error.code == EAGAIN || error.code == EWOULDBLOCK ? .wouldBlock : .failed(error)
        }
    }

    /// As much as fits. One system call, never a `SIGPIPE`.
    package borrowing func send(_ buffer: UnsafeRawBufferPointer) -> TransferResult {
        guard let base = buffer.baseAddress, buffer.count > 0 else { return .bytes(0) }
        return sent { unsafe Glibc.send(rawValue, base, buffer.count, Int32(MSG_NOSIGNAL)) }
    }

    package static var gatherLimit: Int { 64 }

    /// Sends the first ``gatherLimit``, or as much as fits: one system call, no allocation, never a `SIGPIPE`. With `moreFollows` TCP
    /// keeps a last segment that is not full until the next send (`MSG_MORE`), so that a head leaves together with its file.
    package borrowing func send(
        gathering buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>, moreFollows: Bool = false
    ) -> TransferResult {
        let count = min(buffers.count, FileDescriptor.gatherLimit)
        return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: max(count, 1)) { vectors in
            var byteCount = 0
            for index in 0..<count {
                let buffer = unsafe buffers[index]
                unsafe vectors.initializeElement(
                    at: index,
                    to: iovec(iov_base: UnsafeMutableRawPointer(mutating: buffer.baseAddress), iov_len: buffer.count))
                byteCount &+= buffer.count
            }
            guard byteCount > 0 else { return .bytes(0) }
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = count
            let flags = Int32(MSG_NOSIGNAL) | (moreFollows ? Int32(MSG_MORE) : 0)
            return sent { unsafe sendmsg(rawValue, &message, flags) }
        }
    }

    /// As ``send(gathering:)``.
    package borrowing func send(
        _ first: UnsafeRawBufferPointer, then second: UnsafeRawBufferPointer
    ) -> TransferResult {
        unsafe withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: 2) { pair in
            unsafe pair.initializeElement(at: 0, to: first)
            unsafe pair.initializeElement(at: 1, to: second)
            return unsafe send(gathering: UnsafeBufferPointer(pair))
        }
    }

    func sent(_ kind: FaultableCall = .send, _ call: () -> Int) -> TransferResult {
        do throws(Errno) {
            return .bytes(try systemCall(kind, call))
        } catch {
            switch error.code {
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            case EPIPE, ECONNRESET: return .closed
            default: return .failed(error)
            }
        }
    }

    /// Skips connections that broke meanwhile.
    package borrowing func accept() -> AcceptResult {
        var peer = sockaddr_storage()
        var length = socklen_t()
        while true {
            do throws(Errno) {
                let number = try systemCall(.accept) { unsafe clinux_accept(rawValue, &peer, &length) }
                return .accepted(FileDescriptor(adopting: number), peer: SocketAddress(peer, length: length))
            } catch {
                switch error.code {
                case EAGAIN, EWOULDBLOCK: return .wouldBlock
                // accept(2): errors that already wait on the new connection are passed on; they are not the listener's.
                case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH,
                    ETIMEDOUT, EPERM:
                    continue
                default: return .failed(error)
                }
            }
        }
    }

    /// `SIOCOUTQ`; 0 if the socket does not tell. One system call.
    package var unacknowledgedByteCount: Int { max(0, Int(clinux_queued_byte_count(rawValue))) }

    /// A connection that is gone already is no error.
    package borrowing func shutDownSending() { _ = shutdown(rawValue, Int32(SHUT_WR)) }

    package borrowing func shutDown() { _ = shutdown(rawValue, Int32(SHUT_RDWR)) }

    /// `TCP_NODELAY`; no effect on sockets that are not TCP, as below.
    package borrowing func setNoDelay() { setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

    /// `SO_KEEPALIVE`: TCP probes a silent peer after `idleSeconds`, then four times in as long again; then the connection is broken.
    package borrowing func setKeepAlive(idleSeconds: Int) {
        let idle = Int32(clamping: max(1, min(idleSeconds, 32_767)))
        guard setOption(Int32(IPPROTO_TCP), TCP_KEEPIDLE, idle) else { return }
        setOption(Int32(IPPROTO_TCP), TCP_KEEPINTVL, max(1, idle / 4))
        setOption(Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
        setOption(SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    /// `TCP_NOTSENT_LOWAT`: writable again as soon as less is unsent, so a slow reader costs little memory and its progress shows.
    package borrowing func setUnsentLimit(byteCount: Int) {
        setOption(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(clamping: byteCount))
    }

    /// For blocking sockets (`SO_RCVTIMEO`, `SO_SNDTIMEO`).
    borrowing func limitWaits(to patience: Duration) {
        let (seconds, attoseconds) = patience.components
        var wait = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for name in [SO_RCVTIMEO, SO_SNDTIMEO] {
            _ = unsafe setsockopt(rawValue, SOL_SOCKET, name, &wait, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    @discardableResult borrowing func setOption(_ level: Int32, _ name: Int32, _ value: Int32) -> Bool {
        var value = value
        return unsafe setsockopt(rawValue, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Errors: `EBADF`, `ENOTSOCK`; `EAFNOSUPPORT` for a foreign family.
    package borrowing func localAddress() throws(Errno) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        _ = try systemCall {
            unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(rawValue, $0, &length)
                }
            }
        }
        guard let address = SocketAddress(storage, length: length) else { throw Errno(code: EAFNOSUPPORT) }
        return address
    }
}

package enum StreamSocket {
    /// *Blocking*, for tools and tests. After `patience` connecting throws `EINPROGRESS` or `EAGAIN`, and other calls would block.
    package static func connect(to address: SocketAddress, patience: Duration? = nil) throws(Errno) -> FileDescriptor {
        let socket = FileDescriptor(adopting: try systemCall { clinux_socket(address.family, 1) })
        if let patience { socket.limitWaits(to: patience) }
        let number = socket.rawValue
        let code = unsafe address.withSystemAddress { unsafe Glibc.connect(number, $0, $1) == 0 ? 0 : errno }
        guard code == 0 else { throw Errno(code: code) }
        return socket
    }

    package struct Pair: ~Copyable, Sendable {
        package let near: FileDescriptor
        package let far: FileDescriptor
    }

    /// Non-blocking.
    package static func makePair() throws(Errno) -> Pair {
        var numbers: [Int32] = [-1, -1]
        _ = try systemCall { unsafe clinux_socket_pair(&numbers) }
        return Pair(near: FileDescriptor(adopting: numbers[0]), far: FileDescriptor(adopting: numbers[1]))
    }
}
