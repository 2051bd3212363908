import HTTPMessage
package import Origin
import Reactor
import Synchronization

// Waiting by callback: for loops, which never block.

extension OriginCache {
    /// Nil if ready; otherwise calls `done`, unless the returned closure ends the waiting. Throws ``FetchFailure/loop``,
    /// and ``FetchFailure/busy`` where the meter of this thread does not allow to fetch.
    package func prepare(
        _ item: OriginItem, for client: RemoteDirectives, via: [String],
        makeRequest: @escaping @Sendable () throws(OriginError) -> FetchRequest, done: @escaping @Sendable () -> Void
    ) throws(FetchFailure) -> (@Sendable () -> Void)? {
        let (now, instant) = (clock.unixSeconds(), clock.monotonic())
        if Via.isLoop(via) {
            // A fetch under way may be waiting for this very request.
            if state.withLock({ $0.table.isReady(item, client, now: now) }) { return nil }
            throw .loop
        }
        guard mayFetch(item, client, now: now) else { throw .busy }
        let (meter, trace, network) = (WorkMeter.current, TraceContext.current, ClientNetwork.current)
        let names = Via.ownNames(via)
        let (finding, waiter) = state.withLock { state in
            state.lastWaiter += 1
            let waiter = Waiter(
                number: state.lastWaiter, onlyIfCached: client.onlyIfCached, via: names, client: network
            ) { _ in done() }
            let finding = state.table.find(item, for: client, waiter: waiter, now: now, instant: instant)
            state.counts.count(finding, looks: mayBeOnDisk)
            return (finding, waiter.number)
        }
        let fetch: @Sendable (Assignment, WorkMeter?) -> Void = { [self] assignment, meter in
            do throws(OriginError) {
                var request = try makeRequest()
                trace?.append(to: &request.fields)
                var planned = PlannedFetch([assignment], request)
                (planned.meter, planned.via, planned.client) = (meter, names, network)
                submit(planned)
            } catch {
                change { $0.finish(assignment, .failed(.origin(error)), now: $1) }
            }
        }
        switch finding {
        case .known: return nil
        case .refresh(_, let assignment):
            // The client gets what is held.
            fetch(assignment, nil)
            return nil
        case .joined(let number): return { [self] in change { table, _ in table.leave(waiter, [number]) } }
        case .assigned(let assignment):
            lookOnLoop(assignment, client) { fetch($0, meter) }
            return { [self] in change { table, _ in table.leave(waiter, [assignment.number]) } }
        }
    }

    /// Calls `body`, which must not block, after `duration` of the clock, on any thread; not at all once the server ends. Only what
    /// waits for fetches needs that.
    package func wake(after duration: Duration, _ body: @escaping @Sendable () -> Void) {
        fetcher?.wake(after: duration, body)
    }

    /// Whether the meter of this thread allows the fetches that are needed, if any.
    private func mayFetch(_ item: OriginItem, _ client: RemoteDirectives, now: Int64) -> Bool {
        guard let meter = WorkMeter.current, !client.onlyIfCached, !rules.isOffline else { return true }
        return state.withLock { $0.table.isReady(item, client, now: now) } || meter.mayFetch()
    }

    private func lookOnLoop(
        _ assignment: Assignment, _ client: RemoteDirectives, fetch: @escaping @Sendable (Assignment) -> Void
    ) {
        guard mayBeOnDisk(assignment) else { return fetch(assignment) }
        let isQueued = workers?.submit { [self] in
            if let left = look(assignment, for: client) { fetch(left) }
        }
        if isQueued != true { change { $0.finish(assignment, .failed(.busy), now: $1) } }
    }
}
