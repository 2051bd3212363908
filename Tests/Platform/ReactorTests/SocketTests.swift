import Glibc
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    @Test(arguments: [
        "127.0.0.1:8080", "0.0.0.0:0", "255.1.2.3:65535", "[::1]:8080", "[2001:db8::7]:443", "unix:/run/veduta.sock",
    ])
    func addressText_isReadBack(_ text: String) {
        #expect(SocketAddress(text)?.description == text)
    }

    @Test func shortForms_areUnderstood() {
        #expect(SocketAddress(":8080") == .ipv4(0, port: 8080))
        #expect(SocketAddress("localhost:80") == .ipv4(0x7F00_0001, port: 80))
    }

    @Test(arguments: [
        "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+80", "127.0.0.1:8a", "1.2.3:80",
        "::1:80x", "[::1]", "[::1:80", "example.org:80", "unix:", "127.0.0.1\0x:80", "127.0.0.1:000080",
        "unix:/" + String(repeating: "a", count: 107),
    ])
    func otherText_isNoAddress(_ text: String) { #expect(SocketAddress(text) == nil) }

    @Test(arguments: ["127.0.0.1:0", "[::1]:0"])
    func connection_isAccepted_withItsPeer(_ text: String) throws {
        let listener = try Listener.bind(try #require(SocketAddress(text)))
        let address = try listener.localAddress()
        #expect(address.port != 0)
        if case .wouldBlock = listener.accept() {} else { Issue.record("nobody connected yet") }
        let client = try StreamSocket.connect(to: address)
        listener.waitForInput()
        guard case .accepted(let server, let peer) = listener.accept() else {
            Issue.record("the connection waits")
            return
        }
        let clientAddress = try client.localAddress()
        #expect(peer == clientAddress)
        server.setNoDelay()
        #expect(client.sendText("ping") == .bytes(4))
        server.waitForInput()
        #expect(server.receiveText() == "ping")
        #expect(fcntl(server.rawValue, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(server.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func usedAddress_isAnErrorValue_unlessTheListenersShareIt() throws {
        let first = try Listener.bind(.ipv4(0x7F00_0001, port: 0), reusePort: true)
        let address = try first.localAddress()
        let second = try Listener.bind(address, reusePort: true)
        let shared = try second.localAddress()
        #expect(shared == address)
        #expect(throws: Errno.addressInUse) { _ = try Listener.bind(address) }
    }

    /// A process that another test is starting has a copy of each open descriptor until it becomes another program, so a
    /// socket that was closed may live on for a moment.
    private func bindWhenItIsDead(_ address: SocketAddress) throws(Errno) -> FileDescriptor {
        for _ in 0..<18_000 {
            do throws(Errno) {
                return try Listener.bind(address)
            } catch {
                guard error == .addressInUse else { throw error }
                Processors.pause(.milliseconds(10))
            }
        }
        return try Listener.bind(address)
    }

    @Test func localSocketOfADeadServer_isReplaced_aLivingOneIsNot() throws {
        let path = "/tmp/veduta-reactor-\(getpid()).sock"
        defer { unlink(path) }
        let address = SocketAddress.local(path: path)
        do { _ = try Listener.bind(address) }
        let living = try bindWhenItIsDead(address)
        #expect(throws: Errno.addressInUse) { _ = try Listener.bind(address) }
        // The refused bind looked whether somebody serves, which left a connection behind.
        if case .accepted(let probe, _) = living.accept() {
            probe.waitForInput()
            #expect(probe.receiveResult() == .closed)
        }
        let client = try StreamSocket.connect(to: address)
        guard case .accepted(let server, _) = living.accept() else {
            Issue.record("the connection waits")
            return
        }
        #expect(server.sendText("hello") == .bytes(5))
        #expect(client.receiveText() == "hello")
    }

    @Test func gatheredBuffers_arriveInOrder_emptyOnesIncluded() throws {
        let pair = try StreamSocket.makePair()
        let parts = ["head", "", "-", "content"].map { Array($0.utf8) }
        let result = parts[0].withUnsafeBytes { a in
            parts[1].withUnsafeBytes { b in
                parts[2].withUnsafeBytes { c in
                    parts[3].withUnsafeBytes { d in
                        [a, b, c, d].withUnsafeBufferPointer { pair.near.send(gathering: $0) }
                    }
                }
            }
        }
        #expect(result == .bytes(12))
        #expect(pair.far.receiveText() == "head-content")
        let two = parts[0].withUnsafeBytes { a in parts[3].withUnsafeBytes { b in pair.near.send(a, then: b) } }
        #expect(two == .bytes(11))
        #expect(pair.far.receiveText() == "headcontent")
        let nothing = [].withUnsafeBufferPointer { pair.near.send(gathering: $0) }
        #expect(nothing == .bytes(0))
    }

    @Test func fullSocket_wouldBlock_andAGoneReader_isClosed() throws {
        let pair = try StreamSocket.makePair()
        let block = [UInt8](repeating: 1, count: 1 << 20)
        let first = block.withUnsafeBytes { pair.near.send($0, then: $0) }
        guard case .bytes(let count) = first else {
            Issue.record("some bytes fit: \(first)")
            return
        }
        #expect(count < 2 << 20)
        while case .bytes = block.withUnsafeBytes({ pair.near.send($0) }) {}
        #expect(block.withUnsafeBytes { pair.near.send($0) } == .wouldBlock)
        pair.far.shutDown()
        #expect(block.withUnsafeBytes { pair.near.send($0) } == .closed)
    }

    @Test func transfersOnSomethingElse_areErrorValues() {
        let closed = FileDescriptor(adopting: 1_000_000)
        #expect(closed.sendText("x") == .failed(.badDescriptor))
        #expect(closed.receiveResult() == .failed(.badDescriptor))
        if case .failed(let error) = closed.accept() {
            #expect(error == .badDescriptor && !error.isDescriptorShortage)
        } else {
            Issue.record("not a socket")
        }
        #expect(Errno.badDescriptor.description == "Bad file descriptor (9)")
    }

    @Test func descriptor_closesWithItsOwner_andNotAfterRelease() throws {
        let numbers: [Int32]
        do {
            let pair = try StreamSocket.makePair()
            numbers = [dup(pair.near.rawValue), dup(pair.far.rawValue)]
        }
        // High numbers, which no parallel test gets in between.
        let high = fcntl(numbers[0], F_DUPFD_CLOEXEC, 900)
        let higher = fcntl(numbers[1], F_DUPFD_CLOEXEC, 900)
        do { _ = FileDescriptor(adopting: high) }
        #expect(!isOpen(high))
        let released = FileDescriptor(adopting: higher).release()
        #expect(isOpen(released))
        for number in numbers + [released] { close(number) }
    }

    @Test func acceptingWithoutDescriptors_isAShortageValue_andWorksAgainLater() async {
        // In a process of its own: the limit is the process's.
        await #expect(processExitsWith: .success) {
            let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
            let client = try StreamSocket.connect(to: try listener.localAddress())
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let before = limit
            limit.rlim_cur = 3
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            listener.waitForInput()
            guard case .failed(let error) = listener.accept() else { exit(10) }
            guard error == .tooManyDescriptors, error.isDescriptorShortage else { exit(11) }
            limit = before
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guard case .accepted(let server, _) = listener.accept() else { exit(12) }
            guard server.sendText("x") == .bytes(1) else { exit(13) }
            client.waitForInput()
            guard client.receiveText() == "x" else { exit(14) }
            exit(0)
        }
    }
}
