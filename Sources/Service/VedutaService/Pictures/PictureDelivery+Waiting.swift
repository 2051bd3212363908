import HTTPMessage
import HTTPServer
import OriginCache

// Requests wait for originals that other servers have, or that have to be read first.
extension PictureDelivery {
    /// Waits for the originals that `ask` needs and goes on with it; nil: there is nothing to wait for.
    func waitForOriginals(_ ask: PictureAsk) -> Answer? {
        waitForOriginals(
            ask.plan.preparation, from: ask.preparedCount, ask.request, ask.responder,
            next: { [self] in deliver(ask.prepared($0), seen: nil).answer }, refuse: { .now(problem($0, ask)) })
    }

    /// Answers `ask` from the beginning, on whatever thread.
    func anew(_ ask: PictureAsk) {
        if case .now(let response) = deliver(ask, seen: nil).answer { ask.responder.respond(response) }
    }

    /// Waits for originals from the one at `index` on, and then answers by `next`, which gets the number of
    /// those that were waited for; nil: there is nothing to wait for.
    func waitForOriginals(
        _ preparation: PicturePreparation?, from index: Int, _ request: Request, _ responder: Responder,
        next: @escaping @Sendable (Int) -> Answer, refuse: (Problem) -> Answer
    ) -> Answer? {
        guard let preparation else { return nil }
        let hops = Via.hops(request.head.fields)
        for index in index..<max(index, preparation.count) {
            let wait = Wait()
            let leave: (@Sendable () -> Void)?
            do throws(Problem) {
                leave = try preparation.begin(index, RemoteDirectives(request.head.fields), via: hops) {
                    guard wait.ended() else { return }
                    switch next(index + 1) {
                    case .now(let response): responder.respond(response)
                    case .pending(let pending): wait.goesOn(pending)
                    }
                }
            } catch {
                return refuse(error)
            }
            guard let leave else { continue }
            wait.began(leave)
            return .pending(wait.answer)
        }
        return nil
    }
}
