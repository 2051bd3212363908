import Synchronization
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct OpenedPartsTests {
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
        var all: [String] { entries.withLock { $0 } }
    }

    @Test func parts_areClosedInReverse() {
        let log = Log()
        var parts = OpenedParts()
        for name in ["disk", "workers", "server"] { parts.add { log.add(name) } }
        #expect(parts.close())
        #expect(log.all == ["server", "workers", "disk"])
    }

    /// Workers that cannot be stopped still use the disk.
    @Test func whatAPartThatRefusesMayUse_staysOpen() {
        let log = Log()
        var parts = OpenedParts()
        parts.add { log.add("disk") }
        parts.add(closingIfIdle: {
            log.add("workers")
            return false
        })
        parts.add { log.add("server") }
        #expect(!parts.close())
        #expect(log.all == ["server", "workers"])
    }
}
