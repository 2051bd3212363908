import HTTPMessage
import Origin
import Reactor
package import ResponseCache
import Synchronization

// Waiting on threads that may block: workers.

extension OriginCache {
    /// Unless `waits`, only known outcomes. Waits for the disk, for origins at most ``OriginRules/patience``. Workers only.
    package func obtain(
        _ items: [OriginItem], waits: Bool = true, shouldStop: () -> Bool = { false },
        plan: ([Assignment]) -> [PlannedFetch]
    ) -> [CacheKey: FetchOutcome] {
        let (now, instant) = (clock.unixSeconds(), clock.monotonic())
        let gathered = GatheredOutcomes()
        var outcomes: [CacheKey: FetchOutcome] = [:]
        var awaited: [UInt64: OriginItem] = [:]
        var assignments: [Assignment] = []
        let (findings, waiter) = state.withLock { state in
            state.lastWaiter += 1
            let number = state.lastWaiter
            let findings = items.map { item in
                let waiter = Waiter(number: number, onlyIfCached: false) { gathered.put($0, for: item.key) }
                let finding = state.table.find(item, waiter: waits ? waiter : nil, now: now, instant: instant)
                state.counts.count(finding, looks: mayBeOnDisk)
                return finding
            }
            return (findings, number)
        }
        for (item, finding) in zip(items, findings) {
            switch finding {
            case .known(let outcome): outcomes[item.key] = outcome
            case .refresh(let outcome, let assignment):
                outcomes[item.key] = outcome
                assignments.append(assignment)
            case .joined(let number): awaited[number] = item
            case .assigned(let assignment):
                awaited[assignment.number] = item
                assignments.append(assignment)
            }
        }
        let left = assignments.compactMap { mayBeOnDisk($0) ? look($0, for: .none) : $0 }
        if !left.isEmpty {
            for var fetch in plan(left) {
                fetch.meter = WorkMeter.current
                TraceContext.current?.append(to: &fetch.request.fields)
                submit(fetch)
            }
        }
        guard waits, !awaited.isEmpty else { return outcomes }
        let deadline = instant + rules.patience
        let late = wait(gathered, for: awaited, as: waiter, until: deadline, shouldStop)
        return outcomes.merging(late) { _, later in later }
    }

    /// How often a waiting caller checks whether it is still wanted.
    private static var interval: Duration { .milliseconds(50) }

    private func wait(
        _ gathered: GatheredOutcomes, for awaited: [UInt64: OriginItem], as waiter: UInt64,
        until deadline: MonotonicInstant, _ shouldStop: () -> Bool
    ) -> [CacheKey: FetchOutcome] {
        var cause = FetchFailure.cancelled
        while !shouldStop() {
            if gathered.isComplete(awaited.count, within: Self.interval) { return gathered.outcomes }
            if clock.monotonic() >= deadline {
                cause = .tooSlow
                break
            }
        }
        let isTooSlow = cause == .tooSlow
        change { table, _ in table.leave(waiter, Array(awaited.keys), goesOn: isTooSlow) }
        var outcomes = gathered.outcomes
        let late = awaited.values.filter { outcomes[$0.key] == nil }
        if isTooSlow { for origin in Set(late.map(\.origin)) { backOff(from: origin) } }
        let now = clock.unixSeconds()
        for item in late {
            outcomes[item.key] = state.withLock { $0.table.substitute(for: item, cause, now: now) }
        }
        return outcomes
    }

    private func backOff(from origin: OriginURL.Origin) {
        guard let duration = rules.backOff else { return }
        log("\(origin) is too slow and is not asked again for \(duration)")
        let instant = clock.monotonic()
        change { $0.backOff(from: origin, duration, now: $1, instant: instant) }
    }
}

private final class GatheredOutcomes: Sendable {
    private let gathered = Monitor<[CacheKey: FetchOutcome]>([:])

    var outcomes: [CacheKey: FetchOutcome] { gathered.withLock { $0 } }

    func put(_ outcome: FetchOutcome, for key: CacheKey) {
        gathered.withLock { $0[key] = outcome }
        gathered.signal()
    }

    /// Waits at most `duration` for `count` outcomes; returns whether they are there.
    func isComplete(_ count: Int, within duration: Duration) -> Bool {
        gathered.wait(forAtMost: duration) { $0.count >= count ? true : nil } ?? false
    }
}
