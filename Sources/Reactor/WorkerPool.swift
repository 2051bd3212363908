package import Bytes

/// Threads that run jobs which block or compute: decoding, drawing. The queue is bounded; a full one refuses at once.
package final class WorkerPool: Sendable {
    /// A piece of work; what it finds out goes back by a mailbox.
    package typealias Job = @Sendable () -> Void

    private let queue: Monitor<JobQueue>
    private let threads: [OwnedThread]

    /// Starts `threadCount` threads named `name-0`, `name-1`, ….
    ///
    /// - `queueLimit`: how many jobs may wait besides those that run; at least 1.
    /// - `willStart`, `willExit`: run on each thread, before its first and after its last job.
    ///
    /// Errors: `EAGAIN` (no more threads), `EINVAL` (count below 1, stack too small); none is left running then.
    package init(
        name: String, threadCount: Int, queueLimit: Int, stackByteCount: Int = 8 << 20,
        willStart: @escaping @Sendable () -> Void = {}, willExit: @escaping @Sendable () -> Void = {}
    ) throws(Errno) {
        guard threadCount > 0, queueLimit > 0 else { throw .invalidArgument }
        let queue = Monitor(JobQueue(capacity: queueLimit))
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
    /// A queued job whose `cancellation` is set gives up its place when another one needs it; then it is not run.
    package func submit(cancelledBy cancellation: SharedFlag? = nil, _ job: @escaping Job) -> Bool {
        let queued = QueuedJob(run: job, cancellation: cancellation)
        // What is put out is let go of after the lock: the closures may hold anything.
        let (isQueued, dropped) = queue.withLock { queue in
            if queue.append(queued) { return (true, [QueuedJob]()) }
            let dropped = queue.removeCancelled()
            return (!dropped.isEmpty && queue.append(queued), dropped)
        }
        if isQueued { queue.signal() }
        withExtendedLifetime(dropped) {}
        return isQueued
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
        while case .run(let job) = queue.wait(until: { $0.next() }) {
            job()
            queue.withLock { $0.runningCount -= 1 }
        }
    }
}

/// What a worker pool has to do at a moment.
package struct WorkerLoad: Equatable, Sendable {
    /// Jobs that wait for a thread.
    package var queuedCount: Int
    /// Jobs that run.
    package var runningCount: Int

    /// Whether nothing waits or runs.
    package var isIdle: Bool { queuedCount == 0 && runningCount == 0 }
}

/// A job and the flag by which nobody wants it any more.
struct QueuedJob: Sendable {
    let run: WorkerPool.Job
    let cancellation: SharedFlag?
}

/// A ring of waiting jobs; its storage never grows.
struct JobQueue {
    enum Turn {
        case run(WorkerPool.Job)
        case exit
    }

    private var ring: [QueuedJob?]
    private var first = 0
    private(set) var count = 0
    var runningCount = 0
    var isClosed = false

    init(capacity: Int) {
        ring = Array(repeating: nil, count: capacity)
    }

    mutating func append(_ job: QueuedJob) -> Bool {
        guard !isClosed, count < ring.count else { return false }
        ring[(first + count) % ring.count] = job
        count += 1
        return true
    }

    /// The oldest job, `exit` when none will come any more, `nil` when one has to wait.
    mutating func next() -> Turn? {
        guard count > 0, let job = ring[first].take() else { return isClosed ? .exit : nil }
        first = (first + 1) % ring.count
        count -= 1
        runningCount += 1
        return .run(job.run)
    }

    /// Takes out the jobs that nobody wants any more; the others keep their order.
    mutating func removeCancelled() -> [QueuedJob] {
        guard !isClosed else { return [] }
        var dropped: [QueuedJob] = []
        var kept = 0
        for offset in 0..<count {
            guard let job = ring[(first + offset) % ring.count].take() else { continue }
            if job.cancellation?.isSet == true {
                dropped.append(job)
            } else {
                ring[(first + kept) % ring.count] = job
                kept += 1
            }
        }
        count = kept
        return dropped
    }
}
