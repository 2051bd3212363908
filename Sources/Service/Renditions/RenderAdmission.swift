package import Reactor
import Synchronization

/// What a render is predicted to cost.
package struct RenderCost: Sendable {
    package let work: NeededWork
    /// Whether it takes so long that it must not stand in the way of others.
    package let isLong: Bool
    /// Whether it draws a document on the way, which cannot be stopped at every place.
    package let isDrawing: Bool
    /// Names its steps in order.
    package let steps: [String]

    package init(_ work: NeededWork, isLong: Bool = false, isDrawing: Bool = false, steps: [String] = []) {
        self.work = work
        self.steps = steps
        self.isLong = isLong
        self.isDrawing = isDrawing
    }
}

/// What a render goes by, beside its sources.
package struct RenderJob: Sendable {
    /// What becomes of a render whose cost is known.
    package enum Verdict: Equatable, Sendable {
        case goOn
        /// It ends here and starts again when what it claims is free.
        case startLater
        case tooCostly
    }

    /// Whether nobody wants it any more; quick, any thread.
    package let shouldStop: @Sendable () -> Bool
    /// Whether it goes on, when its cost is known.
    package let admit: @Sendable (RenderCost) -> Verdict

    /// A job that goes on until the end, unless told otherwise.
    package init(
        shouldStop: @escaping @Sendable () -> Bool = { false },
        admit: @escaping @Sendable (RenderCost) -> Verdict = { _ in .goOn }
    ) {
        self.shouldStop = shouldStop
        self.admit = admit
    }
}

/// What one run of a job holds beside its thread, and what becomes of it when its cost is known.
///
/// What a render costs is only known when a worker has read the header of its source, so all start in the ordinary lane. One
/// that claims something goes on where it is if that is free, else it makes room and starts again in the other lane, where it
/// waits for what it claims.
package final class RenderAdmission: Sendable {
    private struct State {
        var held: JobClaim
        var wanted: JobClaim?
    }

    private let workers: WorkerPool
    private let given: JobClaim
    private let limit: WorkLimit
    private let state: Mutex<State>

    /// For a job that the queue has let run with `claim`.
    package init(_ workers: WorkerPool, _ claim: JobClaim, _ limit: WorkLimit) {
        self.workers = workers
        self.limit = limit
        given = claim
        state = Mutex(State(held: claim))
    }

    /// With what claim the job has to start again; nil where it has not.
    package var postponed: JobClaim? { state.withLock { $0.wanted } }

    /// On the worker; a job that asks again keeps what it has.
    package func admit(_ cost: RenderCost) -> RenderJob.Verdict {
        guard limit.excesses(of: cost.work).isEmpty else { return .tooCostly }
        let held = state.withLock { $0.held }
        let wanted = limit.claim(cost).joined(with: held)
        guard wanted != held else { return .goOn }
        let isGranted = workers.exchange(held, for: wanted)
        state.withLock { state in
            if isGranted { state.held = wanted } else { state.wanted = wanted }
        }
        return isGranted ? .goOn : .startLater
    }

    /// At the end of the job, whatever came of it: the queue takes back what it gave.
    package func end() {
        let held = state.withLock { $0.held }
        if held != given { _ = workers.exchange(held, for: given) }
    }
}
