import Eviction
import Origin
import Reactor

/// What is kept of other servers, what is being asked, and who may be asked now. Pure: time is passed in.
struct RemoteTable: Sendable {
    /// What there is of something that is sought.
    enum Finding: Sendable {
        case known(RemoteOutcome)
        /// This is it for now; the claim is to be asked for.
        case refreshed(RemoteOutcome, RemoteClaim)
        /// It is being asked for.
        case awaited(UInt64)
        /// It has to be asked for.
        case claimed(RemoteClaim)
    }

    /// What to do with a request that a change set free.
    enum Step: Sendable {
        case start(UInt64, FetchRequest)
        /// Its answer is of no interest any more.
        case cancel(Fetcher.Ticket)
    }

    private struct Course {
        let key: RemoteKey
        var waitingCount: Int
        var request: UInt64?
        var outcome: RemoteOutcome?
    }

    private struct Running {
        let request: RemoteRequest
        let origin: OriginURL.Origin
        /// Whether it goes on when nobody waits.
        var isOwed: Bool
        var isSent = false
        var ticket: Fetcher.Ticket?
    }

    private final class Entry: Sendable {
        let key: RemoteKey
        let kept: RemoteKept

        init(key: RemoteKey, kept: RemoteKept) {
            self.key = key
            self.kept = kept
        }
    }

    /// The most requests that wait for one origin.
    static let waitingLimit = 1_024
    /// The most origins that are left alone; of more, any is forgotten.
    static let restLimit = 1_024
    /// For how many seconds what is stale is used without another question after that failed.
    private static let graceSeconds: Int64 = 30

    private let rules: RemoteAccess.Rules
    private var entries: EvictionQueue<Entry>
    private var courses: [UInt64: Course] = [:]
    private var open: [RemoteKey: UInt64] = [:]
    private var requests: [UInt64: Running] = [:]
    private var sentCounts: [OriginURL.Origin: Int] = [:]
    private var lines: [OriginURL.Origin: [UInt64]] = [:]
    private var rests: [OriginURL.Origin: MonotonicInstant] = [:]
    private var nextNumber: UInt64 = 0
    // Addresses come from styles; a seed of its own for each process keeps them from being made to collide.
    private let seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

    init(_ rules: RemoteAccess.Rules) {
        self.rules = rules
        entries = EvictionQueue(capacity: rules.cacheByteCount)
    }

    /// Bytes that are kept.
    var keptByteCount: Int { entries.weight }
    /// How many requests run or wait.
    var requestCount: Int { requests.count }

    // MARK: Looking

    /// What there is of `want`. Whoever is told of a course waits for it, until `leave`; `isOwed`: nobody does.
    mutating func find(
        _ want: RemoteWant, isOwed: Bool = false, now: Int64, instant: MonotonicInstant
    ) -> Finding {
        let kept = kept(want.key)
        if let kept, now < kept.freshUntil { return .known(kept.outcome) }
        let mayRefresh = kept.map { now < $0.refreshUntil } ?? false
        if let number = open[want.key] {
            if let kept, mayRefresh { return .known(kept.outcome) }
            if !isOwed { courses[number]?.waitingCount += 1 }
            return .awaited(number)
        }
        if let end = rests[want.origin] {
            if instant < end {
                if let kept, now < kept.errorUntil { return .known(kept.outcome) }
                return .known(.failed(.resting))
            }
            rests[want.origin] = nil
        }
        nextNumber += 1
        let claim = RemoteClaim(want: want, number: nextNumber, held: kept)
        open[want.key] = nextNumber
        let waits = !isOwed && !mayRefresh
        courses[nextNumber] = Course(key: want.key, waitingCount: waits ? 1 : 0)
        if let kept, mayRefresh { return .refreshed(kept.outcome, claim) }
        return .claimed(claim)
    }

    /// What came of the courses, once all of them are over; nobody waits for them then.
    mutating func collect(_ numbers: [UInt64]) -> [UInt64: RemoteOutcome]? {
        guard numbers.allSatisfy({ courses[$0]?.outcome != nil }) else { return nil }
        var outcomes: [UInt64: RemoteOutcome] = [:]
        for number in numbers {
            outcomes[number] = courses[number]?.outcome
            releaseOne(number)
        }
        return outcomes
    }

    /// Stops waiting; what is over is returned. `isOwed`: the requests go on, and what comes of them is kept.
    mutating func leave(_ numbers: [UInt64], isOwed: Bool) -> (outcomes: [UInt64: RemoteOutcome], steps: [Step]) {
        var outcomes: [UInt64: RemoteOutcome] = [:]
        var affected: Set<UInt64> = []
        for number in numbers {
            outcomes[number] = courses[number]?.outcome
            if let request = courses[number]?.request { affected.insert(request) }
            releaseOne(number)
        }
        var steps: [Step] = []
        for number in affected.sorted() {
            if isOwed { requests[number]?.isOwed = true } else { steps += abandon(number) }
        }
        return (outcomes, steps)
    }

    private mutating func releaseOne(_ number: UInt64) {
        guard var course = courses[number] else { return }
        course.waitingCount -= 1
        courses[number] = course.waitingCount <= 0 && course.outcome != nil ? nil : course
    }

    // MARK: Requests

    /// Takes a request in; it is sent when it is its turn.
    mutating func submit(
        _ request: RemoteRequest, isOwed: Bool, now: Int64, instant: MonotonicInstant
    ) -> [Step] {
        guard let origin = request.claims.first?.want.origin else { return [] }
        // It may have failed since it was looked at.
        let isResting = rests[origin].map { instant < $0 } ?? false
        guard !isResting, lines[origin]?.count ?? 0 < Self.waitingLimit else {
            let failure = isResting ? RemoteFailure.resting : .busy
            for claim in request.claims { finish(claim, .pass(.failed(failure)), now: now) }
            return []
        }
        nextNumber += 1
        let number = nextNumber
        for claim in request.claims { courses[claim.number]?.request = number }
        requests[number] = Running(request: request, origin: origin, isOwed: isOwed)
        lines[origin, default: []].append(number)
        return startNext(origin).map { [$0] } ?? []
    }

    private mutating func startNext(_ origin: OriginURL.Origin) -> Step? {
        while sentCounts[origin] ?? 0 < rules.requestsPerOrigin, var line = lines[origin], !line.isEmpty {
            let number = line.removeFirst()
            lines[origin] = line.isEmpty ? nil : line
            guard var running = requests[number] else { continue }
            running.isSent = true
            requests[number] = running
            sentCounts[origin, default: 0] += 1
            return .start(number, running.request.fetch)
        }
        return nil
    }

    /// What it was sent as; false where nobody waits for it any more.
    mutating func sent(_ number: UInt64, as ticket: Fetcher.Ticket) -> Bool {
        guard requests[number] != nil else { return false }
        requests[number]?.ticket = ticket
        return true
    }

    /// How the answer to a request is read; nil where that was given up.
    func request(_ number: UInt64) -> RemoteRequest? { requests[number]?.request }

    /// The answer came, and this is what it means for each claim. `failure`: the request failed.
    mutating func landed(
        _ number: UInt64, at origin: OriginURL.Origin, _ landings: [RemoteLanding], failure: RemoteFailure?,
        now: Int64, instant: MonotonicInstant
    ) -> [Step] {
        sentCounts[origin] = sentCounts[origin].flatMap { $0 > 1 ? $0 - 1 : nil }
        if let running = requests.removeValue(forKey: number) {
            for (claim, landing) in zip(running.request.claims, landings) { finish(claim, landing, now: now) }
        }
        if let rest = failure?.rest(rules) { self.rest(origin, rest, now: now, instant: instant) }
        return startNext(origin).map { [$0] } ?? []
    }

    /// Leaves an origin alone; what waits for its turn there fails.
    mutating func rest(_ origin: OriginURL.Origin, _ duration: Duration, now: Int64, instant: MonotonicInstant) {
        if rests.count >= Self.restLimit, rests[origin] == nil, let any = rests.keys.first { rests[any] = nil }
        rests[origin] = max(rests[origin] ?? instant, instant + duration)
        for number in lines.removeValue(forKey: origin) ?? [] {
            guard let running = requests.removeValue(forKey: number) else { continue }
            for claim in running.request.claims { finish(claim, .pass(.failed(.resting)), now: now) }
        }
    }

    /// Gives a request up for whose claims nobody waits.
    private mutating func abandon(_ number: UInt64) -> [Step] {
        guard let running = requests[number], !running.isOwed,
            running.request.claims.allSatisfy({ courses[$0.number]?.waitingCount ?? 0 <= 0 })
        else { return [] }
        requests[number] = nil
        for claim in running.request.claims {
            if open[claim.want.key] == claim.number { open[claim.want.key] = nil }
            courses[claim.number] = nil
        }
        if !running.isSent { lines[running.origin]?.removeAll { $0 == number } }
        // Its end is told all the same, and lets the next one start.
        return running.ticket.map { [.cancel($0)] } ?? []
    }

    // MARK: Ends

    private mutating func finish(_ claim: RemoteClaim, _ landing: RemoteLanding, now: Int64) {
        let outcome: RemoteOutcome
        switch landing {
        case .keep(let kept):
            outcome = kept.outcome
            keep(kept, for: claim.want.key)
        case .pass(.failed(let failure)): outcome = standIn(claim, failure, now: now)
        case .pass(let passing):
            outcome = passing
            // What was held is over, though the new must not be kept.
            entries.remove(evictionKey(claim.want.key))
        }
        if open[claim.want.key] == claim.number { open[claim.want.key] = nil }
        guard var course = courses[claim.number] else { return }
        course.outcome = outcome
        courses[claim.number] = course.waitingCount > 0 ? course : nil
    }

    /// What is held, if it may be used when the origin cannot be asked; else the failure, which is remembered for a moment.
    private mutating func standIn(_ claim: RemoteClaim, _ failure: RemoteFailure, now: Int64) -> RemoteOutcome {
        if var held = claim.held, now < held.errorUntil {
            if failure.isWorthRemembering {
                held.freshUntil = min(held.errorUntil, now + Self.graceSeconds)
                keep(held, for: claim.want.key)
            }
            return held.outcome
        }
        if failure.isWorthRemembering {
            keep(RemoteKept(.failed(failure), until: now + Int64(rules.failure)), for: claim.want.key)
        }
        return .failed(failure)
    }

    /// What is told to one who waited for long enough.
    mutating func standIn(_ key: RemoteKey, _ failure: RemoteFailure, now: Int64) -> RemoteOutcome {
        guard failure != .cancelled, let held = kept(key), now < held.errorUntil else { return .failed(failure) }
        return held.outcome
    }

    private mutating func kept(_ key: RemoteKey) -> RemoteKept? {
        guard let entry = entries.find(evictionKey(key)), entry.key == key else { return nil }
        return entry.kept
    }

    private mutating func keep(_ kept: RemoteKept, for key: RemoteKey) {
        var evicted: [Entry] = []
        _ = entries.insert(
            Entry(key: key, kept: kept), for: evictionKey(key), weight: kept.byteCount, evicted: &evicted)
    }

    private func evictionKey(_ key: RemoteKey) -> EvictionKey {
        func half(_ seed: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(seed)
            hasher.combine(key)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return EvictionKey(high: half(seeds.0), low: half(seeds.1))
    }
}
