import Glibc
import Testing

@testable import Reactor

/// #21.10
@Suite(.timeLimit(.minutes(5))) struct ListeningSocketsTests {
    /// The ends of a connection over a Unix-domain socket, whose file is gone again. The client waits for a minute at most.
    private static func connect() throws -> (client: Int32, server: Int32) {
        let path = "/tmp/veduta-passing-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
        defer { unlink(path) }
        let listener = try Listener.bind(.local(path: path), isPrivate: true)
        var information = stat()
        #expect(lstat(path, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
        let client = try StreamSocket.connect(to: .local(path: path), patience: .seconds(60))
        guard case .accepted(let server, _) = listener.accept() else { throw Errno(code: EAGAIN) }
        return (client.release(), server.release())
    }

    private static func loopback() throws -> FileDescriptor { try Listener.bind(.ipv4(0x7F00_0001, port: 0)) }

    @Test func passedSockets_listenOn_andAreTakenByAddress() throws {
        let ends = try Self.connect()
        let client = FileDescriptor(adopting: ends.client)
        let server = FileDescriptor(adopting: ends.server)
        let first = try Self.loopback()
        let second = try Self.loopback()
        let address = try first.localAddress()
        let other = try second.localAddress()
        let sockets = ListeningSockets(first)
        try sockets.append(duplicateOf: second)
        let isServerOurs = try server.isPeerSameUser()
        let isClientOurs = try client.isPeerSameUser()
        #expect(isServerOurs && isClientOurs)
        try server.pass(sockets, saying: Array("hello".utf8))
        let message = try client.receivePassed()
        #expect(message.text == Array("hello".utf8))
        #expect(message.sockets.addresses == [address, other])
        sockets.closeAll()
        let wrongPort = message.sockets.take(at: .ipv4(0x7F00_0001, port: 1))
        if wrongPort != nil { Issue.record("another port is another address") }
        let wrongHost = message.sockets.take(at: .ipv4(0x7F00_0002, port: 0))
        if wrongHost != nil { Issue.record("another host is another address") }
        guard let taken = message.sockets.take(at: other) else { throw Errno(code: ENOENT) }
        let flags = fcntl(taken.rawValue, F_GETFD)
        #expect(flags & FD_CLOEXEC != 0)
        let visitor = try StreamSocket.connect(to: other)
        taken.waitForInput()
        guard case .accepted(let accepted, _) = taken.accept() else { throw Errno(code: EAGAIN) }
        #expect(message.sockets.addresses == [address])
        guard let anyPort = message.sockets.take(at: .ipv4(0x7F00_0001, port: 0)) else { throw Errno(code: ENOENT) }
        #expect(message.sockets.rawValues.isEmpty)
        _ = (visitor.rawValue, accepted.rawValue, anyPort.rawValue)
    }

    @Test func whatDoesNotListen_isRefused_andTheEndIsAnEmptyText() throws {
        let ends = try Self.connect()
        let client = FileDescriptor(adopting: ends.client)
        let server = FileDescriptor(adopting: ends.server)
        let pair = try StreamSocket.makePair()
        let sockets = ListeningSockets(try FileDescriptor.duplicate(pair.near.rawValue))
        try server.pass(sockets, saying: [1])
        do {
            _ = try client.receivePassed()
            Issue.record("a socket that does not listen was taken")
        } catch {
            #expect(error == .invalidArgument)
        }
        server.shutDown()
        let end = try client.receivePassed()
        #expect(end.text.isEmpty)
        #expect(end.sockets.rawValues.isEmpty)
    }

    @Test func moreThanTheLimit_isRefused() throws {
        let listener = try Self.loopback()
        let sockets = ListeningSockets(try FileDescriptor.duplicate(listener.rawValue))
        for _ in 1..<ListeningSockets.limit { try sockets.append(duplicateOf: listener) }
        do {
            try sockets.append(duplicateOf: listener)
            Issue.record("there is no limit")
        } catch {
            #expect(error.code == E2BIG)
        }
        #expect(sockets.rawValues.count == ListeningSockets.limit)
    }
}
