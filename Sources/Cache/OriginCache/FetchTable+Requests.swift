package import HTTPMessage
import Eviction
package import Reactor

// The queue of requests to each origin, and origins that are not asked for a while.
extension FetchTable {
    package mutating func submit(_ fetch: PlannedFetch, now: Int64, instant: MonotonicInstant) -> [Step] {
        guard let origin = fetch.assignments.first?.item.origin else { return [] }
        // Meanwhile the origin may have failed, or callers may have left.
        let isBackingOff = isBackingOff(origin, instant)
        guard !isBackingOff, queues[origin]?.count ?? 0 < Self.queueLimit else {
            return fetch.assignments.flatMap { finish($0, .failed(isBackingOff ? .backingOff : .busy), now: now) }
        }
        let number = makeNumber()
        for assignment in fetch.assignments { inFlight[assignment.number]?.request = number }
        requests[number] = Pending(fetch: fetch, origin: origin)
        queues[origin, default: []].append(number)
        return abandon(number) + startNext(origin)
    }

    mutating func startNext(_ origin: OriginURL.Origin) -> [Step] {
        while sentCounts[origin] ?? 0 < rules.requestsPerOrigin, var queue = queues[origin], !queue.isEmpty {
            let number = queue.removeFirst()
            queues[origin] = queue.isEmpty ? nil : queue
            guard let fetch = requests[number]?.fetch else { continue }
            requests[number]?.isSent = true
            sentCounts[origin, default: 0] += 1
            return [.start(number, fetch)]
        }
        return []
    }

    /// The request as sent; nil if it was given up.
    package func request(_ number: UInt64) -> PlannedFetch? { requests[number]?.fetch }

    /// A request is over, with the results for its assignments; `failure` tells why it failed.
    package mutating func ended(
        _ number: UInt64, at origin: OriginURL.Origin, _ results: [FetchResult], failure: FetchFailure?, now: Int64,
        instant: MonotonicInstant
    ) -> [Step] {
        sentCounts[origin] = sentCounts[origin].flatMap { $0 > 1 ? $0 - 1 : nil }
        var steps: [Step] = []
        if let fetch = requests.removeValue(forKey: number)?.fetch {
            for (assignment, result) in zip(fetch.assignments, results) {
                if assignment.question.isConditional, isForAskingAgain(result, assignment.item) {
                    var plain = fetch
                    plain.assignments[0].question = rules.question()
                    plain.assignments[0].held = nil
                    steps += submit(plain, now: now, instant: instant)
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
