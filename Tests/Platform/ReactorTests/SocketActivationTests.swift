import Glibc
import Testing

@testable import Reactor

/// Each in a process of its own, as the environment is the process's. Descriptor 3 belongs to who runs the tests; that it is
/// the one which is taken over is seen by EndToEndTests/ActivationTests.
@Suite(.timeLimit(.minutes(5))) struct SocketActivationTests {
    private static let first: Int32 = 700

    private static func pass(_ socket: Int32, count: String = "1", to process: Int32 = getpid()) {
        dup2(socket, first)
        setenv("LISTEN_PID", "\(process)", 1)
        setenv("LISTEN_FDS", count, 1)
        setenv("LISTEN_FDNAMES", "web", 1)
    }

    @Test func passedListener_isTakenOnce_andAccepts() async {
        await #expect(processExitsWith: .success) {
            let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
            let address = try listener.localAddress()
            Self.pass(listener.rawValue)
            // As a service manager leaves it.
            _ = fcntl(Self.first, F_SETFL, fcntl(Self.first, F_GETFL) & ~O_NONBLOCK)
            guard case .listener(let taken) = SocketActivation.take(Self.first), taken.rawValue == Self.first else {
                exit(10)
            }
            guard fcntl(Self.first, F_GETFL) & O_NONBLOCK != 0, fcntl(Self.first, F_GETFD) & FD_CLOEXEC != 0 else {
                exit(11)
            }
            guard case .wouldBlock = taken.accept() else { exit(12) }
            let client = try StreamSocket.connect(to: address)
            taken.waitForInput()
            guard case .accepted(let server, _) = taken.accept(), server.sendText("x") == .bytes(1) else { exit(13) }
            client.waitForInput()
            guard client.receiveText() == "x" else { exit(16) }
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] where getenv(name) != nil { exit(14) }
            guard case .none = SocketActivation.take(Self.first) else { exit(15) }
            exit(0)
        }
    }

    @Test func localListener_isTaken() async {
        await #expect(processExitsWith: .success) {
            let path = "/tmp/veduta-activation-\(getpid()).sock"
            defer { unlink(path) }
            let listener = try Listener.bind(.local(path: path))
            Self.pass(listener.rawValue)
            guard case .listener(let taken) = SocketActivation.take(Self.first) else { exit(10) }
            let address = try taken.localAddress()
            guard address == .local(path: path) else { exit(11) }
            unlink(path)
            exit(0)
        }
    }

    @Test(arguments: ["0", "", "-1", "x", " 1", "99999999999999999999"])
    func countThatIsNoNumber_isNothing(_ count: String) async {
        await #expect(processExitsWith: .success) { [count] in
            Self.pass(0, count: count)
            guard case .none = SocketActivation.take(Self.first) else { exit(10) }
            exit(0)
        }
    }

    @Test func socketsOfAnotherProcess_areNotOurs() async {
        await #expect(processExitsWith: .success) {
            let listener = try Listener.bind(.ipv4(0x7F00_0001, port: 0))
            Self.pass(listener.rawValue, to: getppid())
            guard case .none = SocketActivation.take(Self.first) else { exit(10) }
            exit(0)
        }
    }

    @Test func whatDoesNotListenForStreams_isUnusable_withItsCause() async {
        await #expect(processExitsWith: .success) {
            let pair = try StreamSocket.makePair()
            Self.pass(pair.near.rawValue)
            guard case .unusable(.invalidArgument) = SocketActivation.take(Self.first) else { exit(10) }
            let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            Self.pass(datagrams)
            guard case .unusable(let wrongType) = SocketActivation.take(Self.first), wrongType.code == EPROTOTYPE else {
                exit(11)
            }
            Self.pass(open("/dev/null", O_RDONLY))
            guard case .unusable(let noSocket) = SocketActivation.take(Self.first), noSocket.code == ENOTSOCK else {
                exit(12)
            }
            Self.pass(0)
            close(Self.first)
            guard case .unusable(.badDescriptor) = SocketActivation.take(Self.first) else { exit(13) }
            Self.pass(pair.near.rawValue, count: "2")
            guard case .several(2) = SocketActivation.take(Self.first) else { exit(14) }
            exit(0)
        }
    }
}
