import Bytes
import Digest
import HTTPMessage
import Logging
import Origin
import Reactor
import ResponseCache
import Synchronization

// An original of another server is prepared before its pictures are looked for: a question to the disk tier, which a worker
// answers, and one to the origin, for which nobody waits but the client. Whoever asks for the same original meanwhile joins
// the flight. A worker that makes a picture finds the bytes here, in the file they were fetched into or in the disk tier.

/// The originals of other servers: which may be had, what is held of them, and getting them.
final class RemoteOriginals: Sendable {
    /// What it is made of.
    struct Parts: Sendable {
        /// nil: no origin is ever asked.
        var fetcher: Fetcher?
        /// Who may be asked for `https://…` and `http://…`.
        var origins: OriginList
        /// Who is asked for `s3://…`; nil: nobody.
        var objects: S3Service?
        /// The buckets whose objects anybody may name.
        var readableBuckets: Set<String> = []
        var rules: RemoteRules
        /// The most bytes of an original.
        var byteLimit: Int
        /// Where files without a name are made.
        var spoolFolder: String
        let cache: TieredCache
        let workers: WorkerPool
        let metrics: OriginMetrics
        let log: Logger
        let clock: Clock
    }

    /// Everybody who waits for the same original.
    private struct Flight: Sendable {
        var waiting: [UInt64: Waiting] = [:]
        /// Whether it goes on when nobody waits: what is held gets old meanwhile.
        var isOwed: Bool
        var ticket: Fetcher.Ticket?
        var isAbandoned = false
    }

    private struct Waiting: Sendable {
        /// The servers that the request came through.
        let via: [String]
        let done: @Sendable () -> Void
    }

    private struct State {
        var table: RemoteTable
        var flights: [RemoteSource: Flight] = [:]
        var nextNumber: UInt64 = 0
    }

    let parts: Parts
    private let state: Mutex<State>
    private static let mediaType = "application/x-veduta-original"

    init(_ parts: Parts) {
        self.parts = parts
        state = Mutex(State(table: RemoteTable(parts.rules)))
    }

    /// Ends all fetches; who waits is told.
    func stop() { parts.fetcher?.stop() }

    private var now: Int64 { parts.clock.unixSeconds() }

    // MARK: Looking

    /// The state of a prepared original; nil where its origin has none. O(1); any thread.
    func state(of source: RemoteSource) throws(Problem) -> OriginalState? {
        let now = now
        let found: Result<OriginalState?, Problem> = state.withLock { state in
            do throws(Problem) {
                return .success(try state.table.state(of: source, now: now))
            } catch {
                return .failure(error)
            }
        }
        return try found.get()
    }

    /// The bytes of a prepared original, the state that they are of and what the origin calls it; nil where its origin has none. It waits for the
    /// disk; workers only.
    func read(
        _ source: RemoteSource
    ) throws(Problem) -> (content: SharedBytes, state: OriginalState, entityTag: EntityTag?)? {
        guard try state(of: source) != nil else { return nil }
        if let held = state.withLock({ $0.table.held(source) }), let spool = held.spool {
            // One that cannot be read is none.
            if let content = spool.wholeContent() { return (content, held.state, held.exchange.entityTag) }
        } else if let (kept, record) = findOnDisk(source), let content = kept.wholeContent() {
            return (content, record.state, record.exchange.entityTag)
        }
        state.withLock { $0.table.forget(source) }
        throw .originalLost
    }

    // MARK: Preparing

    /// Sees to it that the original of `source` can be looked at. nil: it can; else `done` is called once it can, on any
    /// thread, unless what is returned is called first: nobody waits any more.
    ///
    /// - Throws: `loop` where another server would have to be asked for a request that has come through here before.
    func prepare(
        _ source: RemoteSource, _ directives: RemoteDirectives, via: [String], done: @escaping @Sendable () -> Void
    ) throws(Problem) -> (@Sendable () -> Void)? {
        let (now, isLoop) = (now, Via.isLoop(via))
        let (step, isNew, waiter): (RemoteTable.Step, Bool, UInt64?) = state.withLock { state in
            let step = state.table.step(source, directives, now: now)
            if case .ready = step { return (step, false, nil) }
            // What is under way may be waiting for this very request.
            if isLoop { return (step, false, nil) }
            let isNew = state.flights[source] == nil
            if case .refresh = step {
                if isNew { state.flights[source] = Flight(isOwed: true) }
                return (step, isNew, nil)
            }
            state.nextNumber += 1
            let number = state.nextNumber
            state.flights[source, default: Flight(isOwed: false)].waiting[number] = Waiting(via: via, done: done)
            return (step, isNew, number)
        }
        if isNew { take(step, source, directives, via: via) }
        guard let waiter else {
            switch step {
            case .ready, .refresh: return nil
            case .seek, .ask: throw .loop
            }
        }
        return { [self] in leave(source, waiter) }
    }

    private func leave(_ source: RemoteSource, _ waiter: UInt64) {
        let ticket: Fetcher.Ticket? = state.withLock { state in
            guard var flight = state.flights[source], flight.waiting.removeValue(forKey: waiter) != nil else {
                return nil
            }
            flight.isAbandoned = flight.waiting.isEmpty && !flight.isOwed
            state.flights[source] = flight
            return flight.isAbandoned ? flight.ticket : nil
        }
        if let ticket { parts.fetcher?.cancel(ticket) }
    }

    private func take(_ step: RemoteTable.Step, _ source: RemoteSource, _ directives: RemoteDirectives, via: [String]) {
        switch step {
        case .ready: land(source)
        case .seek: seek(source, directives, via)
        case .refresh(let question), .ask(let question): ask(source, question, via)
        }
    }

    /// The flight is over: all who waited go on.
    private func land(_ source: RemoteSource) {
        let flight = state.withLock { $0.flights.removeValue(forKey: source) }
        for waiting in flight?.waiting.values.map(\.self) ?? [] { waiting.done() }
    }

    private func fail(_ source: RemoteSource, _ problem: Problem) {
        let now = now
        state.withLock { $0.table.failed(source, problem, now: now) }
        if problem == .assetNotFound, parts.rules.seeksOnDisk {
            // What was there before must not come back after a restart.
            _ = parts.workers.submit { [self] in
                _ = parts.cache.purge(key(source), tag: CacheTag(assetID: source.id))
            }
        }
        land(source)
    }

    // MARK: The disk tier

    private func key(_ source: RemoteSource) -> CacheKey {
        var hash = SHA256()
        let place = source.object?.description ?? ""
        for field in ["original", source.id, source.url.description, place] { hash.update(field: field) }
        return CacheKey(hash.digest())
    }

    private func findOnDisk(_ source: RemoteSource) -> (KeptAnswer, RemoteRecord)? {
        guard
            let kept = parts.cache.find(
                key(source), tag: CacheTag(assetID: source.id), entityTag: "", mediaTypes: [Self.mediaType],
                since: parts.cache.ledger.epoch, keepsInMemory: false),
            let record = RemoteRecord(kept.response.head, lastModified: kept.response.lastModifiedUnixSeconds)
        else { return nil }
        return (kept, record)
    }

    private func seek(_ source: RemoteSource, _ directives: RemoteDirectives, _ via: [String]) {
        let isAdmitted = parts.workers.submit { [self] in
            let record = findOnDisk(source)?.1
            let now = now
            let step = state.withLock { state in
                state.table.sought(source, record?.exchange, record?.state)
                return state.table.step(source, directives, now: now)
            }
            take(step, source, directives, via: via)
        }
        if !isAdmitted { fail(source, .overloaded) }
    }

    /// Writes what was fetched to the disk tier, where there is one.
    private func keep(
        _ source: RemoteSource, _ record: RemoteRecord, _ spool: SharedFile, number: UInt64, since epoch: PurgeEpoch
    ) {
        guard parts.rules.seeksOnDisk else { return }
        _ = parts.workers.submit { [self] in
            guard let content = spool.wholeContent() else { return }
            let entry = StoredResponse(
                status: 200, mediaType: Self.mediaType, entityTag: "",
                lastModifiedUnixSeconds: record.state.lastModified, head: record.bytes, content: content,
                tag: CacheTag(assetID: source.id), cost: .seconds(1), storedUnixSeconds: now)
            guard parts.cache.write(entry, for: key(source), since: epoch) else { return }
            state.withLock { $0.table.kept(source, number: number) }
        }
    }

    // MARK: The origin

    private func ask(_ source: RemoteSource, _ question: RemoteQuestion, _ via: [String]) {
        guard let fetcher = parts.fetcher else { return fail(source, .sourceOffline) }
        var request: FetchRequest
        do throws(OriginError) {
            request = try fetchRequest(source, fetcher)
        } catch {
            return fail(source, Problem(error))
        }
        request.fields = question.fields
        request.fields.append(.via, Via.chain(after: via))
        let spool = OriginalSpool(folder: parts.spoolFolder)
        let course = Course(question: question, via: via, spool: spool, epoch: parts.cache.ledger.epoch, began: now)
        parts.metrics.began()
        let ticket = fetcher.fetch(request, into: spool) { [self] result in
            parts.metrics.ended(result, byteCount: spool.whole?.file.byteCount ?? 0)
            ended(source, course, result)
        }
        let isAbandoned = state.withLock { state in
            state.flights[source]?.ticket = ticket
            return state.flights[source]?.isAbandoned ?? false
        }
        if isAbandoned { fetcher.cancel(ticket) }
    }

    private func fetchRequest(_ source: RemoteSource, _ fetcher: Fetcher) throws(OriginError) -> FetchRequest {
        guard let object = source.object else { return FetchRequest(source.url, byteLimit: parts.byteLimit) }
        guard let storage = storage(fetcher) else { throw .originNotAllowed }
        return try storage.fetchRequest(object, byteLimit: parts.byteLimit)
    }

    /// The buckets; nil where there are none, or no server is asked.
    var storage: S3Storage? { parts.fetcher.flatMap(storage) }

    private func storage(_ fetcher: Fetcher) -> S3Storage? {
        parts.objects.map { S3Storage($0, fetcher: fetcher) }
    }

    /// What belongs to one question.
    private struct Course: Sendable {
        let question: RemoteQuestion
        let via: [String]
        let spool: OriginalSpool
        let epoch: PurgeEpoch
        let began: Int64
    }

    private func ended(_ source: RemoteSource, _ course: Course, _ result: Result<Fetched, OriginError>) {
        switch result {
        case .failure(.cancelled): cancelled(source)
        case .failure(let error):
            var problem = Problem(error)
            if error == .notKept, let cause = course.spool.error { problem.log = "spool: \(cause)" }
            fail(source, problem)
        case .success(let fetched): learn(source, course, fetched)
        }
    }

    private func learn(_ source: RemoteSource, _ course: Course, _ fetched: Fetched) {
        let held = course.question.isConditional ? state.withLock { $0.table.held(source) }?.exchange : nil
        let lesson = parts.rules.lesson(
            source, fetched.head, byteCount: fetched.byteCount, held: held, requestTime: course.began,
            responseTime: now)
        switch lesson {
        case .askPlainly where course.question.isConditional:
            ask(source, parts.rules.question(source, .none), course.via)
        case .askPlainly: fail(source, Problem(.notHTTP))
        case .freshened(let exchange):
            state.withLock { $0.table.freshened(source, exchange) }
            land(source)
        case .took(let exchange, let isTransient):
            guard let (file, digest) = course.spool.whole else { return fail(source, Problem(.notHTTP)) }
            let modified = exchange.fields.first(.lastModified).flatMap { HTTPDate.parse($0, now: now) }
            let state = OriginalState(validator: digest.base64URL(byteCount: 16), lastModified: modified)
            // What was purged while it came may be older than the purge.
            let isFleeting =
                isTransient || parts.cache.ledger.isPurged([CacheTag(assetID: source.id)], since: course.epoch)
            let number = self.state.withLock {
                $0.table.took(source, exchange, isTransient: isFleeting, state: state, spool: file)
            }
            // A purge between the question and the answer to it is seen now.
            if !isFleeting, parts.cache.ledger.isPurged([CacheTag(assetID: source.id)], since: course.epoch) {
                self.state.withLock { $0.table.forget(source, number: number) }
            } else if !isFleeting {
                keep(source, RemoteRecord(exchange, state), file, number: number, since: course.epoch)
            }
            land(source)
        }
    }

    /// Somebody may have come after the last one left: then it begins anew.
    private func cancelled(_ source: RemoteSource) {
        let via: [String]? = state.withLock { state in
            guard var flight = state.flights[source], let next = flight.waiting.first?.value else {
                state.flights[source] = nil
                return nil
            }
            (flight.ticket, flight.isAbandoned) = (nil, false)
            state.flights[source] = flight
            return next.via
        }
        guard let via else { return }
        if parts.fetcher?.isStopped ?? true { return fail(source, .overloaded) }
        ask(source, parts.rules.question(source, .none), via)
    }

    // MARK: Forgetting

    /// Forgets what is held of a group, or of all; the disk tier is the cache's to purge.
    func forget(_ tag: CacheTag?) {
        state.withLock { state in
            state.table.forget { source in tag.map { $0 == CacheTag(assetID: source.id) } ?? true }
        }
    }
}
