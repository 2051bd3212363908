package import Reactor
import Glibc

/// What came instead of a whole answer.
package enum WireFault: Error, Equatable {
    /// The connection ended, cleanly or by a reset, after so many bytes of an answer.
    case closed(afterByteCount: Int)
    case silent
    /// The bytes are no HTTP/1.1 answer.
    case malformed(String)
}

/// A client that says exactly the bytes it is told and reads answers by their framing. Blocks; every wait ends after
/// `patience`, so that a server that hangs fails a test instead of stopping it.
package final class WireClient {
    private let socket: FileDescriptor
    /// Ends no sooner than this object.
    private let server: AnyObject?
    private var buffer: [UInt8] = []
    private var ended = false

    package init(_ address: SocketAddress, patience: Int = 180, of server: AnyObject? = nil) throws {
        self.server = server
        socket = try StreamSocket.connect(to: address)
        socket.setNoDelay()
        var wait = timeval(tv_sec: patience, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket.rawValue, SOL_SOCKET, SO_RCVTIMEO, &wait, length)
        setsockopt(socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &wait, length)
    }

    // MARK: Saying

    /// Sends all of `bytes`; false when the server takes no more.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let result = bytes.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[start...])) }
            guard case .bytes(let count) = result else { return false }
            start += count
        }
        return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends a request for `target` without content, which keeps the connection.
    package func request(_ target: String, method: String = "GET", _ fields: String...) {
        let lines = (["\(method) \(target) HTTP/1.1", "Host: veduta.test"] + fields).map { $0 + "\r\n" }
        send(lines.joined() + "\r\n")
    }

    /// Sends a request with content of known length, which keeps the connection.
    package func upload(_ target: String, _ content: [UInt8], method: String = "POST", _ fields: String...) {
        let own = ["\(method) \(target) HTTP/1.1", "Host: veduta.test", "Content-Length: \(content.count)"]
        let lines = (own + fields).map { $0 + "\r\n" }
        if send(lines.joined() + "\r\n") { send(content) }
    }

    /// Ends our side; the server's can still come.
    package func endSending() { socket.shutDownSending() }

    /// The connection is going to end with a reset, as a crashed client's does, when this object is let go.
    package func resetWhenReleased() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.rawValue, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    // MARK: Hearing

    /// Takes so many bytes from the socket, and keeps them for `read`.
    package func hear(_ byteCount: Int) throws(WireFault) {
        let wanted = buffer.count + byteCount
        while buffer.count < wanted { try fill() }
    }

    /// One answer. Interim ones (1xx) are answers of their own.
    ///
    /// - Parameter toHead: the request was HEAD, so that no content follows.
    package func read(toHead: Bool = false) throws(WireFault) -> WireResponse {
        var headEnd = endOfHead()
        while headEnd == nil {
            try fill()
            headEnd = endOfHead()
        }
        let head = Array(buffer[..<(headEnd ?? 0)])
        var response = try WireResponse(head: head)
        buffer.removeFirst(head.count)
        guard !toHead, !response.forbidsContent else { return response }
        if let count = response.contentLength {
            response.content = try take(count)
        } else if response.field("Transfer-Encoding") == "chunked" {
            response.content = try readChunks()
        } else if response.saysClose {
            response.content = try readToTheEnd()
        } else {
            throw .malformed("no end of the content is told: \(response.head)")
        }
        return response
    }

    /// Takes `count` bytes of whatever comes and drops them; how many there were before the end.
    package func skip(_ count: Int) -> Int {
        var left = count - min(count, buffer.count)
        buffer.removeFirst(count - left)
        var chunk = [UInt8](repeating: 0, count: 65536)
        while left > 0, !ended {
            let limit = min(left, chunk.count)
            let result = chunk.withUnsafeMutableBytes {
                socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<limit]))
            }
            if case .bytes(let taken) = result { left -= taken } else { ended = true }
        }
        return count - left
    }

    /// Chunks without extensions and trailers, as the server writes them.
    private func readChunks() throws(WireFault) -> [UInt8] {
        var content: [UInt8] = []
        while true {
            var line: [UInt8] = []
            while line.suffix(2) != [0x0d, 0x0a] { line += try take(1) }
            guard let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else {
                throw .malformed("chunk size")
            }
            content += try take(count)
            guard try take(2) == [0x0d, 0x0a] else { throw .malformed("chunk end") }
            if count == 0 { return content }
        }
    }

    private func readToTheEnd() throws(WireFault) -> [UInt8] {
        do throws(WireFault) {
            while true { try fill() }
        } catch {
            guard case .closed = error else { throw error }
            defer { buffer = [] }
            return buffer
        }
    }

    private func take(_ count: Int) throws(WireFault) -> [UInt8] {
        while buffer.count < count { try fill() }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    /// The answer to a request without content.
    package func get(_ target: String, method: String = "GET", _ fields: String...) throws(WireFault) -> WireResponse {
        let lines = (["\(method) \(target) HTTP/1.1", "Host: veduta.test"] + fields).map { $0 + "\r\n" }
        send(lines.joined() + "\r\n")
        return try read(toHead: method == "HEAD")
    }

    /// Whether bytes, or the end, wait to be read.
    package var hasMore: Bool {
        guard buffer.isEmpty, !ended else { return true }
        var entry = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Whether the server ends the connection without another byte. Waits for it.
    package func isClosed() -> Bool {
        guard buffer.isEmpty else { return false }
        do throws(WireFault) {
            try fill()
            return false
        } catch {
            if case .closed = error { return true }
            return false
        }
    }

    /// Whether the server answers one more request on this connection.
    package func isKept() -> Bool {
        do throws(WireFault) { return try get("/health/live").code == 200 && buffer.isEmpty } catch { return false }
    }

    private func fill() throws(WireFault) {
        guard !ended else { throw .closed(afterByteCount: buffer.count) }
        var chunk = [UInt8](repeating: 0, count: 65536)
        switch chunk.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
        case .bytes(let count): buffer += chunk[..<count]
        case .wouldBlock: throw .silent
        case .closed, .failed:
            ended = true
            throw .closed(afterByteCount: buffer.count)
        }
    }

    private func endOfHead() -> Int? {
        guard buffer.count >= 4 else { return nil }
        for index in 3..<buffer.count
        where buffer[index] == 0x0a && buffer[index - 1] == 0x0d && buffer[index - 2] == 0x0a
            && buffer[index - 3] == 0x0d
        {
            return index + 1
        }
        return nil
    }
}
