import Glibc
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct IdleWorkerTests {
    private static func wait(until condition: () -> Bool) { while !condition() { usleep(1000) } }

    /// A pool of `threadCount` threads beside which an idle worker works.
    private static func withWorkers(
        _ threadCount: Int, queueLimit: Int = 8, _ body: (WorkerPool, IdleWorker) throws -> Void
    ) throws {
        let pool = try WorkerPool(name: "pool", threadCount: threadCount, queueLimit: 8)
        let idle = try IdleWorker(name: "idle", besides: pool, queueLimit: queueLimit)
        try body(pool, idle)
        #expect(idle.shutdown(within: .seconds(60)))
        pool.shutdown()
    }

    @Test func jobsWaitWhileThePoolIsBusy() throws {
        try Self.withWorkers(2) { pool, idle in
            let (first, second, log) = (Gate(), Gate(), Log<String>())
            #expect(pool.submit { first.wait() })
            #expect(pool.submit { second.wait() })
            Self.wait { pool.load.runningCount == 2 }
            #expect(pool.isBusy)
            #expect(idle.submit { log.append("idle") })
            #expect(!idle.isIdle)
            usleep(60_000)
            #expect(log.all.isEmpty)
            first.open()
            Self.wait { log.all == ["idle"] && idle.isIdle }
            second.open()
        }
    }

    @Test func aRunningJobIsToldToStop_onceThePoolHasNoThreadLeft() throws {
        try Self.withWorkers(1) { pool, idle in
            let (gate, began, told) = (Gate(), Gate(), Gate())
            let isQueued = idle.submit {
                began.open()
                Self.wait { idle.shouldYield }
                told.open()
            }
            #expect(isQueued)
            began.wait()
            // It holds no thread of the pool.
            #expect(pool.submit { gate.wait() })
            told.wait()
            gate.open()
            Self.wait { pool.load.isIdle }
            #expect(!idle.shouldYield)
        }
    }

    /// A job that ended while the pool was busy made the next one stop at its first look.
    @Test func eachJobLooksForItself() throws {
        try Self.withWorkers(1) { pool, idle in
            let (first, second, looks) = (Gate(), Gate(), Log<Bool>())
            let isQueued = idle.submit {
                #expect(pool.submit { first.wait() })
                Self.wait { idle.shouldYield }
            }
            #expect(isQueued)
            Self.wait { idle.isIdle }
            first.open()
            Self.wait { pool.load.isIdle }
            let isQueuedNext = idle.submit {
                #expect(pool.submit { second.wait() })
                Self.wait { pool.isBusy }
                looks.append(idle.shouldYield)
            }
            #expect(isQueuedNext)
            Self.wait { idle.isIdle }
            second.open()
            #expect(looks.all == [false])
        }
    }

    @Test func aJobThatWaitsForItsClaimMakesThePoolBusy() throws {
        try Self.withWorkers(4) { pool, _ in
            let gate = Gate()
            for _ in 0..<3 { _ = pool.submit(to: .long) { gate.wait() } }
            Self.wait { pool.load == WorkerLoad(queuedCount: 1, runningCount: 2) }
            #expect(pool.isBusy)
            gate.open()
            Self.wait { pool.load.isIdle }
            #expect(!pool.isBusy)
        }
    }

    @Test func fullQueue_refuses_orDisplacesAJobOfWhoHasMany() throws {
        try Self.withWorkers(1, queueLimit: 2) { pool, idle in
            let (gate, log) = (Gate(), Log<String>())
            let (many, few) = (ClientNetwork(ipv4: 1), ClientNetwork(ipv4: 2))
            #expect(pool.submit { gate.wait() })
            Self.wait { pool.isBusy }
            for name in ["a", "b"] {
                let isQueued = idle.submit(for: many, displaced: { log.append("displaced " + name) }) {
                    log.append(name)
                }
                #expect(isQueued)
            }
            #expect(!idle.submit(for: many) { log.append("c") })
            #expect(idle.submit(for: few) { log.append("d") })
            #expect(log.all == ["displaced b"])
            gate.open()
            Self.wait { idle.isIdle }
            #expect(log.all == ["displaced b", "a", "d"])
        }
    }

    @Test func shutdown_dropsWhatWaits_andLeavesAJobThatDoesNotStop() throws {
        let pool = try WorkerPool(name: "pool", threadCount: 1, queueLimit: 8)
        let idle = try IdleWorker(name: "idle", besides: pool, queueLimit: 8)
        let (began, gate, log) = (Gate(), Gate(), Log<String>())
        let isQueued = idle.submit {
            began.open()
            gate.wait()
        }
        #expect(isQueued)
        began.wait()
        #expect(idle.submit { log.append("dropped") })
        #expect(!idle.shutdown(within: .milliseconds(1)))
        #expect(!idle.submit { log.append("refused") })
        gate.open()
        #expect(idle.shutdown(within: .seconds(60)))
        #expect(log.all.isEmpty)
        pool.shutdown()
    }
}
