import Bytes
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache

// Maps that are asked for by POST: the same as by GET, for overlays that no address has room for.
extension ServiceHandler {
    /// `/map`.
    func map(_ context: RequestContext) -> Answer {
        context.head.method == .post ? postedMap(context) : picture(context)
    }

    /// The map that the content of a request asks for. Reading it is a worker's job: it may be long.
    private func postedMap(_ context: RequestContext) -> Answer {
        let (service, maps) = (service, maps)
        let wait = Wait()
        let isAbandoned = SharedFlag()
        let isAdmitted = service.workers.submit(cancelledBy: isAbandoned) {
            guard wait.ended() else { return }
            let answer: Answer
            do throws(Problem) {
                let (plan, location) = try maps.posted(context.request)
                var ask = PictureAsk(service.delivery.plans.shared(plan), context)
                ask.contentLocation = location
                answer = service.delivery.deliver(ask, seen: nil).answer
            } catch {
                answer = context.refused(error, vary: "Accept")
            }
            switch answer {
            case .now(let response): context.responder.respond(response)
            case .pending(let pending): wait.goesOn(pending)
            }
        }
        guard isAdmitted else { return context.refused(.overloaded) }
        wait.began { isAbandoned.set() }
        return .pending(wait.answer)
    }
}
