import Bytes
import Eviction
import HTTPMessage
import Origin
import Reactor
package import ResponseCache

// What the end of a request means for held answers and for waiters.
extension FetchTable {
    package mutating func finish(_ assignment: Assignment, _ result: FetchResult, now: Int64) -> [Step] {
        var steps: [Step] = []
        let outcome: FetchOutcome
        switch result {
        case .keep(let answer):
            let answer = keep(answer, assignment.item)
            outcome = .found(answer)
            if !answer.isTransient { steps = [.store(assignment.item, answer)] }
        case .freshened(let exchange):
            guard var answer = entries.peek(assignment.item.key)?.answer else {
                return close(assignment.number, telling: .failed(.evicted))
            }
            answer.exchange = exchange
            outcome = .found(keep(answer, assignment.item))
        case .pass(let answer):
            entries.remove(assignment.item.key)
            outcome = .found(answer)
        case .absent:
            outcome = .absent
            if assignment.held != nil { steps = [.removeFromDisk(assignment.item)] }
            set(Entry(item: assignment.item, failure: .absent, failureEnd: now + Int64(rules.absence)))
        case .failed(let failure): outcome = fail(assignment, failure, now: now)
        case .askAgain: outcome = fail(assignment, .origin(.notHTTP), now: now)
        }
        return steps + close(assignment.number, telling: outcome)
    }

    mutating func keep(_ answer: CachedAnswer, _ item: OriginItem) -> CachedAnswer {
        var answer = answer
        answer.number = makeNumber()
        set(Entry(item: item, answer: answer))
        // A use, so that it does not leave before those who waited for it have read it.
        _ = entries.find(item.key)
        return answer
    }

    /// Keeps using a held answer if allowed; otherwise remembers the failure for a moment.
    mutating func fail(_ assignment: Assignment, _ failure: FetchFailure, now: Int64) -> FetchOutcome {
        var entry = entries.peek(assignment.item.key) ?? Entry(item: assignment.item)
        let end = now + Int64(failure.secondsRemembered)
        if failure.isUnavailability, let answer = entry.answer, rules.mayServeOnError(answer, now: now) {
            if failure.secondsRemembered > 0 { entry.graceEnd = rules.grace.map { now + $0 } ?? end }
            set(entry)
            return .found(answer)
        }
        (entry.failure, entry.failureEnd) = (.failed(failure), end)
        if failure.secondsRemembered > 0 { set(entry) }
        if failure == .loop { tell(.failed(failure), about: assignment.item, now: now) }
        return .failed(failure)
    }

    /// Keeps what is about the way of one request alone until that request looks.
    private mutating func tell(_ outcome: FetchOutcome, about item: OriginItem, now: Int64) {
        var entry = entries.peek(item.key) ?? Entry(item: item)
        (entry.told, entry.toldEnd) = (outcome, now + 5)
        set(entry)
    }

    /// The outcome for an item whose fetch takes too long.
    package func substitute(for item: OriginItem, _ failure: FetchFailure, now: Int64) -> FetchOutcome {
        guard failure.isUnavailability, let answer = entries.peek(item.key)?.answer,
            rules.mayServeOnError(answer, now: now)
        else { return .failed(failure) }
        return .found(answer)
    }

    mutating func set(_ entry: Entry) { entries.insert(entry, for: entry.item.key, weight: weight(of: entry)) }

    /// A file weighs enough to bound the number of files, but never too much to be held for those who waited.
    func weight(of entry: Entry) -> Int {
        let fields = entry.answer?.exchange.fields
        let overhead = 512 + 64 * (fields?.count ?? 0) + (fields?.byteCount ?? 0)
        switch entry.answer?.content {
        case .memory(let bytes)?: return overhead + bytes.count
        case .file(let file)?:
            return min(max(overhead + file.byteCount, rules.byteCapacity / max(1, rules.fileLimit)), rules.byteCapacity)
        case .disk?, nil: return overhead
        }
    }

    // MARK: Changes from outside

    /// The content held under `number` is in the disk tier now.
    package mutating func stored(_ key: CacheKey, number: UInt64) {
        guard var entry = entries.peek(key), entry.answer?.number == number, case .file? = entry.answer?.content else {
            return
        }
        entry.answer?.content = .disk
        set(entry)
    }

    package mutating func forget(_ key: CacheKey, number: UInt64) {
        if entries.peek(key)?.answer?.number == number { entries.remove(key) }
    }

    /// Forgets a group, or everything if nil.
    package mutating func forget(_ tag: CacheTag?) { _ = entries.removeAll { tag == nil || $0.item.tag == tag } }
}
