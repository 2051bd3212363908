import Bytes
import Reactor
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct OutputQueueTests {
    private static func byteArray(_ count: Int, seed: UInt8) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) ^ seed }
    }

    static func receiveAll(_ socket: borrowing FileDescriptor) -> [UInt8] {
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case .bytes(let count) = chunk.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            received += chunk[..<count]
        }
        return received
    }

    @Test func headsAndContents_comeOutInOrder() throws {
        let pair = try StreamSocket.makePair()
        var queue = OutputQueue()
        queue.append { $0 += Array("head 1,".utf8) }
        queue.append(.bytes(SharedBytes(Array("content 1,".utf8))))
        queue.append { $0 += Array("head 2,".utf8) }
        queue.append { $0 += Array("head 3,".utf8) }
        queue.append(.bytes(SharedBytes([])))
        queue.append(.bytes(SharedBytes(Array("content 3".utf8))))
        #expect(queue.count == 4)
        let result = queue.send(to: pair.near)
        let received = String(decoding: Self.receiveAll(pair.far), as: UTF8.self)
        #expect(result == .drained)
        #expect(queue.isEmpty)
        #expect(received == "head 1,content 1,head 2,head 3,content 3")
    }

    @Test func partialSends_loseNothing() throws {
        let pair = try StreamSocket.makePair()
        var queue = OutputQueue()
        var expected: [UInt8] = []
        for index in 0..<5 {
            let head = Self.byteArray(1000 + index, seed: UInt8(index))
            let content = Self.byteArray(300_000 + index * 7, seed: UInt8(100 + index))
            queue.append { $0 += head }
            queue.append(.bytes(SharedBytes(content)))
            expected += head + content
        }
        var received: [UInt8] = []
        var waits = 0
        while !queue.isEmpty, waits < 1000 {
            if case .blocked = queue.send(to: pair.near) { waits += 1 }
            received += Self.receiveAll(pair.far)
        }
        #expect(waits > 0)
        #expect(queue.sentByteCount == expected.count)
        #expect(received == expected)
    }

    @Test func appendingBetweenPartialSends_keepsTheOrder() throws {
        let pair = try StreamSocket.makePair()
        var queue = OutputQueue()
        let first = Self.byteArray(1 << 20, seed: 3)
        queue.append(.bytes(SharedBytes(first)))
        let result = queue.send(to: pair.near)
        #expect(result == .blocked)
        queue.append { $0 += [1, 2, 3] }
        queue.append { $0 += [4, 5] }
        var received: [UInt8] = []
        for _ in 0..<1000 where !queue.isEmpty {
            received += Self.receiveAll(pair.far)
            _ = queue.send(to: pair.near)
        }
        received += Self.receiveAll(pair.far)
        #expect(received == first + [1, 2, 3, 4, 5])
    }

    @Test func morePiecesThanOneCallTakes_allGo() throws {
        let pair = try StreamSocket.makePair()
        var queue = OutputQueue()
        var expected: [UInt8] = []
        for index in 0..<(FileDescriptor.gatherLimit * 2 + 3) {
            let byte = UInt8(truncatingIfNeeded: index)
            queue.append(.bytes(SharedBytes([byte])))
            expected.append(byte)
        }
        let result = queue.send(to: pair.near)
        let received = Self.receiveAll(pair.far)
        #expect(result == .drained)
        #expect(received == expected)
    }

    @Test func closedPeer_isTold() throws {
        let pair = try StreamSocket.makePair()
        pair.far.shutDown()
        var queue = OutputQueue()
        queue.append { $0 += [1] }
        let result = queue.send(to: pair.near)
        #expect(result == .gone)
        queue.removeAll()
        #expect(queue.isEmpty)
    }

    @Test func contentWithoutAHead_staysWithItsQueue_whenStorageIsTaken() throws {
        let pair = try StreamSocket.makePair()
        var spare = OutputQueue()
        var queue = OutputQueue()
        queue.append(.bytes(SharedBytes([1, 2, 3])))
        #expect(!queue.hasStorage)
        queue.takeStorage(of: &spare)
        #expect(spare.isEmpty && !queue.isEmpty)
        var other = OutputQueue()
        other.takeStorage(of: &queue)
        #expect(other.isEmpty)
        let result = queue.send(to: pair.near)
        #expect(result == .drained)
        #expect(Self.receiveAll(pair.far) == [1, 2, 3])
    }

    @Test func storage_isFreedWhereTheSpareOneHasItsOwn() throws {
        let pair = try StreamSocket.makePair()
        var spare = OutputQueue()
        for _ in 0..<2 {
            // As an answer that comes later is queued: before any storage is taken.
            var queue = OutputQueue()
            queue.append { $0 += [1, 2, 3] }
            let result = queue.send(to: pair.near)
            #expect(result == .drained)
            queue.leaveStorage(to: &spare)
            #expect(!queue.hasStorage)
            #expect(spare.hasStorage)
        }
    }

    @Test func queueIsUsedAgain_afterAllIsSent() throws {
        let pair = try StreamSocket.makePair()
        var queue = OutputQueue()
        for text in ["one", "two"] {
            queue.append { $0 += Array(text.utf8) }
            let result = queue.send(to: pair.near)
            let received = Self.receiveAll(pair.far)
            #expect(result == .drained)
            #expect(received == Array(text.utf8))
        }
    }
}
