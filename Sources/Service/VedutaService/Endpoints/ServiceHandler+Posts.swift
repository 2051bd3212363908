import Bytes
import ClientBudgets
import HTTPMessage
import HTTPServer
import Reactor
import Renditions
import ServiceConfiguration

extension ServiceHandler {
    /// `/map` and `/poll`; a POST is the same for what fits no address.
    func drawn(
        _ context: RequestContext, posted: @escaping @Sendable (Request) throws(EndpointError) -> PostedRendition
    ) -> Answer {
        context.head.method == .post ? post(context, posted) : rendition(context)
    }

    /// Reading the content is a worker's job, as it may be long.
    private func post(
        _ context: RequestContext, _ posted: @escaping @Sendable (Request) throws(EndpointError) -> PostedRendition
    ) -> Answer {
        let service = service
        do throws(EndpointError) { try context.openBill() } catch { return context.refused(error) }
        let pause = PausedRequest()
        let isAbandoned = SharedFlag()
        let isAdmitted = service.workers.submit(
            for: context.client, cancelledBy: isAbandoned,
            displaced: { pause.resume(context.responder) { context.refused(.busy) } }
        ) {
            pause.resume(context.responder) {
                do throws(EndpointError) {
                    // Reading megabytes of JSON costs what it costs, also where they are refused.
                    let read = { Result { () throws(EndpointError) in try posted(context.request) } }
                    let posted = try (context.bill?.measure(read) ?? read()).get()
                    let asked = context.renditionRequest(
                        service.renditions.table.shared(posted.rendition), contentLocation: posted.location)
                    return service.renditions.deliver(asked, knowing: nil).answer
                } catch {
                    return context.refused(error, vary: "Accept")
                }
            }
        }
        guard isAdmitted else { return context.refused(.busy) }
        pause.began { isAbandoned.set() }
        return pause.answer
    }
}

extension ServiceHandler {
    /// `/avatar/HASH`.
    func hashedAvatar(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(EndpointError) in
            let hash = String(context.head.target.path.dropFirst("/avatar/".utf8.count))
            return context.deliver(try cards.avatar(hash: hash, try context.queryItems(), context.head))
        }
    }

    /// `/api/`.
    func namedAvatar(_ context: RequestContext) -> Answer {
        guard context.policy.compatibilities.contains(.uiAvatars) else { return context.refused(.routeAbsent) }
        return context.orProblem { context throws(EndpointError) in
            context.deliver(try cards.avatar(named: try context.queryItems(), context.head))
        }
    }
}
