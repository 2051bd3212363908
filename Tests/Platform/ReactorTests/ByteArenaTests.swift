import Bytes
import Reactor
import SeededRandom
import TestThreads
import Testing

@Suite("Byte arena", .timeLimit(.minutes(5)))
struct ByteArenaTests {
    private static func content(_ count: Int, _ byte: UInt8) -> SharedBytes {
        SharedBytes([UInt8](repeating: byte, count: count))
    }

    private static func isAll(_ byte: UInt8, _ content: SharedBytes) -> Bool {
        content.withUnsafeBytes { $0.allSatisfy { $0 == byte } }
    }

    @Test(arguments: 0..<4)
    func contents_stayAsTheyAre_whateverComesAndGoes(seed: Int) throws {
        var numbers = SeededGenerator(state: UInt64(seed))
        let arena = try #require(ByteArena(reserving: 13 << 20))
        var held: [(byte: UInt8, copy: SharedBytes)] = []
        var byteCount = 0
        for round in 0..<2000 {
            let byte = UInt8(truncatingIfNeeded: round)
            let most = [40, 2000, 20_000][Int(numbers.next() % 3)]
            let count = 1 + Int(numbers.next() % UInt64(most))
            if byteCount + count < 3 << 20 {
                let copy = try #require(arena.copy(Self.content(count, byte)))
                #expect(copy.count == count)
                held.append((byte, copy))
                byteCount += count
            }
            if numbers.next() % 3 == 0 || byteCount > 2 << 20 {
                let left = held.remove(at: Int(numbers.next() % UInt64(held.count)))
                #expect(Self.isAll(left.byte, left.copy))
                byteCount -= left.copy.count
            }
            #expect(arena.residentByteCount >= byteCount)
            #expect(arena.slackByteCount >= 0)
        }
        for (byte, copy) in held { #expect(Self.isAll(byte, copy)) }
        // Two pages at most lie at the ends of what is free between two contents.
        #expect(arena.residentByteCount < byteCount * 5 / 4 + held.count * 32)
        held.removeAll()
        #expect(arena.residentByteCount == 0)
        #expect(arena.slackByteCount == 0)
    }

    @Test func whatGoes_makesRoomForOthers() throws {
        let arena = try #require(ByteArena(reserving: 1 << 20))
        for round in 0..<50 {
            var held = (0..<9).compactMap { _ in arena.copy(Self.content(100_000, UInt8(round))) }
            #expect(held.count == 9)
            #expect(arena.copy(Self.content(200_000, 1)) == nil)
            for position in [7, 5, 3, 1] { held.remove(at: position) }
            #expect(arena.residentByteCount < 600_000)
            let again = arena.copy(Self.content(99_000, 2))
            #expect(again.map { Self.isAll(2, $0) } == true)
            for copy in held { #expect(Self.isAll(UInt8(round), copy)) }
        }
        #expect(arena.residentByteCount == 0)
    }

    @Test func nothing_andTooMuch_haveNoPlace() throws {
        let arena = try #require(ByteArena(reserving: 10_000))
        #expect(arena.copy(SharedBytes([])) == nil)
        #expect(arena.copy(Self.content(20_000, 1)) == nil)
        #expect(arena.copy(Self.content(1, 1)) != nil)
        #expect(ByteArena(reserving: .max).map { $0.residentByteCount } ?? 0 == 0)
    }

    @Test func copies_outliveTheirArena() throws {
        var copy: SharedBytes?
        do {
            let arena = try #require(ByteArena(reserving: 1 << 20))
            copy = arena.copy(Self.content(50_000, 7))
        }
        #expect(copy.map { Self.isAll(7, $0) } == true)
        copy = nil
    }

    @Test func threads_mayUseItTogether() throws {
        let arena = try #require(ByteArena(reserving: 8 << 20))
        onThreads(4) { thread in
            var numbers = SeededGenerator(state: UInt64(thread))
            var held: [SharedBytes] = []
            for _ in 0..<500 {
                let count = 1 + Int(numbers.next() % 20_000)
                if let copy = arena.copy(Self.content(count, UInt8(thread))) { held.append(copy) }
                guard held.count > 20 else { continue }
                let isIntact = Self.isAll(UInt8(thread), held.remove(at: Int(numbers.next() % 20)))
                #expect(isIntact)
            }
            let areIntact = held.allSatisfy { Self.isAll(UInt8(thread), $0) }
            #expect(areIntact)
        }
        #expect(arena.residentByteCount == 0)
    }
}
