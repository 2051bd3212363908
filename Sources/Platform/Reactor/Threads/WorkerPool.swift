package import Bytes

/// Threads that run jobs which block or compute: decoding, drawing. The queue is bounded; a full one refuses at once.
///
/// Jobs that claim more than a thread for a moment have a lane of their own, so that some threads are always left for the
/// others, and what runs at once stays within a bound of memory.
package final class WorkerPool: Sendable {
    /// A piece of work; what it finds out goes back by a mailbox.
    package typealias Job = @Sendable () -> Void

    package enum Lane: Sendable {
        case ordinary
        /// Jobs with a claim, such as those that hold a thread for long.
        case long
    }

    private let queue: Monitor<JobQueue>
    private let threads: [OwnedThread]

    /// Starts `threadCount` threads named `name-0`, `name-1`, ….
    ///
    /// - `queueLimit`: how many jobs may wait in each lane besides those that run; at least 1.
    /// - `longLimit`: how many long jobs may run at a time; nil is half of the threads, at least 1. Of jobs that draw
    ///   documents, as many may run as leave one thread free, at least 1.
    /// - `byteLimit`: bytes of memory that the jobs that run may claim together.
    /// - `willStart`, `willExit`: run on each thread, before its first and after its last job.
    ///
    /// Errors: `EAGAIN` (no more threads), `EINVAL` (count below 1, stack too small); none is left running then.
    package init(
        name: String, threadCount: Int, queueLimit: Int, longLimit: Int? = nil, byteLimit: Int = .max,
        stackByteCount: Int = 8 << 20,
        willStart: @escaping @Sendable () -> Void = {}, willExit: @escaping @Sendable () -> Void = {}
    ) throws(Errno) {
        guard threadCount > 0, queueLimit > 0 else { throw .invalidArgument }
        let bounds = ClaimBounds(
            longCount: max(1, longLimit ?? threadCount / 2), drawingCount: max(1, threadCount - 1),
            byteCount: byteLimit)
        let queue = Monitor(JobQueue(capacity: queueLimit, bounds: bounds))
        var started: [OwnedThread] = []
        do throws(Errno) {
            for number in 0..<threadCount {
                let thread = try OwnedThread.start(name: "\(name)-\(number)", stackByteCount: stackByteCount) {
                    willStart()
                    WorkerPool.work(off: queue)
                    willExit()
                }
                started.append(thread)
            }
        } catch {
            WorkerPool.close(queue)
            for thread in started { thread.join() }
            throw error
        }
        self.queue = queue
        threads = started
    }

    /// Queues `job` and returns true, or returns false at once when the queue is full or the pool is shut down. Any thread.
    ///
    /// A queued job whose `cancellation` is set gives up its place when another one needs it, and in the lane of claims when
    /// its turn comes; then it is not run. A job in the lane of claims holds its own from its first to its last moment.
    package func submit(
        to lane: Lane = .ordinary, claiming claim: JobClaim = .long, cancelledBy cancellation: SharedFlag? = nil,
        _ job: @escaping Job
    ) -> Bool {
        let queued = QueuedJob(run: job, cancellation: cancellation, claim: lane == .long ? claim : .none)
        // Dropped jobs are released after the lock: their closures may hold anything.
        let (isQueued, dropped) = queue.withLock { queue in
            if queue.append(queued, lane) { return (true, [QueuedJob]()) }
            let dropped = queue.removeCancelled(lane)
            return (!dropped.isEmpty && queue.append(queued, lane), dropped)
        }
        // Jobs that waited behind dropped ones may begin as well.
        if !dropped.isEmpty { queue.broadcast() } else if isQueued { queue.signal() }
        withExtendedLifetime(dropped) {}
        return isQueued
    }

    /// Lets the job that runs on this thread hold `new` instead of `old`, if that fits beside what the others hold and no job
    /// waits for the same; else nothing changes and it is false. A job gives back what it got so before it ends.
    package func exchange(_ old: JobClaim, for new: JobClaim) -> Bool {
        let isGranted = queue.withLock { $0.exchange(old, for: new) }
        // What was given back may let jobs begin that wait, and all threads may be asleep.
        if new.isWithin(old) { queue.broadcast() }
        return isGranted
    }

    /// How many jobs wait and how many run, for the metrics and for tests.
    package var load: WorkerLoad {
        queue.withLock { WorkerLoad(queuedCount: $0.count, runningCount: $0.runningCount) }
    }

    /// Refuses new jobs, runs what is queued and joins the threads. Not from a job of this pool. Later calls return at once.
    package func shutdown() {
        WorkerPool.close(queue)
        for thread in threads { thread.join() }
    }

    private static func close(_ queue: Monitor<JobQueue>) {
        queue.withLock { $0.isClosed = true }
        queue.broadcast()
    }

    private static func work(off queue: Monitor<JobQueue>) {
        while true {
            switch queue.wait(until: { $0.next() }) {
            case .run(let job, let claim):
                job()
                queue.withLock { $0.finished(claim) }
                if claim != .none { queue.broadcast() }
            case .drop(let jobs):
                // Those who waited behind them may begin, more of them than this thread can take.
                queue.broadcast()
                withExtendedLifetime(jobs) {}
            case .exit: return
            }
        }
    }
}

/// What a worker pool has to do at a moment.
package struct WorkerLoad: Equatable, Sendable {
    /// Jobs that wait for a thread.
    package var queuedCount: Int
    package var runningCount: Int

    package var isIdle: Bool { queuedCount == 0 && runningCount == 0 }
}
