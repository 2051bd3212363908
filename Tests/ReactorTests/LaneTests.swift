import Testing

@testable import Reactor

@Suite struct LaneTests {
    /// A queue, as one thread sees it.
    private final class Line {
        private var queue: JobQueue

        init(capacity: Int = 32, longLimit: Int = 1) {
            queue = JobQueue(capacity: capacity, longLimit: longLimit)
        }

        var count: Int { queue.count }
        var runningCount: Int { queue.runningCount }

        /// Adds a job that appends its name to `log`.
        func add(_ lane: WorkerPool.Lane, _ name: String = "", to log: Log<String>? = nil) -> Bool {
            queue.append(QueuedJob(run: { log?.append(name) }, cancellation: nil), lane)
        }

        /// Takes the next job and runs it; its lane, or nil where one has to wait.
        func take() -> WorkerPool.Lane? {
            guard case .run(let job, let lane)? = queue.next() else { return nil }
            job()
            return lane
        }

        func finished(_ lane: WorkerPool.Lane) { queue.finished(lane) }
        func beginLong() -> Bool { queue.beginLong() }
        func endLong() { queue.endLong() }
    }

    @Test func longJobsWaitForFourOrdinaryOnes_andNeverStarve() {
        let ran = Log<String>()
        let line = Line()
        for name in ["A", "B"] {
            #expect(line.add(.long, name, to: ran))
        }
        for number in 0..<9 {
            #expect(line.add(.ordinary, "\(number)", to: ran))
        }
        while let lane = line.take() { line.finished(lane) }
        #expect(ran.all == ["0", "1", "2", "3", "A", "4", "5", "6", "7", "B", "8"])
        #expect(line.runningCount == 0 && line.count == 0)
    }

    @Test func longJobsHoldNoMoreThreadsThanTheirLimit() {
        let line = Line(longLimit: 2)
        for _ in 0..<5 {
            #expect(line.add(.long))
        }
        #expect(line.take() == .long)
        #expect(line.take() == .long)
        #expect(line.take() == nil)
        #expect(line.add(.ordinary))
        #expect(line.take() == .ordinary)
        line.finished(.long)
        #expect(line.take() == .long)
        #expect(line.take() == nil)
        #expect(line.count == 2)
    }

    @Test func aRunningJobBecomesLong_whereNobodyWaitsBeforeIt() {
        let line = Line()
        #expect(line.add(.ordinary))
        #expect(line.add(.ordinary))
        #expect(line.take() == .ordinary)
        #expect(line.take() == .ordinary)
        #expect(line.beginLong())
        #expect(!line.beginLong(), "one runs already")
        #expect(line.add(.long))
        #expect(line.take() == nil)
        line.endLong()
        #expect(!line.beginLong(), "one waits already")
        line.finished(.ordinary)
        #expect(line.take() == .long)
    }

    @Test func lanesHaveRoomOfTheirOwn() {
        let line = Line(capacity: 1)
        #expect(line.add(.long))
        #expect(!line.add(.long))
        #expect(line.add(.ordinary))
        #expect(!line.add(.ordinary))
    }

    @Test func aClosedQueueRunsWhatIsLeftInBothLanes() throws {
        let pool = try WorkerPool(name: "lanes", threadCount: 2, queueLimit: 64)
        let ran = Log<String>()
        for number in 0..<40 {
            #expect(pool.submit(to: number % 3 == 0 ? .long : .ordinary) { ran.append("\(number)") })
        }
        pool.shutdown()
        #expect(Set(ran.all).count == 40)
        #expect(pool.load.isIdle)
    }

    /// While a long job holds its thread, the other thread goes on with ordinary ones, however many long ones wait.
    @Test func ordinaryJobsGoOn_whileLongOnesWait() throws {
        let pool = try WorkerPool(name: "mixed", threadCount: 2, queueLimit: 64)
        let gate = Gate()
        let done = Gate()
        let ran = Log<String>()
        for _ in 0..<5 { #expect(pool.submit(to: .long) { gate.wait() }) }
        for number in 0..<20 {
            #expect(
                pool.submit {
                    ran.append("\(number)")
                    if number == 19 { done.open() }
                })
        }
        done.wait()
        #expect(ran.all.count == 20)
        gate.open()
        pool.shutdown()
    }
}
