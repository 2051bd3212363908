import Bytes

/// A job, the flag by which nobody wants it any more, and what it takes beside a thread.
struct QueuedJob: Sendable {
    let run: WorkerPool.Job
    let cancellation: SharedFlag?
    var claim = JobClaim.none
}

/// The waiting jobs of both lanes, and who is next.
///
/// The second lane holds jobs with claims, in the order they came. Its first job is taken where its claim fits beside those
/// of the jobs that run, and no ordinary job waits or four of those were taken since the last one: neither lane starves.
/// A claim always fits where no running job claims anything, so the first job never waits for ever.
struct JobQueue {
    enum Turn {
        case run(WorkerPool.Job, JobClaim)
        case exit
    }

    /// How many ordinary jobs go before one with a claim that might run.
    static let ordinaryTurns = 4

    private var ordinary: JobRing
    private var long: JobRing
    private var claims: ClaimLedger
    private var turnsSinceLong = 0
    var runningCount = 0
    var isClosed = false

    /// Room for `capacity` jobs in each lane; the claims of those that run stay within `bounds`.
    init(capacity: Int, bounds: ClaimBounds) {
        ordinary = JobRing(capacity: capacity)
        long = JobRing(capacity: capacity)
        claims = ClaimLedger(bounds)
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
        if isLongDue, let claim = long.firstClaim, claims.fits(claim), let job = long.popFirst() {
            claims.hold(claim)
            runningCount += 1
            turnsSinceLong = 0
            return .run(job.run, claim)
        }
        if let job = ordinary.popFirst() {
            runningCount += 1
            turnsSinceLong += 1
            return .run(job.run, .none)
        }
        // Jobs with claims that are left are taken by whoever finishes the ones that run.
        return isClosed ? .exit : nil
    }

    /// Ends a job that `next` gave with `claim`.
    mutating func finished(_ claim: JobClaim) {
        runningCount -= 1
        claims.release(claim)
    }

    /// Lets a running job hold `new` instead of `old`, where that fits and no job waits for the same. Less always fits.
    mutating func exchange(_ old: JobClaim, for new: JobClaim) -> Bool {
        claims.release(old)
        let isGranted =
            new.isWithin(old) || (claims.fits(new) && !long.contains { $0.claim.competes(with: new, beyond: old) })
        claims.hold(isGranted ? new : old)
        return isGranted
    }

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

    /// The claim of the job that is next.
    var firstClaim: JobClaim? { count > 0 ? ring[first]?.claim : nil }

    func contains(where matches: (QueuedJob) -> Bool) -> Bool {
        (0..<count).contains { ring[(first + $0) % ring.count].map(matches) ?? false }
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
