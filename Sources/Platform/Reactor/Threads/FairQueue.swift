import Bytes

/// A bounded queue in which clients take turns: a job waits for at most two jobs of every other client before it, however
/// many they have queued. The jobs of one client keep their order.
///
/// Each job has a round: one more than its client's job before it, and than the job that was taken last (self-clocked fair
/// queueing). Within a round, jobs keep the order in which they came.
struct FairQueue {
    /// nil: all who have no address, and the server itself.
    typealias Client = ClientNetwork?

    private var jobs: Ring<QueuedJob>
    /// Of the job taken last.
    private var round = 0

    init(capacity: Int) { jobs = Ring(capacity: capacity) }

    var count: Int { jobs.count }

    /// Counts from the next.
    subscript(offset: Int) -> QueuedJob? { jobs[offset] }

    func contains(where matches: (QueuedJob) -> Bool) -> Bool { jobs.contains(where: matches) }

    /// False when the queue is full. O(jobs).
    mutating func append(_ job: QueuedJob) -> Bool {
        var job = job
        job.round = nextRound(of: job.client)
        let place = lastOffset { $0.round <= job.round }.map { $0 + 1 } ?? 0
        return jobs.insert(job, at: place)
    }

    mutating func popFirst() -> QueuedJob? { remove(at: 0) }

    mutating func remove(at offset: Int) -> QueuedJob? {
        guard let job = jobs.remove(at: offset) else { return nil }
        round = count == 0 ? 0 : max(round, job.round)
        return job
    }

    /// Takes out the latest job that can be told of the client that has the most in line, to make room for one of `client`. nil
    /// where it would have fewer than `client` then, or none can be told. O(jobs).
    mutating func displace(for client: Client) -> QueuedJob? {
        var counts: [Client: Int] = [:]
        for offset in 0..<count { if let job = jobs[offset] { counts[job.client, default: 0] += 1 } }
        guard let (longest, most) = counts.max(by: { $0.value < $1.value }), most > (counts[client] ?? 0) + 1,
            let offset = lastOffset(where: { $0.client == longest && $0.displaced != nil })
        else { return nil }
        return jobs.remove(at: offset)
    }

    /// Gives the job that `cancellation` cancels to `client`, if it comes earlier then. O(jobs).
    mutating func hasten(_ cancellation: SharedFlag, for client: Client) -> Bool {
        guard let offset = lastOffset(where: { $0.cancellation === cancellation }), let job = jobs[offset],
            nextRound(of: client) < job.round, var hastened = jobs.remove(at: offset)
        else { return false }
        hastened.client = client
        return append(hastened)
    }

    mutating func removeCancelled() -> [QueuedJob] { jobs.removeAll(where: \.isCancelled) }

    private func nextRound(of client: Client) -> Int {
        max(round, lastOffset { $0.client == client }.flatMap { jobs[$0]?.round } ?? 0) + 1
    }

    private func lastOffset(where matches: (QueuedJob) -> Bool) -> Int? {
        (0..<count).last { jobs[$0].map(matches) ?? false }
    }
}
