import Bytes
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(5))) struct ThreadTests {
    @Test func countLimit_letsSoManyRun_andOneMoreWhenOneEnds() {
        let limit = CountLimit(2)
        #expect(limit.begin() && limit.begin() && !limit.begin() && !limit.begin())
        limit.end()
        #expect(limit.begin() && !limit.begin())
    }

    @Test func ownedThread_carriesItsName_andIsGoneAfterJoin() throws {
        let started = Gate()
        let mayEnd = Gate()
        let thread = try OwnedThread.start(name: "own-a-long-name-that-is-cut") {
            started.open()
            mayEnd.wait()
        }
        started.wait()
        #expect(threadNames().contains("own-a-long-name"))
        mayEnd.open()
        thread.join()
        thread.join()
        #expect(threadsAreGone("own-a-long-name"))
    }

    /// #21.9: the lowest limit of the cgroup and those around it counts.
    @Test func memoryLimit_isThatOfTheCgroup_orOneAroundIt() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "veduta-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let own = root.appending(path: "own")
        try FileManager.default.createDirectory(
            at: root.appending(path: "system/veduta"), withIntermediateDirectories: true)
        func set(_ folder: String, _ text: String) throws {
            try text.write(to: root.appending(path: folder + "memory.max"), atomically: true, encoding: .utf8)
        }
        func limit() -> Int? { MemoryLimit.ofCgroup(root: root.path, own: own.path) }
        #expect(limit() == nil, "nothing is there")
        try "1:name=systemd:/x\n0::/system/veduta\n".write(to: own, atomically: true, encoding: .utf8)
        try set("system/veduta/", "max\n")
        #expect(limit() == nil)
        try set("system/", "3000000000\n")
        #expect(limit() == 3_000_000_000)
        try set("system/veduta/", "2000000000\n")
        #expect(limit() == 2_000_000_000)
        try set("", "1000\n")
        #expect(limit() == 1000)
        // In a container the own cgroup is the root.
        try "0::/\n".write(to: own, atomically: true, encoding: .utf8)
        #expect(limit() == 1000)
        #expect(MemoryLimit.ofCgroup(root: root.path + "/none", own: "/none") == nil)
    }

    /// #15: those who draw give way to the loop, and what they start does too.
    @Test func lowerPriority_isTheThreadsOwn_andInherited() throws {
        let before = niceValue()
        let seen = Log<Int32>()
        let thread = try OwnedThread.start(name: "lower") {
            ThreadPriority.lower(steps: 3)
            seen.append(niceValue())
            if let child = try? OwnedThread.start(name: "child", body: { seen.append(niceValue()) }) { child.join() }
        }
        thread.join()
        #expect(seen.all == [min(before + 3, 19), min(before + 3, 19)])
        #expect(niceValue() == before)
    }

    @Test func stackTooSmall_isAnErrorValue() {
        #expect(throws: Errno.invalidArgument) { _ = try OwnedThread.start(name: "tiny", stackByteCount: 1) {} }
    }

    @Test func fullPool_refusesAtOnce_andShutdownRunsWhatIsQueued() throws {
        let pool = try WorkerPool(name: "full", threadCount: 2, queueLimit: 3)
        let gate = Gate()
        let log = Log<Int>()
        let running = Log<Int>()
        for job in 0..<2 {
            #expect(
                pool.submit {
                    running.append(job)
                    gate.wait()
                    log.append(job)
                })
        }
        while running.all.count < 2 { sched_yield() }
        for job in 2..<5 { #expect(pool.submit { log.append(job) }) }
        #expect(!pool.submit { log.append(99) })
        #expect(pool.load == WorkerLoad(queuedCount: 3, runningCount: 2))
        let closer = try OwnedThread.start(name: "closer") { pool.shutdown() }
        gate.open()
        closer.join()
        #expect(log.all.sorted() == [0, 1, 2, 3, 4])
        #expect(!pool.submit { log.append(99) })
        #expect(pool.load == WorkerLoad(queuedCount: 0, runningCount: 0))
        #expect(threadsAreGone("full-"))
    }

    @Test func cancelledJobs_giveUpTheirPlaces_whenTheQueueIsFull() throws {
        let pool = try WorkerPool(name: "cancel", threadCount: 1, queueLimit: 3)
        let gate = Gate()
        let log = Log<Int>()
        let started = Gate()
        #expect(
            pool.submit {
                started.open()
                gate.wait()
            })
        started.wait()
        let flags = (0..<3).map { _ in SharedFlag() }
        for job in 0..<3 { #expect(pool.submit(cancelledBy: flags[job]) { log.append(job) }) }
        #expect(!pool.submit { log.append(3) })
        flags[0].set()
        flags[2].set()
        for job in 4..<6 { #expect(pool.submit { log.append(job) }) }
        #expect(!pool.submit { log.append(6) })
        gate.open()
        pool.shutdown()
        #expect(log.all == [1, 4, 5])
    }

    @Test func eachWorker_isToldToStartAndToExit_onItsOwnThread() throws {
        let starts = Log<UInt>()
        let exits = Log<UInt>()
        let pool = try WorkerPool(
            name: "hooks", threadCount: 3, queueLimit: 1,
            willStart: { starts.append(pthread_self()) }, willExit: { exits.append(pthread_self()) })
        pool.shutdown()
        pool.shutdown()
        #expect(Set(starts.all).count == 3)
        #expect(Set(starts.all) == Set(exits.all))
    }

    @Test func jobs_eachRunOnce_underContention() throws {
        let pool = try WorkerPool(name: "busy", threadCount: 4, queueLimit: 8)
        let counter = Counted()
        for _ in 0..<2_000 {
            while !pool.submit({ counter.add() }) { sched_yield() }
        }
        pool.shutdown()
        #expect(counter.value == 2_000)
    }

    @Test func poolWithoutThreadsOrQueue_isRefused() {
        #expect(throws: Errno.invalidArgument) { _ = try WorkerPool(name: "none", threadCount: 0, queueLimit: 1) }
        #expect(throws: Errno.invalidArgument) { _ = try WorkerPool(name: "none", threadCount: 1, queueLimit: 0) }
        #expect(throws: Errno.invalidArgument) {
            _ = try WorkerPool(name: "none", threadCount: 2, queueLimit: 1, stackByteCount: 1)
        }
    }

    @Test func failingSetUp_isThrown_andItsThreadJoined() {
        #expect(throws: Errno.addressInUse) {
            _ = try LoopThread<Void>.start(name: "failing-loop") { _ throws(Errno) in throw .addressInUse }
        }
        #expect(threadsAreGone("failing-loop"))
    }

    @Test func endedLoop_releasesItsHandlersAndTheirDescriptors() throws {
        final class Owner: EventHandler {
            let pair: StreamSocket.Pair
            init(_ pair: consuming StreamSocket.Pair) { self.pair = pair }
            deinit { released.open() }
            let released = Gate()
            func handle(_ readiness: Readiness, on loop: EventLoop) {}
        }
        struct Exports: Sendable { var released: Gate }
        let thread = try LoopThread.start(name: "owner-loop") { loop throws(Errno) in
            let owner = Owner(try StreamSocket.makePair())
            _ = try loop.add(owner.pair.near.rawValue, .read, owner)
            return Exports(released: owner.released)
        }
        #expect(threadNames().contains("owner-loop"))
        thread.stop()
        #expect(thread.join() == nil)
        thread.exports.released.wait()
        #expect(threadsAreGone("owner-loop"))
    }

    /// #15: what held the loop itself, as all that fetches does, kept it for good, with its descriptors.
    @Test func whatHoldsTheLoop_isReleasedWithItsThread() throws {
        final class Holder: EventHandler {
            let loop: EventLoop
            let pair: StreamSocket.Pair
            let isGone: SharedFlag
            init(_ loop: EventLoop, _ isGone: SharedFlag) throws(Errno) {
                (self.loop, self.isGone) = (loop, isGone)
                pair = try StreamSocket.makePair()
            }
            deinit { isGone.set() }
            func handle(_ readiness: Readiness, on loop: EventLoop) {}
            func timerFired(_ timer: TimerToken, on loop: EventLoop) {}
        }
        struct Exports: Sendable {
            var mailbox: Mailbox<Int>
            let goneFlags: [SharedFlag]
        }
        let thread = try LoopThread.start(name: "held-loop") { loop throws(Errno) in
            let flags = (0..<3).map { _ in SharedFlag() }
            let byMailbox = try Holder(loop, flags[0])
            let (byDescriptor, byTimer) = (try Holder(loop, flags[1]), try Holder(loop, flags[2]))
            _ = try loop.add(byDescriptor.pair.near.rawValue, .read, byDescriptor)
            _ = loop.schedule(at: loop.now + .seconds(3600), byTimer)
            return Exports(mailbox: loop.makeMailbox { _ in withExtendedLifetime(byMailbox) {} }, goneFlags: flags)
        }
        thread.exports.mailbox.post(1)
        #expect(thread.exports.goneFlags.allSatisfy { !$0.isSet })
        thread.stop()
        #expect(thread.join() == nil)
        #expect(thread.exports.goneFlags.allSatisfy { $0.isSet })
        thread.exports.mailbox.post(2)
    }

    /// #22: not while a job still runs, and not once for each thread.
    @Test func aPoolWithoutJobs_isToldToBeQuiet_onceAfterEachTimeOfWork() throws {
        let count = Counted()
        let pool = try WorkerPool(
            name: "quiet", threadCount: 3, queueLimit: 8,
            quiet: WorkerPool.Quiet(after: .milliseconds(1)) { count.add() })
        while count.value < 1 { usleep(1000) }
        let (began, mayEnd) = (Gate(), Gate())
        let isQueued = pool.submit {
            began.open()
            mayEnd.wait()
        }
        #expect(isQueued)
        began.wait()
        for _ in 0..<4 {
            let done = Gate()
            #expect(pool.submit { done.open() })
            done.wait()
        }
        usleep(50_000)
        #expect(count.value == 1)
        mayEnd.open()
        while count.value < 2 { usleep(1000) }
        pool.shutdown()
        #expect(count.value == 2)
    }

    @Test func signals_areReadAsValues() throws {
        let log = Log<Signal?>()
        let thread = try OwnedThread.start(name: "signals") {
            do throws(Errno) {
                let source = try SignalSource()
                log.append(try source.wait(maximumWait: .zero))
                for signal in [Signal.hangUp, .terminate] {
                    // To this thread alone: the test process has others, which do not block it.
                    pthread_kill(pthread_self(), signal.number)
                    log.append(try source.wait(maximumWait: .seconds(5)))
                }
            } catch {
                Issue.record(error)
            }
        }
        thread.join()
        #expect(log.all == [nil, .hangUp, .terminate])
    }
}

private final class Counted: Sendable {
    private let count = Atomic<Int>(0)
    func add() { count.wrappingAdd(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}

/// The nice value of the thread that asks.
private func niceValue() -> Int32 { getpriority(.init(PRIO_PROCESS.rawValue), 0) }
