import Bytes

/// A job, the flag by which nobody wants it any more, and what it takes beside a thread.
struct QueuedJob: Sendable {
    let run: WorkerPool.Job
    let cancellation: SharedFlag?
    var claim = JobClaim.none

    var isCancelled: Bool { cancellation?.isSet == true }
}

/// The waiting jobs of both lanes, and who is next.
///
/// The second lane holds jobs with claims, in the order they came. The first one is taken whose claim fits beside those of the
/// jobs that run and of the jobs that wait before it, and no ordinary job waits or four of those were taken since the last
/// one: neither lane starves. So a job that has to wait holds up those who want the same, and nobody else. A claim always
/// fits where no running job claims anything, and nothing that a job lacks is given to a later one: no job waits for ever.
struct JobQueue {
    enum Turn {
        case run(WorkerPool.Job, JobClaim)
        /// These were cancelled; the caller releases them without the lock, and asks again.
        case drop([QueuedJob])
        case exit
    }

    /// How many ordinary jobs go before one with a claim that might run.
    static let ordinaryTurns = 4
    /// How many of the jobs with claims are looked at for a turn, which bounds the time that the lock is held.
    static let reach = 64

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
        if isLongDue, let turn = nextLong() { return turn }
        if let job = ordinary.popFirst() {
            runningCount += 1
            turnsSinceLong += 1
            return .run(job.run, .none)
        }
        // Jobs with claims that are left are taken by whoever finishes the ones that run.
        return isClosed ? .exit : nil
    }

    /// The first job with a claim that may run; cancelled ones that are met on the way go before it.
    private mutating func nextLong() -> Turn? {
        var ahead = claims
        for offset in 0..<min(long.count, Self.reach) {
            guard let waiting = long[offset] else { continue }
            if waiting.isCancelled, !isClosed { return .drop(long.removeCancelled()) }
            if ahead.fits(waiting.claim), let job = long.remove(at: offset) {
                claims.hold(job.claim)
                runningCount += 1
                turnsSinceLong = 0
                return .run(job.run, job.claim)
            }
            ahead.hold(waiting.claim)
        }
        return nil
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
            new.isWithin(old)
            || (claims.fits(new) && !long.contains { !$0.isCancelled && $0.claim.competes(with: new, beyond: old) })
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

    /// The job before which `offset` others wait; nil where there is none.
    subscript(offset: Int) -> QueuedJob? {
        offset >= 0 && offset < count ? ring[(first + offset) % ring.count] : nil
    }

    func contains(where matches: (QueuedJob) -> Bool) -> Bool {
        (0..<count).contains { self[$0].map(matches) ?? false }
    }

    mutating func append(_ job: QueuedJob) -> Bool {
        guard count < ring.count else { return false }
        ring[(first + count) % ring.count] = job
        count += 1
        return true
    }

    mutating func popFirst() -> QueuedJob? { remove(at: 0) }

    /// Takes out the job before which `offset` others wait; those keep their order.
    mutating func remove(at offset: Int) -> QueuedJob? {
        guard let job = self[offset] else { return nil }
        for place in stride(from: offset, to: 0, by: -1) {
            ring[(first + place) % ring.count] = ring[(first + place - 1) % ring.count].take()
        }
        ring[first] = nil
        first = (first + 1) % ring.count
        count -= 1
        return job
    }

    mutating func removeCancelled() -> [QueuedJob] {
        var dropped: [QueuedJob] = []
        var kept = 0
        for offset in 0..<count {
            guard let job = ring[(first + offset) % ring.count].take() else { continue }
            if job.isCancelled {
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
