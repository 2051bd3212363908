package import ClientBudgets
package import Reactor
import Synchronization

package struct RenderCost: Sendable {
    package let work: NeededWork
    /// Whether it takes so long that it must not hold up others.
    package let isLong: Bool
    /// Whether it draws a document, which cannot be stopped everywhere.
    package let isDrawing: Bool
    package let steps: [String]

    package init(_ work: NeededWork, isLong: Bool = false, isDrawing: Bool = false, steps: [String] = []) {
        self.work = work
        self.steps = steps
        self.isLong = isLong
        self.isDrawing = isDrawing
    }
}

package struct RenderJob: Sendable {
    package enum Verdict: Equatable, Sendable {
        case goOn
        /// It ends, and starts again when what it claims is free.
        case startLater
        case tooCostly
    }

    /// Whether nobody wants it any more. Quick; any thread.
    package let shouldStop: @Sendable () -> Bool
    /// Asked once the cost is known.
    package let admit: @Sendable (RenderCost) -> Verdict

    package init(
        shouldStop: @escaping @Sendable () -> Bool = { false },
        admit: @escaping @Sendable (RenderCost) -> Verdict = { _ in .goOn }
    ) {
        self.shouldStop = shouldStop
        self.admit = admit
    }
}

/// What one run of a job claims besides its thread.
///
/// The cost of a render is known only once a worker has read the header of its source, so all start in the ordinary
/// lane. One that claims more goes on if that is free; else it ends and waits for its claim in the long lane.
package final class RenderAdmission: Sendable {
    private struct State {
        var held: JobClaim
        var wanted: JobClaim?
        var price: Int?
    }

    private let workers: WorkerPool
    private let given: JobClaim
    private let limit: WorkLimit
    private let bill: WorkBill?
    private let state: Mutex<State>

    /// The queue has let the job run with `claim`. Without a `bill` nobody pays.
    package init(_ workers: WorkerPool, _ claim: JobClaim, _ limit: WorkLimit, bill: WorkBill? = nil) {
        self.workers = workers
        self.limit = limit
        self.bill = bill
        given = claim
        state = Mutex(State(held: claim))
    }

    /// The claim with which the job has to start again.
    package var postponed: JobClaim? { state.withLock { $0.wanted } }

    /// Predicted processor time in microseconds, once the job has asked; the highest if it asks again.
    package var price: Int? { state.withLock { $0.price } }

    /// On the worker. A job that asks again keeps what it has. The bill knows whether it is too costly for its client alone.
    package func admit(_ cost: RenderCost) -> RenderJob.Verdict {
        state.withLock { $0.price = max($0.price ?? 0, cost.work.microseconds) }
        guard limit.excesses(of: cost.work).isEmpty, bill?.predict(microseconds: cost.work.microseconds) ?? true else {
            return .tooCostly
        }
        let held = state.withLock { $0.held }
        let wanted = limit.claim(cost).joined(with: held)
        guard wanted != held else { return .goOn }
        let isGranted = workers.exchange(held, for: wanted)
        state.withLock { state in
            if isGranted { state.held = wanted } else { state.wanted = wanted }
        }
        return isGranted ? .goOn : .startLater
    }

    /// Call it at the end of the job, whatever came of it.
    package func end() {
        let held = state.withLock { $0.held }
        if held != given { _ = workers.exchange(held, for: given) }
    }
}

/// Bounds how many workers wait for another process that renders the same. One worker is always left for other
/// renditions; a single one does not wait.
final class ProcessWaitLimit: Sendable {
    static let pollInterval = Duration.milliseconds(5)
    /// The lock of a process that has died is free at once.
    static let pollLimit = 2000
    static let longest = Duration.seconds(10)

    private let waiting: CountLimit

    init(workerCount: Int) { waiting = CountLimit(max(0, workerCount - 1)) }

    /// Whether the caller may wait; it calls `end` then.
    func begin() -> Bool { waiting.begin() }

    func end() { waiting.end() }
}
