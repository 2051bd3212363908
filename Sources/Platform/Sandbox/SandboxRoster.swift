import Reactor

/// Which processes a pool has, and when to start and end some. Time is passed in.
///
/// There is one from the start. A job that finds none idle has another one started, and takes whichever is free first. A process
/// that is lost, or has had its share of jobs, is replaced, and one more is kept for the next loss. What no job needs for a
/// while ends, down to one.
struct SandboxRoster {
    enum Duty {
        case start
        case reap(SandboxWorker)
        case end
    }

    private struct Idle {
        let worker: SandboxWorker
        let since: MonotonicInstant
    }

    /// A start takes a tenth of a second.
    private static let startLimit = Duration.seconds(30)

    /// Of processes.
    private let limit: Int
    /// The one that worked last at the end.
    private var idle: [Idle] = []
    /// Those that do not take jobs yet.
    private var starting: [Idle] = []
    /// To be killed and reaped.
    private var doomed: [SandboxWorker] = []
    private var busyCount = 0
    /// Those that are starting, idle or busy, and the one of the last `Duty.start`.
    private(set) var aliveCount = 0
    private var wantedCount = 1
    /// Threads that wait for a process.
    private var waitingCount = 0
    private(set) var isClosed = false

    init(limit: Int) { self.limit = limit }

    var idleCount: Int { idle.count }
    var isStarting: Bool { !starting.isEmpty }
    /// Whether somebody has to be told when a process becomes idle.
    var isAwaited: Bool { waitingCount > 0 || isClosed }

    mutating func close() { isClosed = true }

    // MARK: Jobs

    /// The one that worked last, or the one that has waited longest: of those that have just started, if there are any.
    mutating func take(fresh: Bool = false) -> SandboxWorker? {
        guard let found = fresh && !idle.isEmpty ? idle.removeFirst() : idle.popLast() else { return nil }
        busyCount += 1
        return found.worker
    }

    /// For a job that found none idle.
    mutating func beginWaiting() {
        waitingCount += 1
        want(busyCount + waitingCount)
    }

    mutating func endWaiting() { waitingCount -= 1 }

    mutating func giveBack(_ worker: SandboxWorker, at now: MonotonicInstant) {
        busyCount -= 1
        idle.append(Idle(worker: worker, since: now))
    }

    /// In place of `giveBack`.
    mutating func discard(_ worker: SandboxWorker) {
        want(busyCount + 1)
        busyCount -= 1
        doom(worker)
    }

    private mutating func want(_ count: Int) { wantedCount = max(wantedCount, min(limit, count)) }

    private mutating func doom(_ worker: SandboxWorker) {
        aliveCount -= 1
        doomed.append(worker)
    }

    // MARK: For the thread that starts and reaps processes

    mutating func duty() -> Duty? {
        if let worker = doomed.popLast() { return .reap(worker) }
        guard isClosed else {
            guard aliveCount < wantedCount else { return nil }
            aliveCount += 1
            return .start
        }
        if let last = starting.popLast() ?? idle.popLast() {
            aliveCount -= 1
            return .reap(last.worker)
        }
        return aliveCount == 0 ? .end : nil
    }

    mutating func begin(_ worker: SandboxWorker, at now: MonotonicInstant) {
        starting.append(Idle(worker: worker, since: now))
    }

    /// Where `begin` cannot follow. More are tried only for jobs that wait.
    mutating func failToBegin() {
        aliveCount -= 1
        wantedCount = min(wantedCount, max(1, aliveCount + waitingCount))
    }

    /// Those that take jobs by now become idle, behind those that have worked. Returns whether there are any.
    mutating func admitReady(at now: MonotonicInstant) -> Bool {
        let ready = starting.map(\.worker).filter(\.isReady)
        starting.removeAll { one in ready.contains { $0 === one.worker } }
        idle.insert(contentsOf: ready.map { Idle(worker: $0, since: now) }, at: 0)
        return !ready.isEmpty
    }

    /// Ends those that have not become ready in time, so that others are started. Returns whether there were any.
    mutating func endHung(at now: MonotonicInstant) -> Bool {
        let hung = starting.filter { $0.since + Self.startLimit < now }.map(\.worker)
        starting.removeAll { one in hung.contains { $0 === one.worker } }
        for worker in hung { doom(worker) }
        return !hung.isEmpty
    }

    mutating func endIdle(after timeLimit: Duration, at now: MonotonicInstant) {
        while aliveCount > 1, let first = idle.first, first.since + timeLimit < now {
            idle.removeFirst()
            doom(first.worker)
            wantedCount = max(1, wantedCount - 1)
        }
    }

    /// Ends idle ones that somebody else has ended, or that do what nobody asked them for. Returns whether there are any of
    /// the latter.
    mutating func endStray() -> Bool {
        let stray = idle.map(\.worker).filter { $0.isGone || $0.isBusyAtRest }
        idle.removeAll { one in stray.contains { $0 === one.worker } }
        for worker in stray { doom(worker) }
        return stray.contains(where: \.isBusyAtRest)
    }
}
