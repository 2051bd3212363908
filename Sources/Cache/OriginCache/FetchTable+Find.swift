import Eviction
package import Reactor

// What is held of an item, who waits for it, and who stops waiting.
extension FetchTable {
    package func current(_ item: OriginItem, now: Int64) -> FetchOutcome {
        let entry = entries.peek(item.key)
        if let failure = entry?.failure, now < entry?.failureEnd ?? 0 { return failure }
        if let answer = entry?.answer { return .found(answer) }
        if let told = entry?.told, now < entry?.toldEnd ?? 0 { return told }
        return .failed(rules.isOffline ? .offline : .notCached)
    }

    /// Whether a request can go on at once with what is held.
    package func isReady(_ item: OriginItem, _ client: RemoteDirectives, now: Int64) -> Bool {
        guard let entry = entries.peek(item.key) else { return false }
        if entry.failure != nil, now < entry.failureEnd { return true }
        guard let answer = entry.answer else { return false }
        if now < entry.graceEnd { return true }
        if case .afterAsking = rules.use(of: answer, for: client, now: now) { return false }
        return true
    }

    /// Looks for `item`. `waiter` is told later if the finding is `joined` or `assigned`; nil: for the background.
    package mutating func find(
        _ item: OriginItem, for client: RemoteDirectives = .none, waiter: Waiter?, now: Int64,
        instant: MonotonicInstant
    ) -> Finding {
        let entry = entries.find(item.key)
        if let failure = entry?.failure, now < entry?.failureEnd ?? 0 { return .known(failure) }
        guard let answer = entry?.answer else { return findUnheld(item, client, waiter, instant: instant) }
        if now < entry?.graceEnd ?? 0 { return .known(.found(answer)) }
        switch rules.use(of: answer, for: client, now: now) {
        case .asItIs: return .known(.found(answer))
        case .whileAsking(let question):
            guard numbers[item.key] == nil, !isBackingOff(item.origin, instant) else { return .known(.found(answer)) }
            return .refresh(.found(answer), assign(item, waiter: nil, answer, question))
        case .afterAsking(let question):
            if let joined = join(item, waiter) { return joined }
            guard !isBackingOff(item.origin, instant) else {
                let isUsable = rules.mayServeOnError(answer, now: now)
                return .known(isUsable ? .found(answer) : .failed(.backingOff))
            }
            return .assigned(assign(item, waiter: waiter, answer, question))
        }
    }

    mutating func findUnheld(
        _ item: OriginItem, _ client: RemoteDirectives, _ waiter: Waiter?, instant: MonotonicInstant
    ) -> Finding {
        let mayBeOnDisk = hasDisk && item.isPersistent
        if client.onlyIfCached || rules.isOffline {
            let isLooking = numbers[item.key].map { inFlight[$0]?.request == nil } ?? mayBeOnDisk
            guard mayBeOnDisk, isLooking else { return .known(.failed(rules.isOffline ? .offline : .notCached)) }
        }
        if let joined = join(item, waiter) { return joined }
        if !mayBeOnDisk, isBackingOff(item.origin, instant) { return .known(.failed(.backingOff)) }
        return .assigned(assign(item, waiter: waiter, nil, rules.question(client)))
    }

    mutating func join(_ item: OriginItem, _ waiter: Waiter?) -> Finding? {
        guard let number = numbers[item.key] else { return nil }
        if let waiter {
            inFlight[number]?.waiters.append(waiter)
            if let request = inFlight[number]?.request { hasten(request, for: waiter.client) }
        }
        return .joined(number)
    }

    mutating func assign(
        _ item: OriginItem, waiter: Waiter?, _ held: CachedAnswer?, _ question: FetchQuestion
    ) -> Assignment {
        let number = makeNumber()
        inFlight[number] = InFlight(item: item, waiters: waiter.map { [$0] } ?? [], isInBackground: waiter == nil)
        numbers[item.key] = number
        return Assignment(item: item, number: number, held: held, question: question)
    }

    /// Applies what the disk has for an assignment; returns what is left to fetch.
    package mutating func looked(
        _ assignment: Assignment, found: CachedAnswer?, for client: RemoteDirectives = .none, now: Int64,
        instant: MonotonicInstant
    ) -> (left: Assignment?, steps: [Step]) {
        guard var flight = inFlight[assignment.number] else { return (nil, []) }
        guard var answer = found else {
            if rules.isOffline { return (nil, close(assignment.number, telling: .failed(.offline))) }
            let satisfied = flight.waiters.filter(\.onlyIfCached)
            flight.waiters.removeAll(where: \.onlyIfCached)
            inFlight[assignment.number] = flight
            let steps = satisfied.isEmpty ? [] : [Step.tell(satisfied, .failed(.notCached))]
            if flight.waiters.isEmpty, !flight.isInBackground {
                close(assignment.number)
                return (nil, steps)
            }
            return (assignment, steps)
        }
        answer.number = makeNumber()
        set(Entry(item: assignment.item, answer: answer))
        var left = assignment
        left.held = answer
        switch rules.use(of: answer, for: client, now: now) {
        case .asItIs: return (nil, close(assignment.number, telling: .found(answer)))
        case .whileAsking(let question):
            let steps = [Step.tell(flight.waiters, .found(answer))]
            (flight.waiters, flight.isInBackground) = ([], true)
            inFlight[assignment.number] = flight
            left.question = question
            return (left, steps)
        case .afterAsking(let question):
            left.question = question
            return (left, [])
        }
    }

    @discardableResult mutating func close(_ number: UInt64, telling outcome: FetchOutcome? = nil) -> [Step] {
        guard let flight = inFlight.removeValue(forKey: number) else { return [] }
        if numbers[flight.item.key] == number { numbers[flight.item.key] = nil }
        return outcome.map { [.tell(flight.waiters, $0)] } ?? []
    }

    package mutating func leave(_ waiter: UInt64, _ numbers: [UInt64], goesOn: Bool = false) -> [Step] {
        var requests: Set<UInt64> = []
        for number in numbers {
            guard var flight = inFlight[number] else { continue }
            flight.waiters.removeAll { $0.number == waiter }
            if goesOn { flight.isInBackground = true }
            inFlight[number] = flight
            if let request = flight.request { requests.insert(request) }
        }
        return requests.sorted().flatMap { abandon($0) }
    }

    /// Gives up a request that nobody waits for.
    mutating func abandon(_ number: UInt64) -> [Step] {
        guard let pending = requests[number],
            pending.fetch.assignments.allSatisfy({ assignment in
                guard let flight = inFlight[assignment.number] else { return true }
                return flight.waiters.isEmpty && !flight.isInBackground
            })
        else { return [] }
        requests[number] = nil
        for assignment in pending.fetch.assignments { close(assignment.number) }
        if !pending.isSent { leaveQueue(number, pending.origin) }
        // Its end is still reported, and starts the next one.
        return pending.isSent ? [.cancel(number)] : []
    }
}
