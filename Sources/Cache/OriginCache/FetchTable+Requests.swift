package import HTTPMessage
import Eviction
import Origin
package import Reactor

// The queue of requests to each origin, and origins that are not asked for a while.
extension FetchTable {
    package mutating func submit(_ fetch: PlannedFetch, now: Int64, instant: MonotonicInstant) -> [Step] {
        guard let origin = fetch.assignments.first?.item.origin else { return [] }
        // Meanwhile the origin may have failed, or callers may have left.
        let isBackingOff = isBackingOff(origin, instant)
        guard !isBackingOff, let displaced = makeRoom(for: fetch.client, at: origin, now: now) else {
            return fetch.assignments.flatMap { finish($0, .failed(isBackingOff ? .backingOff : .busy), now: now) }
        }
        let number = makeNumber()
        for assignment in fetch.assignments { inFlight[assignment.number]?.request = number }
        requests[number] = Pending(fetch: fetch, origin: origin)
        queues[origin, default: []].append(number)
        let steps = displaced + abandon(number) + startNext(origin)
        guard let limit = rules.longestTurn, let pending = requests[number], !pending.isSent else { return steps }
        return steps + [.wait(number, limit)]
    }

    /// Takes the place of the client that has most in a full queue, which is told that the origin is busy. Nil where `client` would
    /// have more than that one then.
    private mutating func makeRoom(
        for client: ClientNetwork?, at origin: OriginURL.Origin, now: Int64
    ) -> [Step]? {
        guard let queue = queues[origin], queue.count >= Self.queueLimit else { return [] }
        var counts: [ClientNetwork?: Int] = [:]
        for number in queue { counts[self.client(of: number), default: 0] += 1 }
        guard let (longest, most) = counts.max(by: { $0.value < $1.value }), most > (counts[client] ?? 0) + 1,
            let last = queue.last(where: { self.client(of: $0) == longest })
        else { return nil }
        return expire(last, now: now)
    }

    private func client(of number: UInt64) -> ClientNetwork? { requests[number]?.fetch.client }

    mutating func startNext(_ origin: OriginURL.Origin) -> [Step] {
        while sent[origin]?.count ?? 0 < rules.requestsPerOrigin, let number = next(at: origin) {
            leaveQueue(number, origin)
            guard let fetch = requests[number]?.fetch else { continue }
            requests[number]?.isSent = true
            sent[origin, default: [:]].updateValue(fetch.client, forKey: number)
            return [.start(number, fetch)]
        }
        return []
    }

    /// Of the requests whose clients have the fewest under way at the origin, the first.
    private func next(at origin: OriginURL.Origin) -> UInt64? {
        guard let queue = queues[origin], queue.count > 1, let underWay = sent[origin] else {
            return queues[origin]?.first
        }
        var counts: [ClientNetwork?: Int] = [:]
        for client in underWay.values { counts[client, default: 0] += 1 }
        return queue.min { counts[client(of: $0)] ?? 0 < counts[client(of: $1)] ?? 0 }
    }

    /// Gives a request that is still waiting for its turn to `client`, if it comes earlier then.
    mutating func hasten(_ number: UInt64, for client: ClientNetwork?) {
        guard let pending = requests[number], !pending.isSent, let underWay = sent[pending.origin] else { return }
        func count(_ client: ClientNetwork?) -> Int { underWay.values.count { $0 == client } }
        if count(client) < count(pending.fetch.client) { requests[number]?.fetch.client = client }
    }

    mutating func leaveQueue(_ number: UInt64, _ origin: OriginURL.Origin) {
        queues[origin]?.removeAll { $0 == number }
        if queues[origin]?.isEmpty == true { queues[origin] = nil }
    }

    /// Gives up a request that is still waiting for its turn.
    package mutating func expire(_ number: UInt64, now: Int64) -> [Step] {
        guard let pending = requests[number], !pending.isSent else { return [] }
        requests[number] = nil
        leaveQueue(number, pending.origin)
        return pending.fetch.assignments.flatMap { finish($0, .failed(.busy), now: now) }
    }

    /// The request as sent; nil if it was given up.
    package func request(_ number: UInt64) -> PlannedFetch? { requests[number]?.fetch }

    /// A request is over, with the results for its assignments; `failure` tells why it failed.
    package mutating func ended(
        _ number: UInt64, at origin: OriginURL.Origin, _ results: [FetchResult], failure: FetchFailure?, now: Int64,
        instant: MonotonicInstant
    ) -> [Step] {
        sent[origin]?.removeValue(forKey: number)
        if sent[origin]?.isEmpty == true { sent[origin] = nil }
        var steps: [Step] = []
        if let fetch = requests.removeValue(forKey: number)?.fetch {
            for (assignment, result) in zip(fetch.assignments, results) {
                if assignment.question.isConditional, isForAskingAgain(result, assignment.item) {
                    var plain = fetch
                    plain.assignments[0].question = rules.question()
                    plain.assignments[0].held = nil
                    steps += submit(plain, now: now, instant: instant)
                } else if isAboutVia(result, fetch) {
                    steps += refuse(fetch, assignment, now: now, instant: instant)
                } else {
                    steps += finish(assignment, result, now: now)
                }
            }
        }
        if let wait = failure?.backOff(rules) { steps += backOff(from: origin, wait, now: now, instant: instant) }
        return steps + startNext(origin)
    }

    /// Also when the answer that a 304 is about was forgotten meanwhile.
    private func isForAskingAgain(_ result: FetchResult, _ item: OriginItem) -> Bool {
        switch result {
        case .askAgain: true
        case .freshened: entries.peek(item.key)?.answer == nil
        case .keep, .absent, .failed, .pass: false
        }
    }

    /// Whether the origin, a server of this program, refuses what has come through too many of them: not what is asked for, but the
    /// way of the client.
    private func isAboutVia(_ result: FetchResult, _ fetch: PlannedFetch) -> Bool {
        guard let via = fetch.via, !via.isEmpty, case .failed(.origin(let error)) = result else { return false }
        return error == .status(Status.loopDetected.code)
    }

    /// Tells those who came by the refused way, and asks again for the others, whose way is shortest first.
    private mutating func refuse(
        _ fetch: PlannedFetch, _ assignment: Assignment, now: Int64, instant: MonotonicInstant
    ) -> [Step] {
        let waiters = inFlight[assignment.number]?.waiters ?? []
        let others = waiters.filter { $0.via != fetch.via }
        guard let shortest = others.min(by: { $0.via.count < $1.via.count }) else {
            return finish(assignment, .failed(.loop), now: now)
        }
        inFlight[assignment.number]?.waiters = others
        let told = fail(assignment, .loop, now: now)
        var again = fetch
        (again.via, again.client) = (shortest.via, shortest.client)
        return [.tell(waiters.filter { $0.via == fetch.via }, told)] + submit(again, now: now, instant: instant)
    }

    func isBackingOff(_ origin: OriginURL.Origin, _ instant: MonotonicInstant) -> Bool {
        backOffs[origin].map { instant < $0 } ?? false
    }

    /// Does not ask an origin for a while; requests queued for it fail.
    package mutating func backOff(
        from origin: OriginURL.Origin, _ duration: Duration, now: Int64, instant: MonotonicInstant
    ) -> [Step] {
        if backOffs.count >= Self.backOffLimit, backOffs[origin] == nil, let any = backOffs.keys.first {
            backOffs[any] = nil
        }
        backOffs[origin] = max(backOffs[origin] ?? instant, instant + duration)
        return (queues.removeValue(forKey: origin) ?? []).flatMap { number in
            (requests.removeValue(forKey: number)?.fetch.assignments ?? []).flatMap {
                finish($0, .failed(.backingOff), now: now)
            }
        }
    }
}
