import Bytes

/// A job and the flag by which nobody wants it any more.
struct QueuedJob: Sendable {
    let run: WorkerPool.Job
    let cancellation: SharedFlag?
}

/// The waiting jobs of both lanes, and who is next.
///
/// Long jobs never hold more threads than their limit. Below it, one of them is taken where no ordinary job waits or four of
/// those were taken since the last one: neither lane starves.
struct JobQueue {
    enum Turn {
        case run(WorkerPool.Job, WorkerPool.Lane)
        case exit
    }

    /// How many ordinary jobs go before a long one that might run.
    static let ordinaryTurns = 4

    private var ordinary: JobRing
    private var long: JobRing
    private let longLimit: Int
    private var runningLongCount = 0
    private var turnsSinceLong = 0
    var runningCount = 0
    var isClosed = false

    /// Room for `capacity` jobs in each lane; at most `longLimit` long ones run at a time.
    init(capacity: Int, longLimit: Int) {
        ordinary = JobRing(capacity: capacity)
        long = JobRing(capacity: capacity)
        self.longLimit = longLimit
    }

    /// Jobs that wait, in both lanes.
    var count: Int { ordinary.count + long.count }

    mutating func append(_ job: QueuedJob, _ lane: WorkerPool.Lane) -> Bool {
        guard !isClosed else { return false }
        return lane == .long ? long.append(job) : ordinary.append(job)
    }

    /// The next job, `exit` when none will come any more, `nil` when one has to wait.
    mutating func next() -> Turn? {
        let isLongDue = ordinary.count == 0 || turnsSinceLong >= Self.ordinaryTurns
        if runningLongCount < longLimit, isLongDue, let job = long.popFirst() {
            runningLongCount += 1
            runningCount += 1
            turnsSinceLong = 0
            return .run(job.run, .long)
        }
        if let job = ordinary.popFirst() {
            runningCount += 1
            turnsSinceLong += 1
            return .run(job.run, .ordinary)
        }
        // Long jobs that are left are taken by whoever finishes the ones that run.
        return isClosed ? .exit : nil
    }

    mutating func finished(_ lane: WorkerPool.Lane) {
        runningCount -= 1
        if lane == .long { endLong() }
    }

    /// Makes a running job a long one, where another may run and none has waited before it.
    mutating func beginLong() -> Bool {
        guard runningLongCount < longLimit, long.count == 0 else { return false }
        runningLongCount += 1
        return true
    }

    mutating func endLong() { runningLongCount -= 1 }

    /// Takes out the jobs that nobody wants any more; the others keep their order.
    mutating func removeCancelled(_ lane: WorkerPool.Lane) -> [QueuedJob] {
        guard !isClosed else { return [] }
        return lane == .long ? long.removeCancelled() : ordinary.removeCancelled()
    }
}

/// A ring of waiting jobs; its storage never grows.
struct JobRing {
    private var ring: [QueuedJob?]
    private var first = 0
    private(set) var count = 0

    init(capacity: Int) {
        ring = Array(repeating: nil, count: capacity)
    }

    mutating func append(_ job: QueuedJob) -> Bool {
        guard count < ring.count else { return false }
        ring[(first + count) % ring.count] = job
        count += 1
        return true
    }

    mutating func popFirst() -> QueuedJob? {
        guard count > 0, let job = ring[first].take() else { return nil }
        first = (first + 1) % ring.count
        count -= 1
        return job
    }

    mutating func removeCancelled() -> [QueuedJob] {
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
