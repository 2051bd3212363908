import Foundation
import Reactor
import Testing

@testable import Origin

/// Certificates of an authority that is made for one test run, in a folder that goes with this object.
final class TrialAuthority: Sendable {
    let folder: String

    /// Where OpenSSL's program is; nil where it is not installed, so that these tests are left out.
    static let program = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    init() throws {
        folder = NSTemporaryDirectory() + "veduta-tls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for authority in ["ca", "stranger"] {
            try run(
                [
                    "req", "-x509", "-keyout", "\(authority).key", "-out", "\(authority).pem", "-subj",
                    "/CN=\(authority)",
                ]
                    + Self.newKey)
        }
        for (name, authority, host, days) in [
            ("right", "ca", "pictures.test", 2), ("wrong", "ca", "other.test", 2), ("old", "ca", "pictures.test", -1),
            ("unknown", "stranger", "pictures.test", 2), ("client", "ca", "veduta", 2),
        ] {
            try run(
                [
                    "req", "-new", "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(host)", "-addext",
                    "subjectAltName=DNS:\(host)",
                ] + Self.newKey)
            try run([
                "x509", "-req", "-in", "\(name).csr", "-CA", "\(authority).pem", "-CAkey", "\(authority).key",
                "-copy_extensions", "copy", "-days", "\(days)", "-out", "\(name).pem",
            ])
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    /// The pin of a certificate's key, as `CURLOPT_PINNEDPUBLICKEY` takes it.
    func pin(_ name: String) throws -> String {
        try run(["x509", "-pubkey", "-noout", "-in", "\(name).pem", "-out", "\(name).pub"])
        try run(["pkey", "-pubin", "-in", "\(name).pub", "-outform", "der", "-out", "\(name).der"])
        try run(["dgst", "-sha256", "-binary", "-out", "\(name).sum", "\(name).der"])
        let sum = try Data(contentsOf: URL(fileURLWithPath: path("\(name).sum")))
        return "sha256//" + sum.base64EncodedString()
    }

    private func run(_ arguments: [String]) throws {
        try #require(try Program(arguments, in: folder).waitForEnd() == 0, "openssl \(arguments)")
    }
}

/// OpenSSL's program at work, with no signal blocked, whatever the thread that starts it has blocked.
private struct Program {
    let number: pid_t
    /// What it says; whoever reads it to its end closes it.
    let output: FileHandle

    init(_ arguments: [String], in folder: String) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let program = "/usr/bin/env"
        var words =
            ([program, "-C", folder, TrialAuthority.program ?? "openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var number: pid_t = 0
        let code = posix_spawn(&number, program, &actions, &attributes, &words, environ)
        close(ends[1])
        output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        try #require(code == 0)
        self.number = number
    }

    /// The status it ended with; -1 when a signal ended it.
    @discardableResult
    func waitForEnd() -> Int32 {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}

/// A server of TLS that answers `/NAME` with the file of that name, which holds a whole answer.
final class TLSOrigin {
    let port: UInt16
    private let program: Program

    init(_ authority: TrialAuthority, certificate: String, _ more: [String] = []) throws {
        program = try Program(
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "\(certificate).pem", "-key", "\(certificate).key",
                "-HTTP",
            ]
                + more, in: authority.folder)
        var said = Data()
        var port: UInt16?
        while port == nil {
            let piece = program.output.availableData
            guard !piece.isEmpty else { break }
            said += piece
            port = String(decoding: said, as: UTF8.self).firstMatch(of: /ACCEPT 127\.0\.0\.1:([0-9]+)\n/).flatMap {
                UInt16($0.1)
            }
        }
        self.port = try #require(port)
    }

    func stop() {
        kill(program.number, SIGTERM)
        program.waitForEnd()
    }
}
