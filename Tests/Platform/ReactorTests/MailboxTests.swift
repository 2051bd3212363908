import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct MailboxTests {
    @Test func messagesPostedBetweenTurns_comeAsOneBatch() throws {
        let loop = try EventLoop()
        var batches: [[Int]] = []
        let mailbox = loop.makeMailbox { batches.append($0) }
        let other: Mailbox<String> = loop.makeMailbox { _ in Issue.record("nothing was posted") }
        for number in 1...3 { mailbox.post(number) }
        try loop.turn(maximumWait: .seconds(5))
        try loop.turn(maximumWait: .zero)
        mailbox.post(4)
        try loop.turn(maximumWait: .seconds(5))
        #expect(batches == [[1, 2, 3], [4]])
        withExtendedLifetime(other) {}
    }

    @Test func messagePostedWhileDraining_comesInTheNextTurn() throws {
        let loop = try EventLoop()
        let log = Log<Int>()
        let target: Mailbox<Int> = loop.makeMailbox { batch in batch.forEach(log.append) }
        let echo: Mailbox<Int> = loop.makeMailbox { batch in batch.forEach { target.post($0 * 10) } }
        echo.post(1)
        try loop.turn(maximumWait: .seconds(5))
        try loop.turn(maximumWait: .seconds(5))
        #expect(log.all == [10])
    }

    @Test func manyThreads_loseNothing_andKeepTheirOrder() throws {
        struct Message: Sendable {
            var sender: Int
            var number: Int
        }
        let log = Log<Message>()
        let thread = try LoopThread.start(name: "mailbox-loop") { loop in
            loop.makeMailbox { (batch: [Message]) in batch.forEach(log.append) }
        }
        let mailbox = thread.exports
        let senders = try (0..<4).map { sender in
            try OwnedThread.start(name: "sender-\(sender)") {
                for number in 0..<5_000 { mailbox.post(Message(sender: sender, number: number)) }
            }
        }
        for sender in senders { sender.join() }
        thread.stop()
        #expect(thread.join() == nil)
        let messages = log.all
        #expect(messages.count == 20_000)
        for sender in 0..<4 {
            #expect(messages.filter { $0.sender == sender }.map(\.number) == Array(0..<5_000))
        }
    }

    @Test func postingToALoopThatEnded_isHarmless() throws {
        let log = Log<Int>()
        let thread = try LoopThread.start(name: "short-loop") { loop in
            loop.makeMailbox { (batch: [Int]) in batch.forEach(log.append) }
        }
        thread.stop()
        thread.join()
        thread.exports.post(1)
        #expect(log.all.isEmpty)
    }
}
