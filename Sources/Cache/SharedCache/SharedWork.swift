import Digest
import DiskStore
import Origin
import Reactor

/// One thing to ask of the tier, on a thread of its own.
struct SharedJob: Sendable {
    /// Nothing is asked after it.
    let deadline: MonotonicInstant
    /// Counted while it waits.
    var byteCount = 0
    let run: @Sendable (RedisConnection) throws(RedisError) -> Void
    /// Called in place of an answer.
    var fail: @Sendable () -> Void = {}
}

/// A render that waits until another server has made the same.
struct SharedWait: Sendable {
    let key: Digest256
    let deadline: MonotonicInstant
    let resume: @Sendable () -> Void
}

/// What waits for the threads of the tier, in order of urgency: workers wait for asks; purges must not be lost; waits are looked
/// after now and then; results are written when there is time.
struct SharedWork: Sendable {
    enum Turn: Sendable {
        case ask(SharedJob)
        case purge(PendingPurge)
        case look([SharedWait])
        case write(SharedJob)
        /// Something is due earlier than it was.
        case again
        case stop
    }

    static let askLimit = 512
    static let waitLimit = 4096
    static let purgeLimit = 1024
    static let lookInterval = Duration.milliseconds(10)
    static let purgeInterval = Duration.seconds(1)

    private let writeLimit, writeByteLimit: Int
    /// A tier that is down costs a try a second at most, and then one in eight.
    var breaker = CircuitBreaker(failureLimit: 3, firstRest: .seconds(1), longestRest: .seconds(8))
    private var asks: [SharedJob] = []
    private var writes: [SharedJob] = []
    private(set) var writeByteCount = 0
    private var purges: [PendingPurge] = []
    private var purgesDue = MonotonicInstant(nanoseconds: .min)
    /// What threads are telling of.
    private var telling: [SharedPurge] = []
    private var waits: [SharedWait] = []
    private var looksDue = MonotonicInstant(nanoseconds: .min)
    var isStopping = false

    init(writeLimit: Int, writeByteLimit: Int) {
        self.writeLimit = writeLimit
        self.writeByteLimit = writeByteLimit
    }

    /// False where nothing is asked at the moment.
    mutating func ask(_ job: SharedJob, now: MonotonicInstant) -> Bool {
        guard !isStopping, asks.count < Self.askLimit, breaker.admit(now: now) == nil else { return false }
        asks.append(job)
        return true
    }

    /// False where too much waits, or the tier is down.
    mutating func write(_ job: SharedJob, now: MonotonicInstant) -> Bool {
        guard !isStopping, writes.count < writeLimit, writeByteCount + job.byteCount <= writeByteLimit,
            !breaker.isOpen(now: now)
        else { return false }
        writes.append(job)
        writeByteCount += job.byteCount
        return true
    }

    mutating func wait(_ wait: SharedWait, now: MonotonicInstant) -> Bool {
        guard !isStopping, waits.count < Self.waitLimit, !breaker.isOpen(now: now) else { return false }
        if waits.isEmpty { looksDue = now + Self.lookInterval }
        waits.append(wait)
        return true
    }

    /// Where very many wait, one of everything takes their place.
    mutating func purge(_ purge: PendingPurge) {
        guard purges.count < Self.purgeLimit else {
            purges = [PendingPurge(purge: .whole, told: purge.told)]
            return
        }
        purges.append(purge)
    }

    /// Whether this server has purged the entry, and the tier may still have it.
    func isPurging(_ key: Digest256, _ tags: [UInt64]) -> Bool {
        func covers(_ purge: SharedPurge) -> Bool {
            switch purge {
            case .whole: true
            case .group(let tag): tags.contains(tag)
            case .entry(let purged, _): purged == key
            }
        }
        return telling.contains(where: covers) || purges.contains { covers($0.purge) }
    }

    mutating func told(_ purge: PendingPurge) {
        if let index = telling.firstIndex(of: purge.purge) { telling.remove(at: index) }
    }

    mutating func failed(_ purge: PendingPurge, now: MonotonicInstant) {
        told(purge)
        purges.insert(purge, at: 0)
        purgesDue = now + Self.purgeInterval
    }

    /// Nil where nothing is to be done before ``pause(now:)`` is over.
    mutating func next(now: MonotonicInstant) -> Turn? {
        if isStopping { return .stop }
        if !asks.isEmpty { return .ask(asks.removeFirst()) }
        if !purges.isEmpty, purgesDue <= now {
            let purge = purges.removeFirst()
            telling.append(purge.purge)
            return .purge(purge)
        }
        if !waits.isEmpty, looksDue <= now {
            looksDue = now + Self.lookInterval
            defer { waits = [] }
            return .look(waits)
        }
        guard !writes.isEmpty else { return nil }
        let job = writes.removeFirst()
        writeByteCount -= job.byteCount
        return .write(job)
    }

    func pause(now: MonotonicInstant) -> Duration {
        let due = [purges.isEmpty ? nil : purgesDue, waits.isEmpty ? nil : looksDue].compactMap(\.self).min()
        return due.map { max(.milliseconds(1), $0 - now) } ?? .seconds(60)
    }

    /// Ends everything; the caller gives up what is returned, without the lock.
    mutating func stop() -> (jobs: [SharedJob], waits: [SharedWait]) {
        isStopping = true
        defer { (asks, writes, waits, purges) = ([], [], [], []) }
        return (asks + writes, waits)
    }
}

struct PendingPurge: Sendable {
    let purge: SharedPurge
    /// True when other servers can hear of it.
    let told: Monitor<Bool>
}
