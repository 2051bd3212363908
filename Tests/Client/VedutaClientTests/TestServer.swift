import Foundation
import Testing

@testable import VedutaClient

/// The release binary as a server on a free port of loopback, ended with its owner.
final class TestServer: Sendable {
    /// `$VEDUTA_BINARY`, else the release that lies in `.build`; nil when there is none.
    static let binary: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
        let candidates: [String?] = [
            ProcessInfo.processInfo.environment["VEDUTA_BINARY"], root.appending(path: ".build/release/veduta").path,
        ]
        return candidates.compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static let isPresent = binary != nil

    let service: VedutaEndpoint
    let folder: TestFolder
    private let process: ChildProcess
    private let transport = URLSessionTransport()

    /// Starts it on the sample images and an empty folder of uploads, whose token is `secret`.
    init(_ options: [String] = [], token: (any TokenSource)? = FixedToken("secret")) async throws {
        folder = try TestFolder()
        let pictures = try Self.samples.get().appending(path: "pictures").path
        let uploads = try folder.make("uploads")
        process = try ChildProcess(
            ["serve", "--listen", "127.0.0.1:0", "--library", pictures, "--uploads", uploads.path] + options,
            log: folder.url.appending(path: "log"), environment: ["VEDUTA_TOKEN": "secret"])
        let process = process
        var address: Substring?
        for _ in 0..<3000 where address == nil {
            address = process.text.split(separator: "\n").compactMap {
                $0.split(separator: "listening on http://").last
            }
            .first { $0.hasPrefix("127.0.0.1:") }
            if address == nil { try await Task.sleep(for: .milliseconds(10)) }
        }
        let base = URL(string: "http://" + (address.map(String.init) ?? ""))
        guard let base, address != nil else { throw Failure(text: process.text) }
        service = VedutaEndpoint(base, name: "test\(base.port ?? 0)", token: token)
    }

    struct Failure: Error { let text: String }

    /// The images that `veduta sample` writes.
    private static let samples: Result<URL, any Error> = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-client-samples-\(getpid())")
        let child = try ChildProcess(
            ["sample", folder.path],
            log: FileManager.default.temporaryDirectory.appending(path: "veduta-sample-\(getpid())"))
        child.process.waitUntilExit()
        return folder
    }

    func stop() { process.process.terminate() }

    func kill() { process.kill() }

    /// A client with an empty cache of its own.
    func client(_ policy: ClientPolicy = ClientPolicy(), cache: ImageURLCache? = nil) throws -> VedutaClient {
        VedutaClient(service, cache: try cache ?? newCache(), policy: policy)
    }

    func newCache() throws -> ImageURLCache { ImageURLCache(folder: try folder.make("cache-\(UUID().uuidString)")) }

    /// The answer of plain HTTP.
    func plain(_ target: String, _ fields: HTTPFields = [:]) async throws -> HTTPResponse {
        try await transport.exchange(HTTPRequest(try service.url(target), fields: fields), TransportEvents())
    }

    /// The sum of the series of a metric whose names begin with `prefix`.
    func metric(_ prefix: String) async throws -> Double {
        String(decoding: try await plain("/metrics").content, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix(prefix) }.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
            .reduce(0, +)
    }
}

/// A child process whose words go to a file. It is killed with its owner.
final class ChildProcess: @unchecked Sendable {
    // Proof for `@unchecked Sendable`: nothing changes after `init`, and signals may be sent from any thread.
    let process = Process()
    private let log: URL

    init(_ arguments: [String], log: URL, environment: [String: String] = [:], program: String? = nil) throws {
        self.log = log
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let handle = try FileHandle(forWritingTo: log)
        process.executableURL = URL(filePath: program ?? TestServer.binary ?? "/nonexistent")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("VEDUTA_") }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        try handle.close()
    }

    /// A program that is built with the tests, beside them.
    static func built(_ name: String) throws -> String {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: name).path
        try #require(FileManager.default.isExecutableFile(atPath: program))
        return program
    }

    static func driver(_ arguments: [String], log: URL) throws -> ChildProcess {
        try ChildProcess(arguments, log: log, program: built("ClientDriver"))
    }

    deinit { kill() }

    var text: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
}

/// A temporary folder that goes with its owner.
final class TestFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "veduta-client-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func make(_ name: String) throws -> URL {
        let folder = url.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips without the release binary.
    static var needsServer: Self {
        .enabled(if: TestServer.isPresent, "no release binary: set VEDUTA_BINARY or use scripts/test")
    }
}
