import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import VedutaClient

/// A process is killed in the middle of a transfer; another one goes on where it stopped.
@Suite(.timeLimit(.minutes(5)), .needsServer, .serialized)
struct KilledTransferTests {
    private static let byteCount = 50_000_000

    /// Bytes that say PNG, and nothing else that a codec would read; no two megabytes are equal.
    static func picture(of byteCount: Int = Self.byteCount) -> Data {
        var random = SeededGenerator(state: 50)
        let block = Data((0..<125_000).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })
        var data = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        data.reserveCapacity(byteCount + block.count)
        while data.count < byteCount {
            data.append(UInt8(data.count / block.count))
            data.append(block)
        }
        return data
    }

    /// Starts the driver, kills it when half is through, and lets another one finish. Its last line.
    private func run(_ arguments: [String], _ server: TestServer, _ proxy: CountingProxy) async throws -> String {
        let first = try ChildProcess.driver(arguments, log: server.folder.url.appending(path: "first.log"))
        while first.process.isRunning, proxy.byteCount < Self.byteCount / 2 {
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(first.process.isRunning)
        await Self.waitUntilIdle(first.process)
        first.kill()
        first.process.waitUntilExit()
        proxy.goOn()
        // A backtrace has the word too: on a busy machine the process may have given up waiting for the proxy.
        #expect(!first.text.split(separator: "\n").contains { $0.hasPrefix("done") })
        let second = try ChildProcess.driver(arguments, log: server.folder.url.appending(path: "second.log"))
        second.process.waitUntilExit()
        #expect(second.process.terminationStatus == 0, "\(second.text.suffix(6000))")
        return second.text.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// Until it has taken what the proxy sent: its processor time stands still. Ten seconds at most, before its request has
    /// waited too long.
    private static func waitUntilIdle(_ process: Process) async {
        var last = ""
        for _ in 0..<100 {
            let file = "/proc/\(process.processIdentifier)/stat"
            guard let line = try? String(contentsOfFile: file, encoding: .utf8) else { return }
            // utime and stime, behind the name, which may have blanks.
            let times = line.split(separator: ")").last?.split(separator: " ")[11...12].joined(separator: " ") ?? ""
            if times == last { return }
            last = times
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    @Test func download_isEndedByAnotherProcess() async throws {
        let server = try await TestServer(["--upload-limit", "100000000"])
        let picture = Self.picture()
        let source = server.folder.url.appending(path: "source.png")
        try picture.write(to: source)
        let id = try await server.client().upload(.file(source)).id
        let proxy = try CountingProxy(to: UInt16(server.service.base.port ?? 0), pausingAt: Self.byteCount / 2)
        defer { proxy.stop() }
        let file = server.folder.url.appending(path: "copy.png")
        let last = try await run(
            ["download", "http://127.0.0.1:\(proxy.port)/assets/\(id)/original", file.path], server, proxy)
        #expect(last == "done")
        #expect(try Data(contentsOf: file) == picture)
        let count = proxy.received.load(ordering: .relaxed)
        #expect(count >= picture.count && Double(count) < 1.1 * Double(picture.count), "\(count)")
    }

    @Test func upload_isEndedByAnotherProcess() async throws {
        let server = try await TestServer(["--upload-limit", "100000000"])
        let picture = Self.picture()
        let source = server.folder.url.appending(path: "source.png")
        try picture.write(to: source)
        let proxy = try CountingProxy(to: UInt16(server.service.base.port ?? 0), pausingAt: Self.byteCount / 2)
        defer { proxy.stop() }
        let last = try await run(
            ["upload", "http://127.0.0.1:\(proxy.port)", source.path, "secret"], server, proxy)
        #expect(last == "done \(contentID(of: picture))")
        let count = proxy.sent.load(ordering: .relaxed)
        #expect(count >= picture.count && Double(count) < 1.1 * Double(picture.count), "\(count)")
    }
}
