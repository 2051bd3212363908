import Bytes
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache

// Maps that are asked for by POST: the same as by GET, for overlays that no address has room for.
extension ServiceHandler {
    /// The map that the content of `request` asks for. Reading it is a worker's job: it may be long.
    func postedMap(_ request: Request, _ lines: PolicyLines, _ responder: Responder) -> Answer {
        let (service, maps) = (service, maps)
        let wait = Wait()
        let isAbandoned = SharedFlag()
        let isAdmitted = service.workers.submit(cancelledBy: isAbandoned) {
            guard wait.ended() else { return }
            let answer: Answer
            do throws(Problem) {
                let (plan, location) = try maps.posted(request)
                var ask = PictureAsk(service.delivery.plans.shared(plan), request, lines, responder)
                ask.contentLocation = location
                answer = service.delivery.deliver(ask, seen: nil).answer
            } catch {
                answer = .now(
                    ProblemReply.response(
                        error, to: request, lines, route: .map, vary: "Accept", metrics: service.metrics,
                        log: service.log))
            }
            switch answer {
            case .now(let response): responder.respond(response)
            case .pending(let pending): wait.goesOn(pending)
            }
        }
        guard isAdmitted else { return problem(.overloaded, request, lines, .map) }
        wait.began { isAbandoned.set() }
        return .pending(wait.answer)
    }
}
