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

    /// Runs it to its end, which must come by itself.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> FinishedRun {
        let child = try Child(arguments, environment: environment)
        let status = child.wait()
        return FinishedRun(status: status, text: child.text)
    }

    /// Whether `veduta health` finds a server ready, which it gives up after two seconds.
    static func saysReady(_ arguments: [String], environment: [String: String] = [:]) -> Bool {
        eventually { (try? run(["health"] + arguments, environment: environment).status) == 0 }
    }
}

/// A run of the binary that is over.
struct FinishedRun {
    /// The exit status; nil when the run had to be killed.
    let status: Int32?
    /// Standard output and standard error.
    let text: String
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

    var residentByteCount: Int { Self.residentByteCount(of: process.processIdentifier) }

    /// 0 where the process is gone.
    static func residentByteCount(of process: pid_t) -> Int {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// Open files and sockets.
    var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count) ?? 0
    }

    /// The processes that it has started.
    var children: [pid_t] {
        let tasks = "/proc/\(process.processIdentifier)/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return names.flatMap { name in
            let text = try? String(contentsOfFile: "\(tasks)/\(name)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// Takes away the right to have more files open than `count`.
    func limitDescriptors(to count: Int) throws {
        let arguments = ["--pid", "\(process.processIdentifier)", "--nofile=\(count):\(count)"]
        let tool = try Process.run(URL(filePath: "/usr/bin/prlimit"), arguments: arguments)
        tool.waitUntilExit()
        guard tool.terminationStatus == 0 else { throw Client.Failure(description: "prlimit failed") }
    }

    func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

    /// The exit status, or nil when it did not end in minutes, far more than the slowest machine takes, and was killed, or
    /// ended by a signal.
    func wait() -> Int32? {
        let deadline = ContinuousClock.now + .seconds(180)
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

    /// Time limits that are in no test's way, however slow the machine is; a test of one names it in its options.
    private static let patience = [
        "--head-timeout", "600", "--idle-timeout", "600", "--write-timeout", "600", "--content-timeout", "600",
        "--render-timeout", "600", "--drain-timeout", "180",
    ]

    /// Starts it on the library and archive that are there, and waits until it is ready.
    init(_ options: [String] = [], library: TestLibrary? = nil) throws {
        let library = try library ?? TestLibrary.standard.get()
        self.library = library
        let child = try Child(
            ["serve", "--listen", "127.0.0.1:0", "--library", library.folder.path]
                + (library.mapArchive.map { ["--map-archive", $0] } ?? []) + Self.patience + options)
        // The system chooses the port: one that was free a moment ago may be another test's.
        var address: Substring?
        _ = eventually {
            address = child.text.split(separator: "\n").compactMap { $0.split(separator: "listening on http://").last }
                .first { $0.hasPrefix("127.0.0.1:") }
            return address != nil || !child.isRunning
        }
        guard let address else { throw StartFailure(log: child.text) }
        let client = try Client(String(address))
        guard eventually({ (try? client.get("/health/ready"))?.status == 200 || !child.isRunning }), child.isRunning
        else { throw StartFailure(log: child.text) }
        self.address = String(address)
        self.child = child
        self.client = client
    }

    struct StartFailure: Error { let log: String }

    var isRunning: Bool { child.isRunning }
    var log: String { child.text }
    var residentByteCount: Int { child.residentByteCount }
    var descriptorCount: Int { child.descriptorCount }
    var children: [pid_t] { child.children }

    func limitDescriptors(to count: Int) throws { try child.limitDescriptors(to: count) }

    /// Asks for `target`.
    func get(_ target: String, _ fields: [String: String] = [:]) throws -> Reply { try client.get(target, fields) }

    /// The sum of the series of a metric, by its name or the beginning of a series.
    func metric(_ prefix: String) throws -> Double {
        // A name is no part of a longer one.
        try get("/metrics").text.split(separator: "\n").filter { line in
            line.hasPrefix(prefix) && (prefix.contains("{") || " {".contains(line.dropFirst(prefix.count).prefix(1)))
        }
        .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    /// Tells it to end; the exit status, or nil when it does not end by itself.
    func stop(signal: Int32 = SIGTERM) -> Int32? {
        child.signal(signal)
        return child.wait()
    }

    func signal(_ number: Int32) { child.signal(number) }
    func wait() -> Int32? { child.wait() }
}
