import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct LaneTests {
    /// A queue, as one thread sees it.
    private final class Line {
        private var queue: JobQueue

        init(capacity: Int = 32, longLimit: Int = 1, drawingLimit: Int = 1, byteLimit: Int = 1000) {
            queue = JobQueue(
                capacity: capacity,
                bounds: ClaimBounds(longCount: longLimit, drawingCount: drawingLimit, byteCount: byteLimit))
        }

        var count: Int { queue.count }
        var runningCount: Int { queue.runningCount }

        /// Adds a job that appends its name to `log`.
        func add(
            _ lane: WorkerPool.Lane, _ name: String = "", claiming claim: JobClaim = .long, to log: Log<String>? = nil
        ) -> Bool {
            let claim = lane == .long ? claim : .none
            return queue.append(QueuedJob(run: { log?.append(name) }, cancellation: nil, claim: claim), lane)
        }

        /// Takes the next job and runs it; its claim, or nil where one has to wait.
        func take() -> JobClaim? {
            guard case .run(let job, let claim)? = queue.next() else { return nil }
            job()
            return claim
        }

        func finished(_ claim: JobClaim) { queue.finished(claim) }
        func exchange(_ old: JobClaim, for new: JobClaim) -> Bool { queue.exchange(old, for: new) }
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
        while let claim = line.take() { line.finished(claim) }
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
        #expect(line.take() == JobClaim.none)
        line.finished(.long)
        #expect(line.take() == .long)
        #expect(line.take() == nil)
        #expect(line.count == 2)
    }

    @Test func aRunningJobBecomesLong_whereNobodyWaitsBeforeIt() {
        let line = Line()
        #expect(line.add(.ordinary))
        #expect(line.add(.ordinary))
        #expect(line.take() == JobClaim.none)
        #expect(line.take() == JobClaim.none)
        #expect(line.exchange(.none, for: .long))
        #expect(!line.exchange(.none, for: .long), "one runs already")
        #expect(line.add(.long))
        #expect(line.take() == nil)
        #expect(line.exchange(.long, for: .none))
        #expect(!line.exchange(.none, for: .long), "one waits already")
        line.finished(.none)
        #expect(line.take() == .long)
    }

    /// #15.3: what runs at once stays within a bound of memory, and what is larger than the bound runs alone.
    @Test func claimsOfMemoryWaitForEachOther_andNeverForEver() {
        let line = Line(longLimit: 4)
        let claims = [600, 300, 200, 5000, 10].map { JobClaim(byteCount: $0) }
        for claim in claims { #expect(line.add(.long, claiming: claim)) }
        #expect(line.take() == claims[0])
        #expect(line.take() == claims[1])
        #expect(line.take() == nil, "1100 of 1000")
        #expect(line.add(.ordinary))
        #expect(line.take() == JobClaim.none, "what claims nothing goes on")
        line.finished(claims[1])
        #expect(line.take() == claims[2])
        line.finished(claims[0])
        #expect(line.take() == nil, "too much for any company")
        line.finished(claims[2])
        #expect(line.take() == claims[3], "alone it may run")
        #expect(line.take() == nil)
        line.finished(claims[3])
        #expect(line.take() == claims[4])
    }

    @Test func aRunningJobClaimsMore_whereThatFitsAndNobodyWaitsForTheSame() {
        let line = Line(longLimit: 2)
        let (small, large) = (JobClaim(byteCount: 400), JobClaim(isLong: true, byteCount: 900))
        #expect(line.exchange(.none, for: small) && line.exchange(small, for: large))
        #expect(!line.exchange(.none, for: small), "1300 of 1000")
        #expect(line.exchange(large, for: .long), "less is always granted")
        #expect(line.add(.long, claiming: JobClaim(byteCount: 999)))
        #expect(!line.exchange(.none, for: small), "one waits for memory already")
        #expect(line.exchange(.none, for: .long), "and not for a thread")
    }

    /// #15.6: one thread is always left for what is no drawing.
    @Test func drawingsLeaveOneThreadFree() {
        let line = Line(drawingLimit: 2)
        let drawing = JobClaim(isDrawing: true)
        #expect(line.exchange(.none, for: drawing) && line.exchange(.none, for: drawing))
        #expect(!line.exchange(.none, for: drawing))
        #expect(line.add(.long, claiming: drawing))
        #expect(line.take() == nil)
        #expect(line.exchange(drawing, for: .none))
        #expect(line.take() == drawing)
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
