import Glibc
package import Reactor
import Synchronization

/// Runs jobs in sandboxed processes, one at a time in each; ``SandboxRoster`` says how many there are. A process that crashes,
/// hangs or takes too much costs one job. Any thread.
package final class SandboxPool: Sendable {
    private struct State {
        var roster: SandboxRoster
        /// Why none could be started a moment ago.
        var startError: Errno?
        /// Told in the log, and not again before another start succeeds.
        var loggedError: Errno?
        var counts = SandboxCounts()

        mutating func take(fresh: Bool) -> SandboxWorker? {
            let worker = roster.take(fresh: fresh)
            if worker != nil { counts.jobs += 1 }
            return worker
        }
    }

    private let settings: SandboxSettings
    private let clock: Clock
    private let log: @Sendable (String) -> Void
    private let state: Monitor<State>
    private let quarantine = Mutex(Quarantine())
    private let keeper = Mutex<OwnedThread?>(nil)

    /// `log` gets a sentence when something goes wrong with a process. Errors: `EAGAIN`.
    package init(
        _ settings: SandboxSettings, clock: Clock = .system, log: @escaping @Sendable (String) -> Void
    ) throws(Errno) {
        (self.settings, self.clock, self.log) = (settings, clock, log)
        // One more than can work at once, so that a fresh one is there when another ends.
        state = Monitor(State(roster: SandboxRoster(limit: settings.workerCount + 1)))
        // All processes are started by this thread, because they end with the thread that started them.
        let thread = try OwnedThread.start(name: "sandbox") { [self] in keep() }
        keeper.withLock { $0 = thread }
    }

    package var counts: SandboxCounts {
        state.withLock { state in
            var counts = state.counts
            counts.idle = state.roster.idleCount
            return counts
        }
    }

    /// Waits until one process is ready. Errors: what starting it did; `ECHILD` where it ended by itself.
    package func awaitFirst() throws(Errno) {
        let first = state.wait { state -> Result<Void, Errno>? in
            if state.counts.starts > 0 { return .success(()) }
            return state.loggedError.map { .failure($0) }
        }
        try first.get()
    }

    /// Ends all processes, after the last `run` has returned.
    package func close() {
        state.withLock { $0.roster.close() }
        state.broadcast()
        keeper.withLock { $0.take() }?.join()
    }

    // MARK: Jobs

    /// Blocks. `answer` replies to questions of the process, on this thread; `shouldStop` is asked some fifty times a second. Once
    /// it says so, the job has a tenth of a second left, and then its process is killed. `contentLimit` is asked once there is a
    /// result: a longer one counts as a crash. The processor time that was used is reported to the current `WorkMeter`.
    package func run(
        _ job: SandboxJob, answer: ([UInt8]) -> [UInt8] = { _ in [] }, contentLimit: () -> Int = { .max },
        shouldStop: () -> Bool
    ) throws(SandboxFailure) -> SandboxReply {
        try checkQuarantine(job)
        let source: SourceFile
        do throws(Errno) { source = try SourceFile(job.sources) } catch { throw .unavailable(code: error.code) }
        let end = clock.monotonic() + settings.timeLimit
        let ending: () -> SandboxWorker.Ending? = { [clock] in
            shouldStop() ? .stopped : clock.monotonic() > end ? .overTime : nil
        }
        return try run(
            job, source: source.descriptor, answer, contentLimit: contentLimit, ending,
            repeatsLeft: Self.attemptLimit - 1)
    }

    /// How often the process is looked at, every 20 ms, before a job that nobody wants is killed. A new process takes a tenth of a
    /// second of processor time, so killing every short job would let clients who leave cost more than those who stay.
    private static let looksAfterStop = 5

    private func run(
        _ job: SandboxJob, source: Int32, _ answer: ([UInt8]) -> [UInt8], contentLimit: () -> Int,
        _ isOver: () -> SandboxWorker.Ending?, repeatsLeft: Int
    ) throws(SandboxFailure) -> SandboxReply {
        let worker = try take(fresh: repeatsLeft < Self.attemptLimit - 1, isOver)
        var looksLeft = Self.looksAfterStop
        func ending() -> SandboxWorker.Ending? {
            guard let reason = isOver() else { return nil }
            guard reason == .stopped, looksLeft > 0 else { return reason }
            looksLeft -= 1
            return nil
        }
        let before = worker.processorTime
        let failure: SandboxFailure
        var mayRepeat = false
        do throws(SandboxWorker.Ending) {
            let reply = try worker.perform(
                job, source: source, answer: answer, contentLimit: contentLimit, ending: ending)
            charge(worker, since: before)
            giveBack(worker)
            return reply
        } catch {
            charge(worker, since: before)
            switch error {
            case .stopped, .overTime:
                worker.kill()
                discard(worker) { $0.kills += 1 }
                failure = error == .stopped ? .stopped : .overTime
                if failure == .overTime {
                    log("a decoding process was ended because its job took longer than \(settings.timeLimit)")
                }
            case .lost where worker.isEnding:
                let end = worker.reap()
                // A job before it may have done the damage: another process decides.
                mayRepeat = (end.signal == SIGKILL || worker.jobCount > 1) && repeatsLeft > 0
                failure = lost(end, job, isDecided: !mayRepeat)
                discard(worker) { $0.crashes += 1 }
            case .lost, .nonsense:
                worker.kill()
                mayRepeat = worker.jobCount > 1 && repeatsLeft > 0
                failure = crashed(0, job, isDecided: !mayRepeat)
                discard(worker) { $0.crashes += 1 }
            case .shortage:
                worker.kill()
                discard(worker) { $0.kills += 1 }
                failure = .unavailable(code: ENOMEM)
            }
        }
        // Or somebody else killed it: the system, for its memory or that of others, or an operator.
        guard mayRepeat else { throw failure }
        return try run(
            job, source: source, answer, contentLimit: contentLimit, isOver, repeatsLeft: repeatsLeft - 1)
    }

    /// How often a job is begun where its process is killed from outside, or breaks off by itself after other jobs.
    package static let attemptLimit = 3

    private func charge(_ worker: SandboxWorker, since before: Int) {
        let now = worker.processorTime
        guard let meter = WorkMeter.current, before >= 0, now > before else { return }
        meter.add(.processorTime(microseconds: now - before))
    }

    /// What the end of a process says about its job.
    private func lost(_ end: SandboxWorker.End, _ job: SandboxJob, isDecided: Bool) -> SandboxFailure {
        guard end.wasReady || end.signal == SIGKILL else {
            log("a decoding process ended before it was ready (\(Self.text(end.signal)))")
            return .unavailable(code: ECHILD)
        }
        let isOutOfMemory =
            [SIGKILL, SIGXFSZ, SIGXCPU].contains(end.signal)
            // Libraries give up by themselves, in one way or another, where they get no memory.
            || end.peakByteCount > settings.memoryByteLimit / 2
                && (end.isPeakOwn || [SIGABRT, SIGTRAP].contains(end.signal))
        if isOutOfMemory {
            log("a decoding process was ended for its memory, or from outside (\(Self.text(end.signal)))")
            return .overMemory(byteLimit: settings.memoryByteLimit)
        }
        return crashed(end.signal, job, isDecided: isDecided)
    }

    private func crashed(_ signal: Int32, _ job: SandboxJob, isDecided: Bool) -> SandboxFailure {
        guard isDecided else {
            log("a decoding process broke off (\(Self.text(signal))); another one tries its image again")
            return .crashed(signal: signal)
        }
        log("a decoding process broke off (\(Self.text(signal))); its image is answered with a problem")
        let (digest, now) = (job.digest, clock.monotonic())
        quarantine.withLock { $0.crashed(digest, byteCount: job.byteCount, at: now) }
        return .crashed(signal: signal)
    }

    private static func text(_ signal: Int32) -> String { signal == 0 ? "by itself" : "signal \(signal)" }

    private func checkQuarantine(_ job: SandboxJob) throws(SandboxFailure) {
        let byteCount = job.byteCount
        guard quarantine.withLock({ !$0.isEmpty && $0.mayHave(byteCount: byteCount) }) else { return }
        let (digest, now) = (job.digest, clock.monotonic())
        guard quarantine.withLock({ $0.refuses(digest, at: now) }) else { return }
        state.withLock { $0.counts.quarantined += 1 }
        throw .quarantined
    }

    // MARK: Processes

    private enum Taken {
        case worker(SandboxWorker)
        case failure(SandboxFailure)
    }

    private func take(
        fresh: Bool, _ ending: () -> SandboxWorker.Ending?
    ) throws(SandboxFailure) -> SandboxWorker {
        let idle = state.withLock { state -> SandboxWorker? in
            let worker = state.take(fresh: fresh)
            if worker == nil { state.roster.beginWaiting() }
            return worker
        }
        if let idle { return idle }
        defer { state.withLock { $0.roster.endWaiting() } }
        // To the thread that starts processes.
        state.broadcast()
        while true {
            let taken = state.wait(forAtMost: .milliseconds(20)) { state -> Taken? in
                if let worker = state.take(fresh: fresh) { return .worker(worker) }
                if state.roster.isClosed { return .failure(.stopped) }
                // Those that are at work will be free again.
                guard state.roster.aliveCount == 0 else { return nil }
                return state.startError.map { .failure(.unavailable(code: $0.code)) }
            }
            switch taken {
            case .worker(let worker): return worker
            case .failure(let failure): throw failure
            case nil:
                switch ending() {
                case nil, .lost, .nonsense, .shortage: continue
                case .stopped: throw .stopped
                case .overTime: throw .overTime
                }
            }
        }
    }

    private func giveBack(_ worker: SandboxWorker) {
        guard worker.jobCount < settings.jobLimit, worker.residentByteCount <= settings.residentByteLimit else {
            return discard(worker) { $0.recycled += 1 }
        }
        worker.rest()
        let now = clock.monotonic()
        let isAwaited = state.withLock { state in
            state.roster.giveBack(worker, at: now)
            return state.roster.isAwaited
        }
        if isAwaited { state.broadcast() }
    }

    private func discard(_ worker: SandboxWorker, _ count: (inout SandboxCounts) -> Void) {
        state.withLock { state in
            count(&state.counts)
            state.roster.discard(worker)
        }
        state.broadcast()
    }

    /// The thread that starts and reaps processes.
    private func keep() {
        while true {
            let interval = admitReady() ? Self.inspectionIntervalAtStart : Self.inspectionInterval
            switch state.wait(forAtMost: interval, until: { $0.roster.duty() }) {
            case .start: start()
            case .reap(let worker): _ = worker.reap()
            case .end: return
            case nil: inspectIdle()
            }
        }
    }

    private static let inspectionInterval = Duration.seconds(1)
    private static let inspectionIntervalAtStart = Duration.milliseconds(5)

    /// Whether some are still starting.
    private func admitReady() -> Bool {
        let now = clock.monotonic()
        let (hasReady, isStarting) = state.withLock { ($0.roster.admitReady(at: now), $0.roster.isStarting) }
        if hasReady { state.broadcast() }
        return isStarting
    }

    private func inspectIdle() {
        let now = clock.monotonic()
        let (hasBusy, hasHung) = state.withLock { state -> (Bool, Bool) in
            state.roster.endIdle(after: settings.idleTimeLimit, at: now)
            return (state.roster.endStray(), state.roster.endHung(at: now))
        }
        if hasHung { log("a decoding process was ended because it did not get ready") }
        if hasBusy { log("a decoding process was ended because it worked without a job") }
    }

    private func start() {
        do throws(Errno) {
            let worker = try SandboxWorker.start(settings)
            if counts.starts == 0 { try inspect(worker) }
            let now = clock.monotonic()
            state.withLock { state in
                state.counts.starts += 1
                state.loggedError = nil
                state.roster.begin(worker, at: now)
            }
            state.broadcast()
        } catch {
            let (isNews, isLast) = state.withLock { state in
                defer { (state.startError, state.loggedError) = (error, error) }
                state.roster.failToBegin()
                return (state.loggedError != error, state.roster.aliveCount == 0)
            }
            let effect = isLast ? "images get 503" : "images wait for the others"
            if isNews { log("cannot start decoding processes, so \(effect): \(error)") }
            state.broadcast()
            _ = state.wait(forAtMost: Self.restAfterFailure) { $0.roster.isClosed ? true : nil }
            state.withLock { $0.startError = nil }
        }
    }

    /// Waits for the first process, so that an operator reads at the start what is wrong.
    private func inspect(_ worker: SandboxWorker) throws(Errno) {
        var looksLeft = Self.looksAtFirstStart
        do throws(SandboxWorker.Ending) {
            let missing = try worker.awaitReady { [self] in
                looksLeft -= 1
                return state.withLock(\.roster.isClosed) || looksLeft < 0 ? .overTime : nil
            }
            if let text = missing.text { log(text) }
        } catch {
            _ = worker.reap()
            throw Errno(code: ECHILD)
        }
    }

    /// Half a minute.
    private static let looksAtFirstStart = 1500
    private static let restAfterFailure = Duration.milliseconds(500)
}
