import Foundation
import Glibc
import Reactor
import ServiceConfiguration
import Telemetry
import Testing
import TestSupport

@testable import AccessLogging

extension AccessLog {
    fileprivate func append(_ line: [UInt8], from index: Int) { line.withUnsafeBytes { append($0, from: index) } }
}

@Suite(.timeLimit(.minutes(5))) struct AccessLogTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "veduta-log-\(UUID().uuidString)")
    private let dropped = Counter()

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String = "access.log") -> String { folder.appending(path: name).path }

    private func lines(_ name: String = "access.log") -> [String] {
        let text = (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    @Test func linesOfAllLoops_areWritten_whenTheLogIsClosed() throws {
        defer { remove() }
        let log = try AccessLog(loopCount: 3, dropped: dropped)
        try log.open(.json, path: path())
        for number in 0..<300 { log.append(Array("\(number)\n".utf8), from: number % 3) }
        log.close()
        #expect(lines().compactMap { Int($0) }.sorted() == Array(0..<300))
        #expect(dropped.value == 0)
    }

    @Test func linesOfOneLoop_keepTheirOrder_acrossBatches() throws {
        defer { remove() }
        let log = try AccessLog(loopCount: 1, dropped: dropped)
        try log.open(.common, path: path())
        for number in 0..<20 {
            log.append(Array("\(number)\n".utf8), from: 0)
            if number % 5 == 4 { #expect(eventually { lines().count == number + 1 }) }
        }
        log.close()
        #expect(lines().compactMap { Int($0) } == Array(0..<20))
    }

    @Test func movedFile_isLeft_whenTheLogIsOpenedAgain() throws {
        defer { remove() }
        let log = try AccessLog(loopCount: 1, dropped: dropped)
        try log.open(.json, path: path())
        log.append(Array("one\n".utf8), from: 0)
        #expect(eventually { lines() == ["one"] })
        try FileManager.default.moveItem(atPath: path(), toPath: path("access.log.1"))
        log.append(Array("two\n".utf8), from: 0)
        #expect(eventually { lines("access.log.1") == ["one", "two"] })
        try log.open(.json, path: path())
        log.append(Array("three\n".utf8), from: 0)
        log.close()
        #expect(lines() == ["three"])
        #expect(lines("access.log.1") == ["one", "two"])
    }

    @Test func fileThatCannotBeOpened_isRefused_andTheOneBeforeStays() throws {
        defer { remove() }
        let log = try AccessLog(loopCount: 1, dropped: dropped)
        try log.open(.json, path: path())
        #expect(throws: Errno.self) { try log.open(.common, path: path("absent/access.log")) }
        #expect(log.format == .json)
        log.append(Array("one\n".utf8), from: 0)
        log.close()
        #expect(lines() == ["one"])
    }

    @Test func pipeThatNobodyReads_isRefusedInsteadOfWaitedFor() throws {
        defer { remove() }
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        let log = try AccessLog(loopCount: 1, dropped: dropped)
        #expect(throws: Errno(code: ENXIO)) { try log.open(.json, path: path("pipe")) }
        log.close()
    }

    @Test func readerThatHangs_costsLines_andNeitherMemoryNorTheEnd() throws {
        defer { remove() }
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        let reader = Glibc.open(path("pipe"), O_RDONLY | O_NONBLOCK)
        let log = try AccessLog(loopCount: 1, dropped: dropped)
        try log.open(.json, path: path("pipe"))
        let line = [UInt8](repeating: 0x78, count: 1023) + [0x0a]
        // One batch hangs in the pipe, one fills the shelf, the third has nowhere to go.
        for _ in 0..<3 {
            for _ in 0..<(AccessLog.pendingByteLimit / 1024) { log.append(line, from: 0) }
            Processors.pause(.milliseconds(100))
        }
        #expect(dropped.value > 0)
        log.close()
        // The writer learns that nobody reads any more, and ends.
        close(reader)
        #expect(eventually { dropped.value > 1024 })
    }

    @Test func logThatIsTurnedOff_writesWhatWaits() throws {
        defer { remove() }
        let log = try AccessLog(loopCount: 1, dropped: dropped)
        try log.open(.json, path: path())
        log.append(Array("last\n".utf8), from: 0)
        try log.open(.off, path: nil)
        #expect(log.format == .off)
        log.close()
        #expect(lines() == ["last"])
    }
}
