import Bytes
import Glibc
import Reactor
import Testing

@testable import HTTPServer

/// Files and ranges in the queue; memory alone is in `OutputQueueTests`.
@Suite(.timeLimit(.minutes(5))) struct OutputQueueFileTests {
    private static func byteArray(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B1) >> 24) }
    }

    private static func file(_ data: [UInt8], byteCount: Int? = nil) throws -> SharedFile {
        let descriptor = try FileDescriptor.openSpool(in: "/tmp")
        let file = SharedFile(adopting: descriptor, byteCount: byteCount ?? data.count)
        try file.write(data, at: 0)
        return file
    }

    @Test func ranges_comeOutInOrder_fromMemoryAndFiles() throws {
        let pair = try StreamSocket.makePair()
        let data = Self.byteArray(5000)
        let file = try Self.file(data)
        let bytes = SharedBytes(data)
        var queue = OutputQueue()
        queue.append { $0 += Array("head".utf8) }
        queue.append(
            .parts([
                .bytes(bytes, 10..<20), .file(file, 4000..<5000), .file(file, 7..<7), .file(file, 0..<1),
                .bytes(bytes, 30..<30), .bytes(bytes, 4999..<5000),
            ]))
        queue.append { $0 += Array("next".utf8) }
        queue.append(.file(file))
        var expected = Array("head".utf8)
        for range in [10..<20, 4000..<5000, 0..<1, 4999..<5000] { expected += data[range] }
        expected += Array("next".utf8)
        expected += data
        #expect(queue.appendedByteCount == expected.count)
        let outcome = queue.send(to: pair.near)
        #expect(outcome == .drained)
        #expect(queue.sentByteCount == expected.count)
        #expect(OutputQueueTests.receiveAll(pair.far) == expected)
    }

    @Test func partialSends_ofFiles_loseNothing() throws {
        let pair = try StreamSocket.makePair()
        let data = Self.byteArray(700_001)
        let file = try Self.file(data)
        var queue = OutputQueue()
        var expected: [UInt8] = []
        for index in 0..<3 {
            queue.append { $0 += [UInt8(index)] }
            queue.append(.parts([.file(file, index..<data.count), .bytes(SharedBytes(data), 0..<100_000)]))
            expected += [UInt8(index)] + data[index...] + data[..<100_000]
        }
        var received: [UInt8] = []
        var waits = 0
        while !queue.isEmpty, waits < 10_000 {
            if case .blocked = queue.send(to: pair.near) { waits += 1 }
            received += OutputQueueTests.receiveAll(pair.far)
        }
        received += OutputQueueTests.receiveAll(pair.far)
        #expect(waits > 0)
        #expect(received == expected)
        #expect(queue.sentByteCount == expected.count)
    }

    @Test func fileThatIsCutShort_isTheEnd_afterWhatThereWas() throws {
        let pair = try StreamSocket.makePair()
        let data = Self.byteArray(1000)
        var queue = OutputQueue()
        queue.append(.file(try Self.file(data, byteCount: 1001)))
        queue.append { $0 += [1] }
        let outcome = queue.send(to: pair.near)
        #expect(outcome == .gone)
        #expect(queue.sentByteCount == 1000)
        #expect(OutputQueueTests.receiveAll(pair.far) == data)
    }

    @Test func largeFile_isSentInTurns() throws {
        // A file takes the place of the socket, so that nothing ever blocks: sendfile(2) does not mind.
        let sink = try FileDescriptor.openSpool(in: "/tmp")
        let byteCount = OutputQueue.turnByteCount * 2 + 5
        let data = Self.byteArray(byteCount)
        var queue = OutputQueue()
        queue.append(.file(try Self.file(data)))
        var outcomes: [OutputQueue.Outcome] = []
        var sent: [Int] = []
        while !queue.isEmpty, outcomes.count < 10 {
            outcomes.append(queue.send(to: sink))
            sent.append(queue.sentByteCount)
        }
        #expect(outcomes == [.paused, .paused, .drained])
        #expect(sent == [OutputQueue.turnByteCount, 2 * OutputQueue.turnByteCount, byteCount])
        let copy = SharedFile(adopting: sink, byteCount: byteCount)
        var received = [UInt8](repeating: 0, count: byteCount + 1)
        let count = try received.withUnsafeMutableBytes { buffer in
            try Result { () throws(Errno) in try copy.read(into: buffer, from: 0) }.get()
        }
        #expect(count == byteCount && received.prefix(count) == data[...])
    }

    @Test func peerThatIsGone_isTold_inTheMiddleOfAFile() throws {
        let pair = try StreamSocket.makePair()
        var queue = OutputQueue()
        queue.append(.file(try Self.file(Self.byteArray(900_000))))
        let first = queue.send(to: pair.near)
        pair.far.shutDown()
        let second = queue.send(to: pair.near)
        #expect(first == .blocked)
        #expect(second == .gone)
    }
}
