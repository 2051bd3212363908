package import Bytes

/// Threads for jobs that block or compute. The queue is bounded; a full one refuses at once, unless another client has more in
/// it. Jobs with claims have a lane of their own, so that some threads are always left for the others, and running jobs stay
/// within a bound of memory.
package final class WorkerPool: Sendable {
    /// Its result goes back by a mailbox.
    package typealias Job = @Sendable () -> Void

    package enum Lane: Sendable {
        case ordinary
        /// Jobs with a claim.
        case long
    }

    /// What a pool does once when it has had no job for a while: after its start, and after each time of work.
    package struct Quiet: Sendable {
        private let after: Duration
        private let run: Job

        package init(after: Duration, run: @escaping Job) { (self.after, self.run) = (after, run) }

        /// The next turn; nil when there was none for a while. Each thread waits so long once after its last job, so the one
        /// that ends last finds the pool quiet.
        fileprivate func turn(of queue: Monitor<JobQueue>) -> JobQueue.Turn? {
            let turn = queue.wait(forAtMost: after) { $0.next() }
            if turn == nil, queue.withLock({ $0.takeQuiet() }) { run() }
            return turn
        }
    }

    private let queue: Monitor<JobQueue>
    private let threads: [OwnedThread]

    /// Threads `name-0`, `name-1`, … run `willStart` first and `willExit` last. At most `queueLimit` jobs wait in each
    /// lane; `longLimit` long ones run (nil: half of the threads). Those and jobs that draw documents leave one thread free.
    /// Errors: `EAGAIN`, `EINVAL`; no thread is left running then.
    package init(
        name: String, threadCount: Int, queueLimit: Int, longLimit: Int? = nil, byteLimit: Int = .max,
        stackByteCount: Int = 8 << 20, quiet: Quiet? = nil,
        willStart: @escaping @Sendable () -> Void = {}, willExit: @escaping @Sendable () -> Void = {}
    ) throws(Errno) {
        guard threadCount > 0, queueLimit > 0 else { throw .invalidArgument }
        let bounds = ClaimBounds(
            longCount: max(1, longLimit ?? threadCount / 2), drawingCount: max(1, threadCount - 1),
            heldThreadCount: max(1, threadCount - 1), byteCount: byteLimit)
        let queue = Monitor(JobQueue(capacity: queueLimit, bounds: bounds))
        var started: [OwnedThread] = []
        do throws(Errno) {
            for number in 0..<threadCount {
                let thread = try OwnedThread.start(name: "\(name)-\(number)", stackByteCount: stackByteCount) {
                    willStart()
                    WorkerPool.work(off: queue, quiet)
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

    /// False at once when the queue is full or the pool is shut down. Any thread. A queued job whose `cancellation` is
    /// set is not run: it loses its place when another needs it or, in the lane of claims, when its turn comes.
    ///
    /// Clients take turns. In a full lane, a job of a client with many loses its place to one of a client with few;
    /// `displaced` is called then, on the thread that submits the other.
    package func submit(
        to lane: Lane = .ordinary, claiming claim: JobClaim = .long, for client: ClientNetwork? = nil,
        cancelledBy cancellation: SharedFlag? = nil, displaced: Job? = nil, _ job: @escaping Job
    ) -> Bool {
        let queued = QueuedJob(
            run: job, cancellation: cancellation, claim: lane == .long ? claim : .none, client: client,
            displaced: displaced)
        // Dropped jobs are released after the lock: their closures may hold anything.
        let (isQueued, dropped, other) = queue.withLock { queue -> (Bool, [QueuedJob], QueuedJob?) in
            if queue.append(queued, lane) { return (true, [], nil) }
            let dropped = queue.removeCancelled(lane)
            let other = dropped.isEmpty ? queue.displace(lane, for: client) : nil
            return ((!dropped.isEmpty || other != nil) && queue.append(queued, lane), dropped, other)
        }
        // Jobs that waited behind dropped ones may begin as well.
        if !dropped.isEmpty { queue.broadcast() } else if isQueued { queue.signal() }
        other?.displaced?()
        withExtendedLifetime(dropped) {}
        return isQueued
    }

    /// `client` waits for the job that `cancellation` cancels, too. While it is queued, it takes that client's turn where
    /// this comes before its own. Any thread.
    package func hasten(_ cancellation: SharedFlag, for client: ClientNetwork?) {
        // A job of the long lane may begin now, and all threads may be asleep.
        if queue.withLock({ $0.hasten(cancellation, for: client) }) { queue.broadcast() }
    }

    /// Lets this thread's job hold `new`, if that fits and no job waits for the same. A job gives back what it gained before it ends.
    package func exchange(_ old: JobClaim, for new: JobClaim) -> Bool {
        let isGranted = queue.withLock { $0.exchange(old, for: new) }
        // What was given back may let waiting jobs begin, and all threads may be asleep.
        if new.isWithin(old) { queue.broadcast() }
        return isGranted
    }

    /// Whether no thread is left for another job, or a job waits for its claim.
    package var isBusy: Bool { queue.withLock { $0.count + $0.runningCount >= threads.count || $0.isClaimAwaited } }

    package var load: WorkerLoad { queue.withLock { WorkerLoad(queuedCount: $0.count, runningCount: $0.runningCount) } }

    /// Runs the queued jobs. Not from a job of this pool. Later calls return at once.
    package func shutdown() {
        WorkerPool.close(queue)
        for thread in threads { thread.join() }
    }

    private static func close(_ queue: Monitor<JobQueue>) {
        queue.withLock { $0.isClosed = true }
        queue.broadcast()
    }

    private static func work(off queue: Monitor<JobQueue>, _ quiet: Quiet?) {
        while true {
            switch quiet?.turn(of: queue) ?? queue.wait(until: { $0.next() }) {
            case .run(let job, let claim):
                job()
                queue.withLock { $0.finished(claim) }
                if claim != .none { queue.broadcast() }
            case .drop(let jobs):
                // More jobs that waited behind them may begin than this thread can take.
                queue.broadcast()
                withExtendedLifetime(jobs) {}
            case .exit: return
            }
        }
    }
}

package struct WorkerLoad: Equatable, Sendable {
    package var queuedCount: Int
    package var runningCount: Int

    package var isIdle: Bool { queuedCount == 0 && runningCount == 0 }
}
