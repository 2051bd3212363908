import Glibc
import Reactor

/// An HTTP client that hides nothing: one connection for each request, bytes as they come.
struct Client {
    let address: SocketAddress

    struct Failure: Error, CustomStringConvertible { let description: String }

    init(_ text: String) throws {
        guard let address = SocketAddress(text) else { throw Failure(description: "no address: \(text)") }
        self.address = address
    }

    /// The whole answer; an answer that breaks off is a failure.
    func get(_ target: String, _ fields: [String: String] = [:]) throws -> Reply {
        let socket = try send(target, fields)
        return try Self.reply(from: socket)
    }

    /// Sends the request and leaves the answer to be read.
    func send(_ target: String, _ fields: [String: String] = [:]) throws -> FileDescriptor {
        let socket = try connect()
        var head = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        try Self.write(Array((head + "\r\n").utf8), to: socket)
        return socket
    }

    /// A connection that gives up after so many seconds without a byte, far more than the slowest machine takes.
    func connect(patience: Int = 180) throws -> FileDescriptor {
        let socket = try StreamSocket.connect(to: address)
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(socket.rawValue, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(socket.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        return socket
    }

    static func write(_ bytes: [UInt8], to socket: borrowing FileDescriptor) throws {
        guard case .bytes(bytes.count) = bytes.withUnsafeBytes({ socket.send($0) }) else {
            throw Failure(description: "the request was not taken")
        }
    }

    /// Everything until the other side closes.
    static func drain(_ socket: borrowing FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            case .bytes(let count): bytes += buffer[..<count]
            case .closed: return bytes
            case .wouldBlock: throw Failure(description: "nothing came for too long, after \(bytes.count) bytes")
            case .failed(let error): throw Failure(description: "\(error) after \(bytes.count) bytes")
            }
        }
    }

    /// Reads one answer to its end.
    static func reply(from socket: borrowing FileDescriptor) throws -> Reply { try Reply(drain(socket)) }
}

/// An answer.
struct Reply {
    let status: Int
    private let fields: [String: String]
    let content: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let end = Array("\r\n\r\n".utf8)
        guard let headEnd = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else {
            throw Client.Failure(description: "no head in \(bytes.count) bytes")
        }
        let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        guard let statusLine = lines.first, statusLine.hasPrefix("HTTP/1.1 "),
            let status = Int(statusLine.dropFirst(9).prefix(3))
        else { throw Client.Failure(description: "no status line") }
        self.status = status
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Client.Failure(description: "no field: \(line)") }
            fields[parts[0].lowercased(), default: ""] += String(parts[1].drop { $0 == " " })
        }
        self.fields = fields
        content = Array(bytes[(headEnd + 4)...])
        let isBare = status == 304 || status == 204
        guard isBare || fields["content-length"].flatMap({ Int($0) }) == content.count else {
            throw Client.Failure(description: "\(content.count) bytes of \(fields["content-length"] ?? "?")")
        }
    }

    /// The value of a field, by its name in any case.
    subscript(name: String) -> String? { fields[name.lowercased()] }

    var text: String { String(decoding: content, as: UTF8.self) }
}
