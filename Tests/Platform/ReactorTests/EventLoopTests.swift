import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct EventLoopTests {
    @Test func bytesThatArrive_areTold() throws {
        let loop = try EventLoop()
        let pair = try StreamSocket.makePair()
        let recorder = Recorder()
        _ = try loop.add(pair.near.rawValue, .read, recorder)
        try loop.turn(maximumWait: .zero)
        #expect(recorder.seen.isEmpty)
        #expect(pair.far.sendText("hello") == .bytes(5))
        try loop.turn(maximumWait: .seconds(5))
        #expect(recorder.seen == [.readable])
        #expect(pair.near.receiveText() == "hello")
        #expect(pair.near.receiveResult() == .wouldBlock)
        try loop.turn(maximumWait: .zero)
        #expect(recorder.seen.count == 1)
    }

    @Test func roomToSend_isTold_whenTheFullSocketIsRead() throws {
        let loop = try EventLoop()
        let pair = try StreamSocket.makePair()
        let recorder = Recorder()
        let block = [UInt8](repeating: 7, count: 65_536)
        while case .bytes = block.withUnsafeBytes({ pair.near.send($0) }) {}
        _ = try loop.add(pair.near.rawValue, .write, recorder)
        try loop.turn(maximumWait: .zero)
        #expect(recorder.seen.isEmpty)
        var sink = [UInt8](repeating: 0, count: 65_536)
        while case .bytes = sink.withUnsafeMutableBytes({ pair.far.receive(into: $0) }) {}
        try loop.turn(maximumWait: .seconds(5))
        #expect(recorder.seen == [.writable])
    }

    @Test func endOfThePeersStream_isTold() throws {
        let loop = try EventLoop()
        let pair = try StreamSocket.makePair()
        let recorder = Recorder()
        _ = try loop.add(pair.near.rawValue, .read, recorder)
        pair.far.shutDownSending()
        try loop.turn(maximumWait: .seconds(5))
        #expect(recorder.seen == [[.readable, .peerClosed]])
        #expect(pair.near.receiveResult() == .closed)
        #expect(pair.near.sendText("still heard") == .bytes(11))
    }

    @Test func readinessThatIsNotUsed_isToldOnce() throws {
        let loop = try EventLoop()
        let pair = try StreamSocket.makePair()
        let recorder = Recorder()
        let token = try loop.add(pair.near.rawValue, .read, recorder)
        _ = pair.far.sendText("a")
        try loop.turn(maximumWait: .seconds(5))
        try loop.turn(maximumWait: .zero)
        #expect(recorder.seen.count == 1)
        _ = pair.far.sendText("b")
        try loop.turn(maximumWait: .zero)
        #expect(recorder.seen.count == 2)
        try loop.modify(token, .read)
        try loop.turn(maximumWait: .zero)
        #expect(recorder.seen.count == 3, "modify tells again what is ready")
    }

    @Test func emptyInterest_pauses_andModifyTellsWhatWaited() throws {
        let loop = try EventLoop()
        let pair = try StreamSocket.makePair()
        let recorder = Recorder()
        let token = try loop.add(pair.near.rawValue, [], recorder)
        _ = pair.far.sendText("x")
        try loop.turn(maximumWait: .milliseconds(5))
        #expect(recorder.seen.isEmpty)
        try loop.modify(token, .read)
        try loop.turn(maximumWait: .seconds(5))
        #expect(recorder.seen == [.readable])
    }

    @Test func eventOfARemovedDescriptor_isDropped_afterItsSlotIsUsedAgain() throws {
        let loop = try EventLoop()
        let pairs = [try Box(StreamSocket.makePair()), try Box(StreamSocket.makePair())]
        let newcomer = try StreamSocket.makePair()
        let late = Recorder()
        var tokens: [EventToken] = []
        var told = 0
        for index in 0...1 {
            let recorder = Recorder()
            recorder.onReady = { _, loop in
                told += 1
                _ = pairs[index].value.near.receiveText()
                // Both are ready in this batch; whoever is told first removes the other and takes its slot.
                loop.remove(tokens[1 - index])
                let token = try? loop.add(newcomer.near.rawValue, .read, late)
                #expect(token?.slot == tokens[1 - index].slot)
                #expect(token?.generation != tokens[1 - index].generation)
            }
            tokens.append(try loop.add(pairs[index].value.near.rawValue, .read, recorder))
            _ = pairs[index].value.far.sendText("x")
        }
        try loop.turn(maximumWait: .seconds(5))
        #expect(told == 1)
        #expect(late.seen.isEmpty)
        #expect(loop.staleEventCount == 1)
        _ = newcomer.far.sendText("x")
        try loop.turn(maximumWait: .seconds(5))
        #expect(late.seen.contains(.readable))
    }

    @Test func removing_letsGoOfTheHandler_andTwiceIsNoError() throws {
        let loop = try EventLoop()
        let pair = try StreamSocket.makePair()
        weak var handler: Recorder?
        let token: EventToken
        do {
            let recorder = Recorder()
            handler = recorder
            token = try loop.add(pair.near.rawValue, .read, recorder)
        }
        #expect(handler != nil)
        #expect(loop.descriptorCount == 1)
        loop.remove(token)
        loop.remove(token)
        #expect(handler == nil)
        #expect(loop.descriptorCount == 0)
        #expect(throws: Errno.noSuchEntry) { try loop.modify(token, .read) }
    }

    @Test func wrongDescriptors_areErrorValues() throws {
        let loop = try EventLoop()
        let pair = try StreamSocket.makePair()
        _ = try loop.add(pair.near.rawValue, .read, Recorder())
        #expect(throws: Errno.alreadyExists) { _ = try loop.add(pair.near.rawValue, .read, Recorder()) }
        #expect(throws: Errno.badDescriptor) { _ = try loop.add(1_000_000, .read, Recorder()) }
        #expect(loop.descriptorCount == 1)
    }

    @Test func moreReadyDescriptorsThanOneBatch_areAllTold() throws {
        let loop = try EventLoop()
        var pairs: [Box] = []
        var recorders: [Recorder] = []
        for _ in 0..<300 {
            let pair = try Box(StreamSocket.makePair())
            let recorder = Recorder()
            let near = pair
            recorder.onReady = { _, _ in _ = near.value.near.receiveText() }
            _ = try loop.add(pair.value.near.rawValue, .read, recorder)
            _ = pair.value.far.sendText("x")
            pairs.append(pair)
            recorders.append(recorder)
        }
        for _ in 0..<4 { try loop.turn(maximumWait: .zero) }
        #expect(recorders.allSatisfy { $0.seen.count == 1 })
    }
}

/// Lets an array hold what cannot be copied.
final class Box {
    let value: StreamSocket.Pair
    init(_ value: consuming StreamSocket.Pair) { self.value = value }
}
