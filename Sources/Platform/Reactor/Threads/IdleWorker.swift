import Synchronization

/// A thread of its own for jobs that nobody waits for: no job of `pool` ever waits for a thread because of them. One begins only
/// while `pool` is not busy, and asks `shouldYield` whether it has to stop again.
package final class IdleWorker: Sendable {
    private struct State {
        var jobs: FairQueue
        var isRunning = false
        var isClosed = false
    }

    private let state: Monitor<State>
    private let pool: WorkerPool
    private let thread: OwnedThread
    /// When a look found the pool busy first; 0: it was not at the last one.
    private let busySince = Atomic<Int64>(0)

    /// How often a busy pool is looked at while jobs wait.
    private static let interval = Duration.milliseconds(20)
    /// A pool that is busy for a shorter time needs no help.
    private static let patience = Duration.milliseconds(20)

    /// At most `queueLimit` jobs wait. The thread runs `willStart` first and `willExit` last. Errors: `EAGAIN`.
    package init(
        name: String, besides pool: WorkerPool, queueLimit: Int, stackByteCount: Int = 8 << 20,
        willStart: @escaping @Sendable () -> Void = {}, willExit: @escaping @Sendable () -> Void = {}
    ) throws(Errno) {
        let state = Monitor(State(jobs: FairQueue(capacity: queueLimit)))
        thread = try OwnedThread.start(name: name, stackByteCount: stackByteCount) {
            willStart()
            IdleWorker.work(off: state, besides: pool)
            willExit()
        }
        (self.state, self.pool) = (state, pool)
    }

    /// False at once when the queue is full or closed. Any thread. Clients take turns, and `displaced` is called, as in `WorkerPool`.
    package func submit(
        for client: ClientNetwork? = nil, displaced: WorkerPool.Job? = nil, _ job: @escaping WorkerPool.Job
    ) -> Bool {
        // What the job before it saw of the pool is no reason for this one to stop at its first look.
        let run: WorkerPool.Job = { [self] in
            busySince.store(0, ordering: .relaxed)
            job()
        }
        let queued = QueuedJob(run: run, cancellation: nil, claim: .none, client: client, displaced: displaced)
        let (isQueued, other) = state.withLock { state -> (Bool, QueuedJob?) in
            guard !state.isClosed else { return (false, nil) }
            if state.jobs.append(queued) { return (true, nil) }
            let other = state.jobs.displace(for: client)
            return (other != nil && state.jobs.append(queued), other)
        }
        if isQueued { state.broadcast() }
        other?.displaced?()
        return isQueued
    }

    /// Whether the pool has been busy for a while. Quick; any thread.
    package var shouldYield: Bool {
        guard pool.isBusy else {
            busySince.store(0, ordering: .relaxed)
            return false
        }
        let now = Clock.system.monotonic()
        let since = busySince.compareExchange(expected: 0, desired: now.nanoseconds, ordering: .relaxed)
        return !since.exchanged && now - MonotonicInstant(nanoseconds: since.original) >= Self.patience
    }

    package var isIdle: Bool { state.withLock { $0.jobs.count == 0 && !$0.isRunning } }

    /// Drops the jobs that wait, and ends the thread where the running one stops within `limit`; false where it does not.
    package func shutdown(within limit: Duration) -> Bool {
        let dropped = state.withLock { state -> [QueuedJob] in
            state.isClosed = true
            return (0..<state.jobs.count).compactMap { _ in state.jobs.popFirst() }
        }
        withExtendedLifetime(dropped) {}
        state.broadcast()
        guard state.wait(forAtMost: limit, until: { $0.isRunning ? nil : true }) != nil else { return false }
        thread.join()
        return true
    }

    private static func work(off state: Monitor<State>, besides pool: WorkerPool) {
        while state.wait(until: { $0.isClosed ? false : $0.jobs.count > 0 ? true : nil }) {
            if pool.isBusy {
                _ = state.wait(forAtMost: interval) { $0.isClosed ? true : nil }
                continue
            }
            let job = state.withLock { state -> QueuedJob? in
                let job = state.jobs.popFirst()
                state.isRunning = job != nil
                return job
            }
            guard let job else { continue }
            job.run()
            state.withLock { $0.isRunning = false }
            state.broadcast()
        }
    }
}
