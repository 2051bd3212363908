package import HTTPServer
package import Reactor
import Synchronization

/// A request that waits for something, and goes on unless its client has left.
package final class PausedRequest: Sendable {
    private enum State: Sendable {
        case waiting(PendingAnswer?)
        case goesOn(PendingAnswer?)
        case isAbandoned(PendingAnswer?)
    }

    private let state = Mutex(State.waiting(nil))

    package init() {}

    package func began(_ leave: @escaping @Sendable () -> Void) { began(PendingAnswer(onAbandon: leave)) }

    /// What to do when the client leaves, or time is over, before the request goes on.
    func began(_ wait: PendingAnswer) {
        let isAbandoned = state.withLock { state in
            switch state {
            case .waiting: state = .waiting(wait)
            case .goesOn: break
            case .isAbandoned:
                state = .isAbandoned(wait)
                return true
            }
            return false
        }
        if isAbandoned { wait.onAbandon() }
    }

    /// Goes on with what `next` answers, unless the client has gone.
    package func resume(_ responder: Responder, _ next: () -> Answer) {
        let goesOn = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .goesOn(nil)
            return true
        }
        guard goesOn else { return }
        switch next() {
        case .now(let response): responder.respond(response)
        case .pending(let pending): goOn(with: pending)
        }
    }

    private func goOn(with pending: PendingAnswer) {
        let isAbandoned = state.withLock { state in
            if case .isAbandoned = state { return true }
            state = .goesOn(pending)
            return false
        }
        if isAbandoned { pending.onAbandon() }
    }

    /// Waits for what `preparation` has to get, from the source at `index` on, and then answers by `next`, which gets
    /// the number of sources that were waited for; nil where there is nothing to wait for. `client`: in whose turn.
    package static func wait(
        for preparation: any SourcePreparation, from index: Int, _ request: Request, of client: ClientNetwork?,
        _ responder: Responder, next: @escaping @Sendable (Int) -> Answer,
        refuse: @escaping @Sendable (RenditionError) -> Answer
    ) -> Answer? {
        for index in index..<max(index, preparation.count) {
            let pause = PausedRequest()
            let leave: (@Sendable () -> Void)?
            do throws(RenditionError) {
                leave = try preparation.begin(index, for: request, of: client) { error in
                    pause.resume(responder) { error.map(refuse) ?? next(index + 1) }
                }
            } catch {
                return refuse(error)
            }
            guard let leave else { continue }
            pause.began(leave)
            return pause.answer
        }
        return nil
    }

    package var answer: Answer { .later(onAbandon: abandon, whenLate: late) }

    private func abandon() {
        let pending: PendingAnswer? = state.withLock { state in
            switch state {
            case .waiting(let pending), .goesOn(let pending):
                state = .isAbandoned(pending)
                return pending
            case .isAbandoned: return nil
            }
        }
        pending?.onAbandon()
    }

    private func late() -> Response? {
        let pending: PendingAnswer? = state.withLock { state in
            if case .isAbandoned(let pending) = state { pending } else { nil }
        }
        return pending?.whenLate?()
    }
}
