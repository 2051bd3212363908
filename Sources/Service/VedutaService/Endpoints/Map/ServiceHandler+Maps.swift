import Bytes
import HTTPMessage
import HTTPServer
import Reactor
import Renditions

// Maps that are asked for by POST: the same as by GET, for overlays that no address has room for.
extension ServiceHandler {
    /// `/map`.
    func map(_ context: RequestContext) -> Answer {
        context.head.method == .post ? postedMap(context) : rendition(context)
    }

    /// The map that the content of a request asks for. Reading it is a worker's job: it may be long.
    private func postedMap(_ context: RequestContext) -> Answer {
        let (service, maps) = (service, maps)
        let pause = PausedRequest()
        let isAbandoned = SharedFlag()
        let isAdmitted = service.workers.submit(cancelledBy: isAbandoned) {
            pause.resume(context.responder) {
                do throws(Problem) {
                    let (rendition, location) = try maps.posted(context.request)
                    let asked = context.renditionRequest(
                        service.renditions.table.shared(rendition), contentLocation: location)
                    return service.renditions.deliver(asked, knowing: nil).answer
                } catch {
                    return context.refused(error, vary: "Accept")
                }
            }
        }
        guard isAdmitted else { return context.refused(.overloaded) }
        pause.began { isAbandoned.set() }
        return pause.answer
    }
}
