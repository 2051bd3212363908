import Bytes
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct LaneTests {
    /// A queue, as one thread sees it.
    private final class Line {
        private var queue: JobQueue

        init(
            capacity: Int = 32, longLimit: Int = 1, drawingLimit: Int = 1, heldLimit: Int = .max, byteLimit: Int = 1000
        ) {
            queue = JobQueue(
                capacity: capacity,
                bounds: ClaimBounds(
                    longCount: longLimit, drawingCount: drawingLimit, heldThreadCount: heldLimit, byteCount: byteLimit))
        }

        var count: Int { queue.count }
        var runningCount: Int { queue.runningCount }

        /// Adds a job that appends its name to `log`.
        func add(
            _ lane: WorkerPool.Lane, _ name: String = "", claiming claim: JobClaim = .long, to log: Log<String>? = nil,
            for client: ClientNetwork? = nil, cancelledBy cancellation: SharedFlag? = nil
        ) -> Bool {
            let claim = lane == .long ? claim : .none
            return queue.append(
                QueuedJob(run: { log?.append(name) }, cancellation: cancellation, claim: claim, client: client), lane)
        }

        /// Takes the next job and runs it; its claim, or nil where one has to wait.
        func take() -> JobClaim? {
            while true {
                switch queue.next() {
                case .run(let job, let claim)?:
                    job()
                    return claim
                case .drop(let jobs)?: droppedCount += jobs.count
                case .exit?, nil: return nil
                }
            }
        }

        private(set) var droppedCount = 0

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

    /// #17: an AVIF of another client came after all that one address had queued.
    @Test func clientsTakeTurnsInTheLongLaneToo() {
        let ran = Log<String>()
        let line = Line()
        let (alice, bob) = (ClientNetwork(ipv4: 1), ClientNetwork(ipv4: 2))
        for number in 0..<3 { #expect(line.add(.long, "a\(number)", to: ran, for: alice)) }
        #expect(line.take() == .long)
        #expect(line.add(.long, "b", to: ran, for: bob))
        for _ in 0..<3 {
            line.finished(.long)
            #expect(line.take() == .long)
        }
        #expect(ran.all == ["a0", "a1", "b", "a2"])
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

    /// #17: with two threads, a drawing and a long job took both.
    @Test func longJobsAndDrawingsTogether_leaveOneThreadFree() {
        let line = Line(longLimit: 2, drawingLimit: 3, heldLimit: 3)
        let drawing = JobClaim(isDrawing: true)
        #expect(line.exchange(.none, for: .long) && line.exchange(.none, for: drawing))
        #expect(line.exchange(.none, for: drawing))
        #expect(!line.exchange(.none, for: .long), "three threads are taken")
        #expect(!line.exchange(.none, for: drawing))
        #expect(line.add(.long, claiming: drawing))
        #expect(line.add(.long, claiming: .long))
        #expect(line.take() == nil)
        #expect(line.exchange(.long, for: .none))
        #expect(!line.exchange(.none, for: .long), "one waits already for a thread of any kind")
        #expect(line.take() == drawing)
        #expect(line.take() == nil)
        line.finished(drawing)
        #expect(line.take() == .long)
    }

    /// What waits for more than a thread keeps no thread from others.
    @Test func longJobsThatWaitForEachOther_leaveThreadsToDrawings() {
        let line = Line(longLimit: 1, drawingLimit: 3, heldLimit: 3)
        let drawing = JobClaim(isDrawing: true)
        for _ in 0..<4 { #expect(line.add(.long)) }
        #expect(line.take() == .long)
        #expect(line.exchange(.none, for: drawing))
        #expect(line.add(.long, claiming: drawing))
        #expect(line.take() == drawing)
        #expect(line.take() == nil)
    }

    @Test func aPoolOfTwo_answersOrdinaryJobs_besideALongOneAndADrawing() throws {
        let pool = try WorkerPool(name: "two", threadCount: 2, queueLimit: 8)
        let (gate, done) = (Gate(), Gate())
        #expect(pool.submit(to: .long) { gate.wait() })
        #expect(pool.submit(to: .long, claiming: JobClaim(isDrawing: true)) { gate.wait() })
        #expect(pool.submit { done.open() })
        done.wait()
        gate.open()
        pool.shutdown()
    }

    /// #15: a cancelled job behind a drawing that cannot be stopped held up every job with a claim.
    @Test func cancelledJobsHoldNobodyUp() {
        let line = Line(longLimit: 2)
        let drawing = JobClaim(isDrawing: true)
        let isCancelled = SharedFlag()
        #expect(line.exchange(.none, for: drawing))
        #expect(line.add(.long, claiming: drawing.joined(with: JobClaim(byteCount: 900)), cancelledBy: isCancelled))
        #expect(line.add(.long, claiming: JobClaim(byteCount: 800)))
        #expect(line.take() == nil, "who waits first has a right to the memory")
        #expect(!line.exchange(.none, for: JobClaim(byteCount: 900)))
        isCancelled.set()
        #expect(line.take() == JobClaim(byteCount: 800))
        #expect(line.droppedCount == 1 && line.count == 0)
    }

    @Test func cancelledJobsOfARunningJobsRivals_doNotCount() {
        let line = Line()
        let isCancelled = SharedFlag()
        #expect(line.exchange(.none, for: .long))
        #expect(line.add(.long, cancelledBy: isCancelled))
        #expect(line.exchange(.long, for: .none))
        isCancelled.set()
        #expect(line.exchange(.none, for: .long), "nobody waits for it any more")
    }

    /// #15: while one has to wait, those go on that want something else, in their order.
    @Test func aJobThatHasToWait_holdsUpThoseAloneWhoWantTheSame() {
        let line = Line(longLimit: 1, drawingLimit: 1)
        let ran = Log<String>()
        let drawing = JobClaim(isDrawing: true, byteCount: 300)
        #expect(line.exchange(.none, for: drawing))
        for (name, claim) in [
            ("drawing", drawing), ("too large", JobClaim(byteCount: 500)), ("small", JobClaim(byteCount: 400)),
            ("drawing too", drawing), ("long", .long), ("long too", .long),
        ] {
            #expect(line.add(.long, name, claiming: claim, to: ran))
        }
        // 300 run and 300 are first in line: of 1000, 400 are left.
        #expect(line.take() == .long)
        #expect(line.take() == nil)
        #expect(ran.all == ["long"], "nobody passes the one that is too large with a claim of memory")
        line.finished(.long)
        #expect(line.take() == .long)
        #expect(line.exchange(drawing, for: .none))
        for _ in 0..<2 { #expect(line.take() != nil) }
        #expect(ran.all == ["long", "long too", "drawing", "too large"])
        line.finished(drawing)
        #expect(line.take() == JobClaim(byteCount: 400))
        #expect(line.count == 1)
    }

    /// The lock of the queue is not held for longer the more jobs wait.
    @Test func onlySomeOfThoseWhoWaitAreLookedAt() {
        let line = Line(capacity: 2 * JobQueue.reach)
        let drawing = JobClaim(isDrawing: true)
        #expect(line.exchange(.none, for: drawing))
        for _ in 0..<JobQueue.reach { #expect(line.add(.long, claiming: drawing)) }
        #expect(line.add(.long))
        #expect(line.take() == nil)
        #expect(line.exchange(drawing, for: .none))
        #expect(line.take() == drawing)
        #expect(line.take() == .long)
    }

    /// A job that is taken from the middle leaves the others in their order, wherever the ring begins.
    @Test func jobsFromTheMiddle_leaveTheOrder() {
        for start in 0..<5 {
            for taken in 0..<4 {
                let ran = Log<String>()
                var ring = Ring<QueuedJob>(capacity: 5)
                for _ in 0..<start {
                    _ = ring.append(QueuedJob(run: {}, cancellation: nil))
                    _ = ring.popFirst()
                }
                for name in 0..<4 {
                    _ = ring.append(QueuedJob(run: { ran.append("\(name)") }, cancellation: nil))
                }
                ring.remove(at: taken)?.run()
                let beyond = [ring.remove(at: 3), ring.remove(at: -1)].compactMap(\.self)
                #expect(beyond.isEmpty && ring.count == 3)
                while let job = ring.popFirst() { job.run() }
                #expect(ran.all == ["\(taken)"] + (0..<4).filter { $0 != taken }.map(String.init))
            }
        }
    }

    /// What a dropped job holds is let go of without the lock: here it is another job's submission.
    @Test func droppedJobsAreLetGoOfWithoutTheLock() throws {
        final class Last: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        let pool = try WorkerPool(name: "drop", threadCount: 1, queueLimit: 4)
        let (gate, done) = (Gate(), Gate())
        let isCancelled = SharedFlag()
        #expect(pool.submit(to: .long) { gate.wait() })
        do {
            let last = Last { _ = pool.submit { done.open() } }
            #expect(pool.submit(to: .long, cancelledBy: isCancelled) { withExtendedLifetime(last) {} })
        }
        isCancelled.set()
        gate.open()
        done.wait()
        pool.shutdown()
    }

    /// #15: of those who had waited behind cancelled jobs, one began, and the other threads slept on.
    @Test func whoWaitedBehindCancelledJobs_beginsOnAsManyThreadsAsThereAre() throws {
        let pool = try WorkerPool(name: "freed", threadCount: 3, queueLimit: 8, byteLimit: 1000)
        let (gate, one, other) = (Gate(), Gate(), Gate())
        let isCancelled = SharedFlag()
        #expect(pool.submit(to: .long, claiming: JobClaim(byteCount: 600)) { gate.wait() })
        #expect(pool.submit(to: .long, claiming: JobClaim(byteCount: 900), cancelledBy: isCancelled) {})
        // Each of them ends once the other has begun.
        for (mine, others) in [(one, other), (other, one)] {
            #expect(
                pool.submit(to: .long, claiming: JobClaim(byteCount: 200)) {
                    mine.open()
                    others.wait()
                })
        }
        isCancelled.set()
        // It wakes one thread.
        #expect(pool.submit {})
        one.wait()
        other.wait()
        gate.open()
        pool.shutdown()
        #expect(pool.load.isIdle)
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
