import Bytes

struct QueuedJob: Sendable {
    let run: WorkerPool.Job
    let cancellation: SharedFlag?
    var claim = JobClaim.none
    var client: ClientNetwork?
    /// Called in place of `run` if another client gets its place; nil: it keeps its place.
    var displaced: WorkerPool.Job?

    var isCancelled: Bool { cancellation?.isSet == true }
}

/// In the ordinary lane, clients take turns. The long lane holds jobs with claims. Its turn comes when no ordinary job waits or four were taken since the last one, so neither
/// lane starves. It takes the first job whose claim fits beside those of running jobs and of jobs waiting before it: a waiting job
/// holds up only those that want the same. What a job lacks is given to no later one, so no job waits for ever.
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
    private var long: Ring<QueuedJob>
    private var claims: ClaimLedger
    private var turnsSinceLong = 0
    var runningCount = 0
    var isClosed = false

    /// For each lane.
    init(capacity: Int, bounds: ClaimBounds) {
        ordinary = FairQueue(capacity: capacity)
        long = Ring(capacity: capacity)
        claims = ClaimLedger(bounds)
    }

    var count: Int { ordinary.count + long.count }

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

    mutating func finished(_ claim: JobClaim) {
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

    /// Makes room for an ordinary job of `client`.
    mutating func displace(for client: ClientNetwork?) -> QueuedJob? { isClosed ? nil : ordinary.displace(for: client) }

    mutating func removeCancelled(_ lane: WorkerPool.Lane) -> [QueuedJob] {
        guard !isClosed else { return [] }
        return lane == .long ? long.removeCancelled() : ordinary.removeCancelled()
    }
}

/// Its storage never grows.
struct Ring<Element> {
    private var ring: [Element?]
    private var first = 0
    private(set) var count = 0

    init(capacity: Int) { ring = Array(repeating: nil, count: capacity) }

    /// Counts from the first.
    subscript(offset: Int) -> Element? { offset >= 0 && offset < count ? ring[(first + offset) % ring.count] : nil }

    func contains(where matches: (Element) -> Bool) -> Bool {
        (0..<count).contains { self[$0].map(matches) ?? false }
    }

    mutating func append(_ element: Element) -> Bool {
        guard count < ring.count else { return false }
        ring[(first + count) % ring.count] = element
        count += 1
        return true
    }

    mutating func popFirst() -> Element? { remove(at: 0) }

    mutating func remove(at offset: Int) -> Element? {
        guard let element = self[offset] else { return nil }
        for place in stride(from: offset, to: 0, by: -1) {
            ring[(first + place) % ring.count] = ring[(first + place - 1) % ring.count].take()
        }
        ring[first] = nil
        first = (first + 1) % ring.count
        count -= 1
        return element
    }
}

extension Ring<QueuedJob> {
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
