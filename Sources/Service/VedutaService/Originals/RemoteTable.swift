import HTTPMessage
import ImagePlan
import Origin
import Reactor
import ResponseCache

/// An original of another server: its id in its one spelling, and where it is had.
struct RemoteSource: Hashable, Sendable {
    /// As it stands in canonical requests, and by which it is purged.
    let id: String
    let url: OriginURL
    /// The object that it is, where it is one in a bucket; requests for it are signed.
    var object: S3Location?

    /// Ids are bytes: two that only look the same are two (Swift's texts are equal then).
    static func == (left: RemoteSource, right: RemoteSource) -> Bool {
        left.id.utf8.elementsEqual(right.id.utf8) && left.url == right.url && left.object == right.object
    }

    func hash(into hasher: inout Hasher) {
        for byte in id.utf8 { hasher.combine(byte) }
    }
}

/// What is known of remote originals: which are held, how fresh they are, and which could not be had. Times are seconds
/// since 1970 and passed in.
struct RemoteTable {
    /// An original whose bytes are here.
    struct Held: Sendable {
        /// What the origin said of it.
        var exchange: StoredExchange
        /// Its digest, and the date that the origin gives it.
        let state: OriginalState
        /// Its bytes until they are in the disk tier, or for as long as there is room where there is none.
        var spool: SharedFile?
        /// Whether the origin does not want it kept: it serves those who wait for it now, and whoever comes later asks anew.
        var isTransient = false
        /// Tells this one from those before and after it.
        let number: UInt64
    }

    /// Why an original could not be had.
    struct Failure: Sendable {
        let problem: Problem
        /// When the origin may be asked again.
        let until: Int64

        /// Whether the origin has nothing there.
        var isAbsence: Bool { problem == .assetNotFound }
    }

    /// What has to be done before an original is looked at.
    enum Step: Sendable {
        /// Nothing: it is held, or known to be out of reach.
        case ready
        /// It is held and may be used, but somebody should ask the origin.
        case refresh(RemoteQuestion)
        /// The disk tier may have it.
        case seek
        /// The origin has to be asked.
        case ask(RemoteQuestion)
    }

    private struct Entry {
        var held: Held?
        var failure: Failure?
        /// Whether the disk tier was looked at.
        var wasSought = false
        /// Until when it is not asked for again, because the origin has just failed.
        var quietUntil: Int64 = 0
        var use: UInt64 = 0
    }

    private let rules: RemoteRules
    private var entries: [RemoteSource: Entry] = [:]
    private var clock: UInt64 = 0
    private var spooledByteCount = 0
    private var spooledFileCount = 0

    init(_ rules: RemoteRules) {
        self.rules = rules
    }

    // MARK: Deciding

    /// What to do for a request with `directives` of its client.
    mutating func step(_ source: RemoteSource, _ directives: RemoteDirectives, now: Int64) -> Step {
        var entry = entries[source] ?? Entry()
        entry.use = tick()
        if entries[source] != nil { entries[source] = entry }
        if let failure = entry.failure, failure.until > now { return .ready }
        guard let held = entry.held else {
            if rules.seeksOnDisk, !entry.wasSought { return .seek }
            return rules.isOffline || directives.onlyIfCached ? .ready : .ask(rules.question(source, directives))
        }
        if rules.isOffline || entry.quietUntil > now { return .ready }
        if held.isTransient { return directives.onlyIfCached ? .ready : .ask(rules.question(source, directives)) }
        return rules.step(source, directives, held.exchange, now: now)
    }

    /// The state of an original; nil where the origin has none.
    func state(of source: RemoteSource, now: Int64) throws(Problem) -> OriginalState? {
        let entry = entries[source]
        if let failure = entry?.failure, failure.until > now {
            if failure.isAbsence { return nil }
            throw failure.problem
        }
        guard let held = entry?.held else { throw rules.isOffline ? .sourceOffline : .notStored }
        return held.state
    }

    /// The original that is held.
    func held(_ source: RemoteSource) -> Held? { entries[source]?.held }

    // MARK: Learning

    /// Notes what the disk tier has; nil: nothing.
    mutating func sought(_ source: RemoteSource, _ exchange: StoredExchange?, _ state: OriginalState?) {
        var entry = entries[source] ?? Entry()
        entry.wasSought = true
        entry.use = tick()
        if entry.held == nil, let exchange, let state {
            entry.held = Held(exchange: exchange, state: state, spool: nil, number: tick())
        }
        set(source, entry)
    }

    /// Notes that the origin sent the original; returns the number of what is held now.
    mutating func took(
        _ source: RemoteSource, _ exchange: StoredExchange, isTransient: Bool, state: OriginalState,
        spool: SharedFile
    ) -> UInt64 {
        var entry = Entry()
        (entry.wasSought, entry.use) = (true, tick())
        let number = tick()
        entry.held = Held(
            exchange: exchange, state: state, spool: spool, isTransient: isTransient, number: number)
        set(source, entry)
        return number
    }

    /// Notes that what is held is still right.
    mutating func freshened(_ source: RemoteSource, _ exchange: StoredExchange) {
        guard var entry = entries[source], var held = entry.held else { return }
        held.exchange = exchange
        (entry.held, entry.failure, entry.quietUntil, entry.use) = (held, nil, 0, tick())
        set(source, entry)
    }

    /// Notes that the original could not be had. What is held stays in use where it may be, for a while without asking.
    mutating func failed(_ source: RemoteSource, _ problem: Problem, now: Int64) {
        var entry = entries[source] ?? Entry()
        entry.use = tick()
        let failure = Failure(problem: problem, until: now + Int64(problem.secondsOriginIsSpared))
        if failure.isAbsence {
            entry.held = nil
            entry.failure = failure
        } else if let held = entry.held, !held.isTransient, problem.status.code >= 500,
            rules.mayServeOnError(source, held.exchange, now: now)
        {
            entry.quietUntil = failure.until
        } else {
            entry.failure = failure
        }
        set(source, entry)
    }

    /// The bytes of what is held under `number` are in the disk tier.
    mutating func kept(_ source: RemoteSource, number: UInt64) {
        guard var entry = entries[source], entry.held?.number == number else { return }
        entry.held?.spool = nil
        set(source, entry)
    }

    // MARK: Forgetting

    mutating func forget(_ source: RemoteSource) { set(source, nil) }

    /// Forgets what is held under `number`.
    mutating func forget(_ source: RemoteSource, number: UInt64) {
        if entries[source]?.held?.number == number { set(source, nil) }
    }

    /// Forgets those that `isMeant` says yes to.
    mutating func forget(where isMeant: (RemoteSource) -> Bool) {
        for source in entries.keys.filter(isMeant) { set(source, nil) }
    }

    private mutating func tick() -> UInt64 {
        clock += 1
        return clock
    }

    private mutating func set(_ source: RemoteSource, _ entry: Entry?) {
        count(entries[source], -1)
        entries[source] = entry
        count(entry, 1)
        let isTooMuch = hasTooMuchSpooled(rules.spooledByteLimit, rules.spooledFileLimit)
        guard entry != nil, isTooMuch || entries.count > rules.entryLimit else { return }
        makeRoom(sparing: source)
    }

    private mutating func count(_ entry: Entry?, _ sign: Int) {
        guard let spool = entry?.held?.spool else { return }
        spooledByteCount += sign * spool.byteCount
        spooledFileCount += sign
    }

    private func hasTooMuchSpooled(_ byteLimit: Int, _ fileLimit: Int) -> Bool {
        spooledByteCount > byteLimit || spooledFileCount > fileLimit
    }

    /// Those used longest ago go first, an eighth at a time, so that looking for them costs little for each.
    private mutating func makeRoom(sparing source: RemoteSource) {
        let old = entries.sorted { $0.value.use < $1.value.use }.lazy.filter { $0.key != source }
        let countGoal = entries.count > rules.entryLimit ? rules.entryLimit - rules.entryLimit / 8 : .max
        let (byteGoal, fileGoal) =
            hasTooMuchSpooled(rules.spooledByteLimit, rules.spooledFileLimit)
            ? (rules.spooledByteLimit - rules.spooledByteLimit / 8, rules.spooledFileLimit - rules.spooledFileLimit / 8)
            : (.max, .max)
        for (source, entry) in old {
            guard hasTooMuchSpooled(byteGoal, fileGoal) || entries.count > countGoal else { break }
            if entries.count <= countGoal, entry.held?.spool == nil { continue }
            count(entry, -1)
            entries[source] = nil
        }
    }
}
