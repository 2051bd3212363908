import ImageEngine
import ImagePlan
import Reactor
import ServiceConfiguration
import Synchronization

/// What making a picture goes by, beside its plan.
struct RenderJob: Sendable {
    /// Whether nobody wants it any more; quick, any thread.
    let shouldStop: @Sendable () -> Bool
    /// Whether it goes on, when its cost is known.
    let admit: @Sendable (PredictedCost) -> Admission

    /// A job that goes on until the end, unless told otherwise.
    init(
        shouldStop: @escaping @Sendable () -> Bool = { false },
        admit: @escaping @Sendable (PredictedCost) -> Admission = Admission.always
    ) {
        self.shouldStop = shouldStop
        self.admit = admit
    }
}

extension RenderContext {
    /// For `job`, with options that matter to descriptions.
    init(_ job: RenderJob, limits: ImageLimits) {
        self.init(options: RenderOptions(limits: limits), admission: job.admit, shouldStop: job.shouldStop)
    }
}

/// How much work one picture may be.
struct CostLimit: Equatable, Sendable {
    /// CPU time of one core.
    let microseconds: Int
    /// Bytes of memory.
    let byteCount: Int
    /// Up to so many bytes a picture claims none of the memory for all.
    let freeByteCount: Int
    /// Which setting `microseconds` comes from.
    let timeSetting: LimitExcess.Setting

    /// Pictures that take up to so many seconds of one core and so many bytes.
    init(
        seconds: Int, byteCount: Int = 1 << 30, freeByteCount: Int = 64 << 20,
        timeSetting: LimitExcess.Setting = .costLimit
    ) {
        microseconds = seconds.multipliedReportingOverflow(by: 1_000_000).overflow ? .max : seconds * 1_000_000
        self.byteCount = byteCount
        self.freeByteCount = freeByteCount
        self.timeSetting = timeSetting
    }

    /// The limits of a configuration. Predictions are good to a factor of two, so what is predicted to take twice the time that
    /// an answer may take cannot end in time.
    init(_ configuration: Configuration) {
        let budget = MemoryBudget(configuration)
        let longest = 2 * configuration.renderTimeout
        self.init(
            seconds: min(configuration.costLimit, longest), byteCount: configuration.memoryLimit,
            freeByteCount: budget.freeByteCount,
            timeSetting: configuration.costLimit <= longest ? .costLimit : .renderTimeout)
    }

    func allows(_ cost: PredictedCost) -> Bool {
        excesses(of: NeededWork(microseconds: cost.microseconds, byteCount: cost.byteCount)).isEmpty
    }

    /// The limits that a picture breaks which takes so much; empty where it may be made.
    func excesses(of work: NeededWork) -> [LimitExcess] {
        var excesses: [LimitExcess] = []
        if work.microseconds > microseconds {
            excesses.append(
                LimitExcess(setting: timeSetting, limit: microseconds / 1_000_000, needed: work.seconds))
        }
        if work.byteCount > byteCount {
            excesses.append(LimitExcess(setting: .memoryLimit, limit: byteCount, needed: work.byteCount))
        }
        return excesses
    }

    /// `problem`; what takes too much work names the limits that it breaks.
    func named(_ problem: Problem) -> Problem {
        problem.neededWork.map { .tooCostly($0, excesses(of: $0)) } ?? problem
    }

    /// What a picture of this cost takes beside a thread.
    func claim(_ cost: PredictedCost) -> JobClaim {
        JobClaim(
            isLong: cost.isLong, isDrawing: cost.isDrawing,
            byteCount: cost.byteCount > freeByteCount ? cost.byteCount : 0)
    }
}

/// How the memory that all pictures have together is shared out: an eighth for the small ones, which nobody counts, and the
/// rest for claims.
struct MemoryBudget: Equatable, Sendable {
    /// What is there for each worker where the configuration does not say it, and at least for all.
    private static let perWorker = 512 << 20
    private static let least = 1 << 30

    /// Bytes up to which a picture is not counted.
    let freeByteCount: Int
    /// Bytes that all claims may come to.
    let claimedByteCount: Int

    init(_ configuration: Configuration) {
        let workers = max(1, Processors.count(configuration.workers))
        let all =
            configuration.renderMemory > 0 ? configuration.renderMemory : max(Self.least, Self.perWorker * workers)
        freeByteCount = all / 8 / workers
        claimedByteCount = all - all / 8
    }
}

/// What one run of a job holds beside its thread, and what becomes of it when its cost is known. What a picture costs is only
/// known when a worker has read its header, so all start in the ordinary lane; one that claims something goes on where it is if
/// that is free, else it makes room and starts again in the other lane, where it waits for what it claims.
final class LaneTicket: Sendable {
    private struct State {
        var held: JobClaim
        var wanted: JobClaim?
    }

    private let workers: WorkerPool
    private let given: JobClaim
    private let limit: CostLimit
    private let state: Mutex<State>

    /// For a job that the queue has let run with `claim`.
    init(_ workers: WorkerPool, _ claim: JobClaim, _ limit: CostLimit) {
        self.workers = workers
        self.limit = limit
        given = claim
        state = Mutex(State(held: claim))
    }

    /// With what claim the job has to start again; nil where it has not.
    var postponed: JobClaim? { state.withLock { $0.wanted } }

    /// On the worker; a job that asks again keeps what it has.
    func admit(_ cost: PredictedCost) -> Admission {
        guard limit.allows(cost) else { return .never }
        let held = state.withLock { $0.held }
        let wanted = limit.claim(cost).joined(with: held)
        guard wanted != held else { return .now }
        let isGranted = workers.exchange(held, for: wanted)
        state.withLock { state in
            if isGranted { state.held = wanted } else { state.wanted = wanted }
        }
        return isGranted ? .now : .later
    }

    /// At the end of the job, whatever came of it: the queue takes back what it gave.
    func end() {
        let held = state.withLock { $0.held }
        if held != given { _ = workers.exchange(held, for: given) }
    }
}
