import ImageEngine
import ImagePlan
import Reactor
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

/// How much work one picture may be.
struct CostLimit: Equatable, Sendable {
    /// CPU time of one core. Predictions are good to a factor of two, so it is twice the time that an answer may take.
    let microseconds: Int
    /// Octets of memory for pixels.
    let byteCount: Int

    /// The limit where answers may take `renderTimeout` seconds.
    init(renderTimeout: Int, byteCount: Int = 1 << 30) {
        microseconds = 2 * 1_000_000 * renderTimeout
        self.byteCount = byteCount
    }

    func allows(_ cost: PredictedCost) -> Bool {
        cost.microseconds <= microseconds && cost.byteCount <= byteCount
    }
}

/// Which lane one run of a job is in, and what becomes of it when its cost is known. What every picture costs is only known
/// when a worker has read its header, so all start in the ordinary lane; a long one goes on where it is if a long job may run,
/// else it makes room and starts again in the lane of the long ones.
final class LaneTicket: Sendable {
    private enum State: Int {
        case undecided, long, postponed
    }

    private let workers: WorkerPool
    private let lane: WorkerPool.Lane
    private let limit: CostLimit
    private let state = Atomic(State.undecided.rawValue)

    init(_ workers: WorkerPool, _ lane: WorkerPool.Lane, _ limit: CostLimit) {
        self.workers = workers
        self.lane = lane
        self.limit = limit
    }

    /// Whether the job has to start again in the lane of the long ones.
    var isPostponed: Bool { state.load(ordering: .relaxed) == State.postponed.rawValue }

    /// On the worker; a job that asks again keeps what it has.
    func admit(_ cost: PredictedCost) -> Admission {
        guard limit.allows(cost) else { return .never }
        guard lane == .ordinary, cost.isLong, state.load(ordering: .relaxed) != State.long.rawValue else {
            return .now
        }
        let isGranted = workers.beginLong()
        state.store((isGranted ? State.long : .postponed).rawValue, ordering: .relaxed)
        return isGranted ? .now : .later
    }

    /// At the end of the job, whatever came of it.
    func end() {
        if state.load(ordering: .relaxed) == State.long.rawValue { workers.endLong() }
    }
}
