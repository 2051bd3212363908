import Bytes

/// A bounded queue in which clients take turns: a job waits for at most one job of every other client before it, however
/// many they have queued. The jobs of one client keep their order.
struct FairQueue {
    /// nil: all who have no address, and the server itself.
    typealias Client = ClientNetwork?

    private let capacity: Int
    private var lines: [Client: JobLine] = [:]
    /// Whoever has a job in line, in the order of turns, each once.
    private var turns: Ring<Client>
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        turns = Ring(capacity: capacity)
    }

    /// False when the queue is full.
    mutating func append(_ job: QueuedJob) -> Bool {
        guard count < capacity else { return false }
        if lines[job.client] == nil { _ = turns.append(job.client) }
        lines[job.client, default: JobLine()].append(job)
        count += 1
        return true
    }

    mutating func popFirst() -> QueuedJob? {
        guard let client = turns.popFirst(), let job = lines[client]?.popFirst() else { return nil }
        count -= 1
        if lines[client]?.isEmpty ?? true { lines[client] = nil } else { _ = turns.append(client) }
        return job
    }

    /// Takes out the latest job of the client that has the most in line, to make room for one of `client`. nil where it would
    /// have fewer than `client` then, or the job cannot be told. O(clients).
    mutating func displace(for client: Client) -> QueuedJob? {
        guard let (longest, line) = lines.max(by: { $0.value.count < $1.value.count }),
            line.count > (lines[client]?.count ?? 0) + 1, line.last?.displaced != nil
        else { return nil }
        count -= 1
        return lines[longest]?.popLast()
    }

    mutating func removeCancelled() -> [QueuedJob] {
        var dropped: [QueuedJob] = []
        for client in Array(lines.keys) { dropped += lines[client]?.removeCancelled() ?? [] }
        guard !dropped.isEmpty else { return [] }
        count -= dropped.count
        for _ in 0..<turns.count {
            guard let client = turns.popFirst() else { break }
            if lines[client]?.isEmpty ?? true { lines[client] = nil } else { _ = turns.append(client) }
        }
        return dropped
    }
}

/// The jobs of one client.
private struct JobLine {
    private var jobs: [QueuedJob?] = []
    private var first = 0

    var count: Int { jobs.count - first }
    var isEmpty: Bool { count == 0 }
    var last: QueuedJob? { jobs.last ?? nil }

    mutating func append(_ job: QueuedJob) { jobs.append(job) }

    mutating func popFirst() -> QueuedJob? {
        guard !isEmpty else { return nil }
        defer {
            first += 1
            // Each job is moved once at most for each that has left.
            if 2 * first >= jobs.count {
                jobs.removeFirst(first)
                first = 0
            }
        }
        return jobs[first].take()
    }

    mutating func popLast() -> QueuedJob? { isEmpty ? nil : jobs.removeLast() }

    mutating func removeCancelled() -> [QueuedJob] {
        let waiting = jobs[first...].compactMap(\.self)
        first = 0
        jobs = waiting.filter { !$0.isCancelled }
        return waiting.filter(\.isCancelled)
    }
}
