import Foundation
import Glibc
import Reactor
import TestSupport
import Testing
import VedutaService

extension EndToEnd {
    @Suite struct ActivationTests {
        @Test(arguments: ["127.0.0.1:0", "unix:/tmp/veduta-activation-\(getpid()).sock"])
        func passedSocketIsServed_andKeepsListeningBetweenServers(_ text: String) throws {
            let listener = try Listener.bind(try #require(SocketAddress(text)))
            let address = try listener.localAddress()
            defer { if case .local(let path) = address { unlink(path) } }
            let client = try Client("\(address)")
            // Nobody serves yet: the connection waits with its request.
            let early = try client.send("/health/live")
            let first = try PassedListener.spawnServer(on: listener)
            #expect(try Client.reply(from: early).status == 200)
            kill(first, SIGTERM)
            #expect(PassedListener.exitStatus(of: first) == 0)
            let between = try client.send("/health/live")
            let second = try PassedListener.spawnServer(on: listener)
            #expect(try Client.reply(from: between).status == 200)
            kill(second, SIGTERM)
            #expect(PassedListener.exitStatus(of: second) == 0)
        }

        @Test func missingSocketIsRefusedByName() throws {
            let run = try ReleaseBinary.run(["serve"], environment: ["VEDUTA_LISTEN": "systemd"])
            #expect(run.status == 2)
            #expect(run.text.contains("LISTEN_FDS") && run.text.contains(".socket"), "\(run.text)")
        }
    }
}

/// Starts the release binary as a service manager does.
private enum PassedListener {
    /// The id of the process, which has `listener` as descriptor 3.
    static func spawnServer(on listener: borrowing FileDescriptor) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // By way of a high number: a descriptor that is 3 already would keep its close-on-exec flag.
        let copy = fcntl(listener.rawValue, F_DUPFD_CLOEXEC, 700)
        defer { close(copy) }
        posix_spawn_file_actions_adddup2(&actions, copy, 3)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The shell knows its process id, which stays the same in what it becomes.
        let script = "LISTEN_PID=$$ exec \"$0\" serve --listen systemd"
        let binary = ReleaseBinary.path ?? "/nonexistent"
        let arguments = Self.copies(["sh", "-c", script, binary])
        let variables = Self.copies(["LISTEN_FDS=1", "PATH=/usr/bin:/bin"])
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/sh", &actions, nil, arguments, variables)
        guard code == 0 else { throw Errno(code: code) }
        return process
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }

    static func exitStatus(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status & 0x7f == 0 else { return nil }
        return status >> 8 & 0xff
    }
}
