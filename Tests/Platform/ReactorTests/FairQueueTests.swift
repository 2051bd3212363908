import Bytes
import SeededRandom
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct FairQueueTests {
    private static let (alice, bob, carol) = (client(1), client(2), client(3))
    private static func client(_ address: UInt32) -> ClientNetwork { ClientNetwork(ipv4: address) }

    /// A queue whose jobs tell their names, and what they were told.
    private final class Line {
        private var queue: FairQueue
        private let ran = Log<String>()
        private let lost = Log<String>()

        init(capacity: Int = 32) { queue = FairQueue(capacity: capacity) }

        var count: Int { queue.count }
        var displaced: [String] { lost.all }

        @discardableResult
        func add(
            _ name: String, _ client: ClientNetwork?, mayBeDisplaced: Bool = true, cancelledBy flag: SharedFlag? = nil
        ) -> Bool {
            let (ran, lost) = (ran, lost)
            var job = QueuedJob(run: { ran.append(name) }, cancellation: flag, client: client)
            if mayBeDisplaced { job.displaced = { lost.append(name) } }
            if queue.append(job) { return true }
            guard let other = queue.displace(for: client) else { return false }
            other.displaced?()
            return queue.append(job)
        }

        func hasten(_ flag: SharedFlag, for client: ClientNetwork?) -> Bool { queue.hasten(flag, for: client) }

        func removeCancelled() -> Int { queue.removeCancelled().count }

        /// The names in the order in which they come out.
        func drain() -> [String] {
            while let job = queue.popFirst() { job.run() }
            return ran.all
        }
    }

    /// #17: a small image of another client came after everything that one address had queued.
    @Test func clientsTakeTurns_andEachKeepsItsOrder() {
        let line = Line()
        for number in 0..<5 { line.add("a\(number)", Self.alice) }
        line.add("b0", Self.bob)
        line.add("b1", Self.bob)
        line.add("c0", Self.carol)
        line.add("own", nil)
        #expect(line.drain() == ["a0", "b0", "c0", "own", "a1", "b1", "a2", "a3", "a4"])
        #expect(line.count == 0)
    }

    /// #17: whoever waited for what a busy client had asked for first, waited for all that this client had in line.
    @Test func jobThatAnotherWaitsFor_takesTheEarlierTurn() {
        let line = Line()
        let (last, first) = (SharedFlag(), SharedFlag())
        line.add("b0", Self.bob, cancelledBy: first)
        for number in 0..<4 { line.add("a\(number)", Self.alice) }
        line.add("a4", Self.alice, cancelledBy: last)
        #expect(!line.hasten(first, for: Self.alice), "it would come later")
        #expect(!line.hasten(SharedFlag(), for: Self.carol), "it runs, or has run")
        #expect(line.hasten(last, for: Self.carol))
        #expect(!line.hasten(last, for: Self.carol))
        #expect(line.drain() == ["b0", "a0", "a4", "a1", "a2", "a3"])
    }

    @Test func networksOfIPv6_areOneClientEach() {
        let line = Line()
        for number in 0..<3 { line.add("a\(number)", ClientNetwork(ipv6: 7, UInt64(number))) }
        line.add("b", ClientNetwork(ipv6: 8, 0))
        #expect(line.drain() == ["a0", "b", "a1", "a2"])
    }

    /// #17: one address filled the queue, and all others were told 503.
    @Test func fullQueue_takesAPlaceFromWhoeverHasTheMost_andTellsIt() {
        let line = Line(capacity: 4)
        for number in 0..<4 { #expect(line.add("a\(number)", Self.alice)) }
        #expect(!line.add("a4", Self.alice), "nobody takes a place from itself")
        #expect(line.add("b0", Self.bob))
        #expect(line.add("b1", Self.bob))
        #expect(line.displaced == ["a3", "a2"])
        #expect(!line.add("b2", Self.bob), "it has as many")
        #expect(line.add("c0", Self.carol))
        #expect(line.count == 4)
        #expect(Set(line.drain()).count == 4)
    }

    @Test func jobsThatNobodyCanBeToldOf_keepTheirPlaces() {
        let line = Line(capacity: 3)
        for number in 0..<3 { line.add("a\(number)", Self.alice, mayBeDisplaced: false) }
        #expect(!line.add("b", Self.bob))
        #expect(line.drain() == ["a0", "a1", "a2"])
    }

    /// #17: one of them, as the latest, kept all places of its client.
    @Test func jobThatNobodyCanBeToldOf_keepsItsOwnPlaceAlone() {
        let line = Line(capacity: 4)
        for number in 0..<3 { line.add("a\(number)", Self.alice) }
        line.add("a3", Self.alice, mayBeDisplaced: false)
        #expect(line.add("b", Self.bob))
        #expect(line.displaced == ["a2"])
        #expect(line.drain() == ["a0", "b", "a1", "a3"])
    }

    @Test func cancelledJobsGiveUpTheirPlaces_andTheirClientsTurns() {
        let line = Line(capacity: 4)
        let flag = SharedFlag()
        line.add("a0", Self.alice, cancelledBy: flag)
        line.add("b0", Self.bob)
        line.add("a1", Self.alice, cancelledBy: flag)
        line.add("b1", Self.bob, cancelledBy: flag)
        flag.set()
        #expect(line.removeCancelled() == 3 && line.count == 1)
        #expect(line.removeCancelled() == 0)
        line.add("a2", Self.alice)
        #expect(line.drain() == ["b0", "a2"])
    }

    /// #17: turns hold whatever comes and goes, so nobody waits for long behind one with many.
    @Test func anyJob_waitsForAtMostTwoOfEachOtherClient() throws {
        struct Job {
            let number: Int
            let client: UInt32
            /// Jobs of other clients that came out while it waited.
            var waitedFor: [UInt32: Int] = [:]
        }
        var generator = SeededGenerator(state: 17)
        for _ in 0..<200 {
            var queue = FairQueue(capacity: 12)
            let ran = Log<Int>()
            var waiting: [Job] = []
            for number in 0..<80 {
                if Int.random(in: 0..<5, using: &generator) < 3 {
                    // Half of them are of one client.
                    let client = max(1, UInt32.random(in: 0...4, using: &generator))
                    let job = QueuedJob(run: { ran.append(number) }, cancellation: nil, client: Self.client(client))
                    #expect(queue.append(job) == (waiting.count < 12))
                    if waiting.count < 12 { waiting.append(Job(number: number, client: client)) }
                } else if let job = queue.popFirst() {
                    job.run()
                    let index = try #require(waiting.firstIndex { $0.number == ran.all.last })
                    let taken = waiting.remove(at: index)
                    #expect(!waiting[..<index].contains { $0.client == taken.client }, "each keeps its order")
                    for index in waiting.indices where waiting[index].client != taken.client {
                        let isFirst = !waiting[..<index].contains { $0.client == waiting[index].client }
                        guard isFirst else { continue }
                        waiting[index].waitedFor[taken.client, default: 0] += 1
                        #expect((waiting[index].waitedFor[taken.client] ?? 0) <= 2)
                    }
                } else {
                    #expect(waiting.isEmpty)
                }
            }
        }
    }

    /// The job that loses its place is told on the thread that takes it, without the lock.
    @Test(arguments: [WorkerPool.Lane.ordinary, .long])
    func poolThatIsFull_servesTheOtherClient(_ lane: WorkerPool.Lane) throws {
        let pool = try WorkerPool(name: "fair", threadCount: 1, queueLimit: 2)
        let (gate, began) = (Gate(), Gate())
        let ran = Log<String>()
        #expect(
            pool.submit {
                began.open()
                gate.wait()
            })
        began.wait()
        for name in ["a0", "a1"] {
            let displaced: WorkerPool.Job = { ran.append("\(name) displaced \(pool.load.queuedCount)") }
            #expect(pool.submit(to: lane, for: Self.alice, displaced: displaced) { ran.append(name) })
        }
        #expect(!pool.submit(to: lane, for: Self.alice) { ran.append("a2") })
        #expect(pool.submit(to: lane, for: Self.bob) { ran.append("b0") })
        gate.open()
        pool.shutdown()
        #expect(ran.all == ["a1 displaced 2", "a0", "b0"])
    }
}
