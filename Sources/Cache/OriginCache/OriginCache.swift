// Everything from other servers passes here and through the Fetcher with its list of origins, address policy, limits
// and circuit breakers. It is held in bounded memory or files and written to the disk tier, by the rules of a shared
// cache. Loops wait by callback (`prepare`), workers block (`obtain`); both wait for the same fetches.
import HTTPMessage
package import Origin
package import Reactor
package import ResponseCache
import Synchronization

/// A shared cache of other servers: originals of images, or tiles and files of maps. Any thread.
package final class OriginCache: Sendable {
    package let rules: OriginRules
    package let clock: Clock
    /// Logs lines for operators, without URLs, which may hold keys; any thread.
    package let log: @Sendable (String) -> Void
    /// Called with the duration of every fetch, whatever came of it; any thread.
    private let fetched: @Sendable (Duration) -> Void
    let fetcher: Fetcher?
    let store: TieredCache?
    let workers: WorkerPool?

    struct State: Sendable {
        var table: FetchTable
        var counts = FetchCounts()
        var tickets: [UInt64: Fetcher.Ticket] = [:]
        var lastWaiter: UInt64 = 0
    }

    let state: Mutex<State>

    /// Without `fetcher` no origin is asked; without `store` nothing survives a restart; `workers` wait for the disk.
    package init(
        _ rules: OriginRules, fetcher: Fetcher?, store: TieredCache? = nil, workers: WorkerPool? = nil,
        clock: Clock = .system, log: @escaping @Sendable (String) -> Void = { _ in },
        fetched: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.rules = rules
        self.fetcher = fetcher
        self.store = store
        self.workers = workers
        self.clock = clock
        self.log = log
        self.fetched = fetched
        state = Mutex(State(table: FetchTable(rules, hasDisk: store?.hasDisk ?? false)))
        store?.onSharedPurge(ofGroup: { [weak self] in self?.forget($0) })
    }

    /// Ends all fetches and tells their waiters.
    package func stop() { fetcher?.stop() }

    package var counts: FetchCounts {
        state.withLock { state in
            var counts = state.counts
            counts.heldByteCount = state.table.heldByteCount
            return counts
        }
    }

    package var requestCount: Int { state.withLock { $0.table.requestCount } }

    package func current(_ item: OriginItem) -> FetchOutcome {
        let now = clock.unixSeconds()
        return state.withLock { $0.table.current(item, now: now) }
    }

    /// Take it before making an answer for ``write(_:_:since:)``.
    package var epoch: PurgeEpoch? { store?.ledger.epoch }

    /// Forgets a group, or everything if nil; the owner of the disk tier purges that.
    package func forget(_ tag: CacheTag?) { state.withLock { $0.table.forget(tag) } }

    // MARK: Requests

    /// Changes the table and runs the steps; `epoch` is that of the request whose answer it is.
    func change(since epoch: PurgeEpoch? = nil, _ body: (inout FetchTable, _ now: Int64) -> [FetchTable.Step]) {
        let now = clock.unixSeconds()
        run(state.withLock { body(&$0.table, now) }, since: epoch)
    }

    func submit(_ fetch: PlannedFetch) {
        let instant = clock.monotonic()
        guard fetcher != nil else {
            return change { table, now in fetch.assignments.flatMap { table.finish($0, .failed(.offline), now: now) } }
        }
        change { $0.submit(fetch, now: $1, instant: instant) }
    }

    func run(_ steps: [FetchTable.Step], since epoch: PurgeEpoch? = nil) {
        for step in steps {
            switch step {
            case .start(let number, let fetch): start(number, fetch)
            case .wait(let number, let duration):
                fetcher?.wake(after: duration) { [weak self] in self?.change { $0.expire(number, now: $1) } }
            case .cancel(let number):
                if let ticket = state.withLock({ $0.tickets[number] }) { fetcher?.cancel(ticket) }
            case .tell(let waiters, let outcome): for waiter in waiters { waiter.tell(outcome) }
            case .store(let item, let answer):
                // This sees a purge between the request and its answer.
                if isPurged(item, since: epoch) {
                    state.withLock { $0.table.forget(item.key, number: answer.number) }
                } else {
                    write(item, answer, since: epoch)
                }
            case .removeFromDisk(let item): remove(item)
            }
        }
    }

    private func start(_ number: UInt64, _ fetch: PlannedFetch) {
        guard let fetcher else { return }
        let sink: any ContentSink =
            switch rules.holding {
            case .memory: MemorySink()
            case .files(let folder): FileSink(folder: folder)
            }
        var request = fetch.request
        request.fields = fetch.read == nil ? fetch.assignments[0].question.fields : rules.fields
        request.fields.append(fetch.request.fields)
        if let via = fetch.via { request.fields.append(.via, Via.chain(after: via)) }
        let (began, requestTime, epoch) = (clock.monotonic(), clock.unixSeconds(), store?.ledger.epoch)
        state.withLock { $0.counts.running += 1 }
        let ticket = fetcher.fetch(request, into: sink) { [self] result in
            fetched(clock.monotonic() - began)
            let whole = sink.whole()
            fetch.meter?.add(.fetched(byteCount: sink.byteCount))
            state.withLock { state in
                state.counts.running -= 1
                state.counts.byteCount += sink.byteCount
                state.counts[FetchCounts.End(result)] += 1
                state.tickets[number] = nil
            }
            let answer = FetchAnswer(
                result: result, content: whole?.content, digest: whole?.digest, requestTime: requestTime,
                responseTime: clock.unixSeconds())
            var failure: FetchFailure?
            if case .failure(let error) = result {
                failure = error == .notKept ? sink.error.map { .notHeld($0) } ?? .origin(error) : .origin(error)
            }
            ended(number, at: fetch.assignments[0].item.origin, answer, failure, since: epoch)
        }
        let isWanted = state.withLock { state in
            guard state.table.request(number) != nil else { return false }
            state.tickets[number] = ticket
            return true
        }
        if !isWanted { fetcher.cancel(ticket) }
    }

    private func ended(
        _ number: UInt64, at origin: OriginURL.Origin, _ answer: FetchAnswer, _ failure: FetchFailure?,
        since epoch: PurgeEpoch?
    ) {
        // Nil if nobody waits any more.
        let fetch = state.withLock { $0.table.request(number) }
        let results = fetch.map { read($0, answer, failure, since: epoch) } ?? []
        let instant = clock.monotonic()
        change(since: epoch) { $0.ended(number, at: origin, results, failure: failure, now: $1, instant: instant) }
    }

    private func read(
        _ fetch: PlannedFetch, _ answer: FetchAnswer, _ failure: FetchFailure?, since epoch: PurgeEpoch?
    ) -> [FetchResult] {
        if let read = fetch.read { return read(answer) }
        return fetch.assignments.map { assignment in
            if case .notHeld(let errno)? = failure { return .failed(.notHeld(errno)) }
            let held = assignment.question.isConditional ? assignment.held : nil
            let result = rules.read(answer, for: assignment.item, held: held)
            // What was purged while it came may be older than the purge.
            guard case .keep(var kept) = result, isPurged(assignment.item, since: epoch) else { return result }
            kept.isTransient = true
            return .keep(kept)
        }
    }
}
