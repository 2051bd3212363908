import Bytes

/// Clients take turns in both lanes. The long lane holds jobs with claims. Its turn comes when no ordinary job waits or
/// four were taken since the last one, so neither lane starves. It takes the first job whose claim fits beside those of running
/// jobs and of jobs waiting before it: a waiting job holds up only those that want the same. What a job lacks is given to no
/// later one, so no job waits for ever.
struct JobQueue {
    enum Turn {
        case run(WorkerPool.Job, JobClaim)
        /// The caller releases them without the lock and asks again.
        case drop([QueuedJob])
        case exit
    }

    /// Ordinary jobs that go before one with a claim.
    static let ordinaryTurns = 4
    /// Jobs with claims looked at for a turn, which bounds the time under the lock.
    static let reach = 64

    private var ordinary: FairQueue
    private var long: FairQueue
    private var claims: ClaimLedger
    private var turnsSinceLong = 0
    /// Whether ``takeQuiet()`` is due.
    private var hasWorked = true
    var runningCount = 0
    var isClosed = false

    /// For each lane.
    init(capacity: Int, bounds: ClaimBounds) {
        ordinary = FairQueue(capacity: capacity)
        long = FairQueue(capacity: capacity)
        claims = ClaimLedger(bounds)
    }

    var count: Int { ordinary.count + long.count }
    var isClaimAwaited: Bool { long.count > 0 }

    mutating func append(_ job: QueuedJob, _ lane: WorkerPool.Lane) -> Bool {
        guard !isClosed else { return false }
        return lane == .long ? long.append(job) : ordinary.append(job)
    }

    /// Nil when a job has to wait.
    mutating func next() -> Turn? {
        let isLongDue = ordinary.count == 0 || turnsSinceLong >= Self.ordinaryTurns
        if isLongDue, let turn = nextLong() { return turn }
        if let job = ordinary.popFirst() {
            runningCount += 1
            turnsSinceLong += 1
            return .run(job.run, .none)
        }
        // The threads that finish the running jobs take the jobs with claims that are left.
        return isClosed ? .exit : nil
    }

    /// Before it, cancelled jobs met on the way.
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
            ahead.reserve(waiting.claim)
        }
        return nil
    }

    /// Whether no job runs or waits, true once after each time of work and after the start.
    mutating func takeQuiet() -> Bool {
        guard hasWorked, runningCount == 0, count == 0 else { return false }
        hasWorked = false
        return true
    }

    mutating func finished(_ claim: JobClaim) {
        hasWorked = true
        runningCount -= 1
        claims.release(claim)
    }

    /// If that fits and no job waits for the same. Less always fits.
    mutating func exchange(_ old: JobClaim, for new: JobClaim) -> Bool {
        claims.release(old)
        let isGranted =
            new.isWithin(old)
            || (claims.fits(new)
                && !long.contains {
                    !$0.isCancelled
                        && ($0.claim.competes(with: new, beyond: old)
                            || new.holdsThread && !old.holdsThread && claims.lacksThreadAlone($0.claim))
                })
        claims.hold(isGranted ? new : old)
        return isGranted
    }

    /// Makes room for a job of `client`.
    mutating func displace(_ lane: WorkerPool.Lane, for client: ClientNetwork?) -> QueuedJob? {
        guard !isClosed else { return nil }
        return lane == .long ? long.displace(for: client) : ordinary.displace(for: client)
    }

    /// Whether the job that `cancellation` cancels comes earlier now, as a job of `client`.
    mutating func hasten(_ cancellation: SharedFlag, for client: ClientNetwork?) -> Bool {
        ordinary.hasten(cancellation, for: client) || long.hasten(cancellation, for: client)
    }

    mutating func removeCancelled(_ lane: WorkerPool.Lane) -> [QueuedJob] {
        guard !isClosed else { return [] }
        return lane == .long ? long.removeCancelled() : ordinary.removeCancelled()
    }
}
