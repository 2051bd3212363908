import Foundation
import Glibc
import Reactor
import TestSupport

/// The release binary under test.
enum ReleaseBinary {
    /// `$VEDUTA_BINARY`, else the release that lies in `.build`; nil when there is none.
    static let path: String? = {
        let candidates: [String?] = [
            ProcessInfo.processInfo.environment["VEDUTA_BINARY"],
            SharedData.packageRoot.appending(path: ".build/release/veduta").path,
        ]
        return candidates.compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static let isPresent = path != nil

    /// Runs it to its end, up to three times until that takes less than a second: the machine may be busy.
    static func runQuickly(_ arguments: [String], environment: [String: String] = [:]) throws -> FinishedRun {
        for _ in 0..<2 {
            let attempt = try run(arguments, environment: environment)
            if attempt.took < .seconds(1) { return attempt }
        }
        return try run(arguments, environment: environment)
    }

    /// Runs it to its end, which must come within `limit`.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], limit: Duration = .seconds(20)
    ) throws -> FinishedRun {
        let child = try Child(arguments, environment: environment)
        let started = ContinuousClock.now
        let status = child.wait(limit: limit)
        return FinishedRun(status: status, text: child.text, took: ContinuousClock.now - started)
    }
}

/// A run of the binary that is over.
struct FinishedRun {
    /// The exit status; nil when the run had to be killed.
    let status: Int32?
    /// Standard output and standard error.
    let text: String
    let took: Duration
}

/// A child process whose words are kept. It is killed with its owner.
final class Child {
    private let process = Process()
    private let log: URL

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        log = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let handle = try FileHandle(forWritingTo: log)
        process.executableURL = URL(filePath: ReleaseBinary.path ?? "/nonexistent")
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("VEDUTA_") }
        variables.merge(environment) { _, new in new }
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        try handle.close()
    }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: log)
    }

    var isRunning: Bool { process.isRunning }

    /// What it has written so far.
    var text: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// Resident octets.
    var residentByteCount: Int {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// Open files and sockets.
    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count) ?? 0
    }

    /// Takes away the right to have more files open than `count`.
    func limitDescriptors(to count: Int) throws {
        let arguments = ["--pid", "\(process.processIdentifier)", "--nofile=\(count):\(count)"]
        let tool = try Process.run(URL(filePath: "/usr/bin/prlimit"), arguments: arguments)
        tool.waitUntilExit()
        guard tool.terminationStatus == 0 else { throw Client.Failure(description: "prlimit failed") }
    }

    func signal(_ number: Int32) {
        Glibc.kill(process.processIdentifier, number)
    }

    /// The exit status, or nil when it did not end in time and was killed, or ended by a signal.
    func wait(limit: Duration) -> Int32? {
        let deadline = ContinuousClock.now + limit
        while process.isRunning {
            if ContinuousClock.now > deadline {
                signal(SIGKILL)
                return nil
            }
            usleep(2000)
        }
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}

/// The release binary as a server on a free port of loopback.
final class ReleaseServer {
    let address: String
    let library: TestLibrary
    private let child: Child
    private let client: Client

    /// Starts it on the library and archive that are there, and waits until it is ready.
    init(_ options: [String] = [], library: TestLibrary? = nil) throws {
        let library = try library ?? TestLibrary.standard.get()
        address = "127.0.0.1:\(try Self.freePort())"
        self.library = library
        client = try Client(address)
        child = try Child(
            ["serve", "--listen", address, "--library", library.folder.path]
                + (library.mapArchive.map { ["--map-archive", $0] } ?? []) + options)
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? client.get("/health/ready"))?.status != 200 {
            guard child.isRunning, ContinuousClock.now < deadline else { throw StartFailure(log: child.text) }
            usleep(10_000)
        }
    }

    struct StartFailure: Error {
        let log: String
    }

    var isRunning: Bool { child.isRunning }
    var log: String { child.text }
    var residentByteCount: Int { child.residentByteCount }
    var descriptorCount: Int { child.descriptorCount }

    func limitDescriptors(to count: Int) throws { try child.limitDescriptors(to: count) }

    /// Asks for `target`.
    func get(_ target: String, _ fields: [String: String] = [:]) throws -> Reply {
        try client.get(target, fields)
    }

    /// The sum of the series of a metric whose names begin with `prefix`.
    func metric(_ prefix: String) throws -> Double {
        try get("/metrics").text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    /// Tells it to end; the exit status comes within `limit` or is nil.
    func stop(signal: Int32 = SIGTERM, limit: Duration = .seconds(15)) -> Int32? {
        child.signal(signal)
        return child.wait(limit: limit)
    }

    func signal(_ number: Int32) { child.signal(number) }
    func wait(limit: Duration) -> Int32? { child.wait(limit: limit) }

    private static func freePort() throws -> UInt16 {
        guard let any = SocketAddress("127.0.0.1:0") else { return 0 }
        let listener = try Listener.bind(any, backlog: 1)
        return try listener.localAddress().port ?? 0
    }
}
