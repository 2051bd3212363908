import Bytes
import HTTPMessage
import Reactor
import Testing

@testable import HTTPServer

/// Content that is held in memory whatever its length, as far as there is room (#15.10).
@Suite(.timeLimit(.minutes(5))) struct ContentMemoryTests {
    private let memory = ContentMemory(byteLimit: 6000, freeByteCount: 1000)

    private func intake(_ count: Int, of client: UInt32 = 1) -> ContentIntake {
        var settings = ServerSettings()
        // What a connection may collect on its way to a file is no measure.
        settings.contentBufferByteCount = 3000
        settings.spoolFolder = "/nowhere"
        return ContentIntake(
            ContentRule(byteLimit: 4000, memory: memory.share(of: ClientNetwork(ipv4: client))), .length(count),
            settings: settings)
    }

    /// Feeds all of it, a hundred bytes at a time; the content.
    private func take(_ count: Int, _ intake: ContentIntake) throws(RequestFailure) -> RequestContent? {
        let piece = [UInt8](repeating: 7, count: 100)
        for _ in 0..<(count / 100) {
            _ = try intake.consume(piece.span.bytes)
            if case .complete(let content) = intake.turn { return content }
        }
        return nil
    }

    @Test func itIsNeverStored_andCountsBeyondItsFirstBytes() throws {
        var content = try take(4000, intake(4000))
        guard case .bytes(let bytes)? = content else {
            Issue.record("not in memory")
            return
        }
        #expect(bytes.count == 4000)
        #expect(memory.byteCount == 3000)
        withExtendedLifetime(bytes) {}
        content = nil
    }

    @Test func itsShareIsGivenBack_withTheContent() throws {
        do {
            let content = try take(2000, intake(2000))
            #expect(content?.byteCount == 2000)
            #expect(memory.byteCount == 1000)
        }
        #expect(memory.byteCount == 0)
    }

    @Test func whereThereIsNoRoom_itIsRefused_andTheRestStays() throws {
        let first = try take(3500, intake(3500))
        #expect(memory.byteCount == 2500)
        let second = intake(2000)
        #expect(throws: RequestFailure.contentMemoryFull) { try take(2000, second) }
        #expect(memory.byteCount == 3000)
        // A little is everybody's.
        let third = try take(1000, intake(1000))
        #expect(third?.byteCount == 1000)
        withExtendedLifetime((first, second)) {}
    }

    /// The first 64 KiB of each content were in no bound, and 4,096 connections of one address held 256 MB.
    @Test func contentOfABuffer_counts() throws {
        let memory = ContentMemory(byteLimit: 1 << 20)
        var held: [ContentIntake] = []
        var refusedCount = 0
        let piece = [UInt8](repeating: 7, count: 65_535)
        for _ in 0..<100 {
            let share = memory.share(of: ClientNetwork(ipv4: 1))
            let intake = ContentIntake(
                ContentRule(byteLimit: 65_536, memory: share), .length(65_536), settings: ServerSettings())
            do throws(RequestFailure) {
                _ = try intake.consume(piece.span.bytes)
                held.append(intake)
            } catch {
                #expect(error == .contentMemoryFull)
                refusedCount += 1
            }
        }
        #expect(held.count == 8 && refusedCount == 92)
        #expect(memory.byteCount == 8 * (65_535 - 4096))
        let small = ContentIntake(
            ContentRule(byteLimit: 65_536, memory: memory.share(of: ClientNetwork(ipv4: 1))), .length(4096),
            settings: ServerSettings())
        let start = Array(piece[..<4096])
        let takenCount = try small.consume(start.span.bytes)
        #expect(takenCount == 4096, "a little is free")
        held = []
        #expect(memory.byteCount == 0)
    }

    /// #17: one address could take all of it.
    @Test func aClient_takesAsMuchAsItLeavesForOthers() throws {
        let first = try take(4000, intake(4000))
        let second = intake(4000)
        #expect(throws: RequestFailure.contentMemoryFull) { try take(4000, second) }
        #expect(memory.byteCount == 3000, "half")
        let others = intake(4000, of: 2)
        #expect(throws: RequestFailure.contentMemoryFull) { try take(4000, others) }
        #expect(memory.byteCount == 4500, "half of the rest")
        let third = try take(1700, intake(1700, of: 3))
        #expect(third != nil)
        withExtendedLifetime((first, second, others)) {}
    }
}
