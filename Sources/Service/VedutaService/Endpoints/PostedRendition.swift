import Bytes
import HTTPMessage
import HTTPServer
import Reactor
import Renditions

/// What the content of a POST asks for, and the address at which GET has it, if it fits one.
struct PostedRendition: Sendable {
    /// Bytes of a query that proxies take as well.
    static let locationLimit = 6000

    let rendition: Rendition
    let location: String?

    init(_ rendition: Rendition, path: String, query: String?) {
        self.rendition = rendition
        location = query.map { path + "?" + $0 }
    }

    /// - Throws: where the request has parameters in its address as well.
    static func bytes(of request: Request) throws(EndpointError) -> [UInt8] {
        if let query = request.head.target.query {
            throw .fault("query", query, allowed: "left out: a POST request has its parameters in the content")
        }
        guard case .bytes(let bytes) = request.content else { return [] }
        return bytes.withUnsafeBytes { [UInt8]($0) }
    }
}

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
                    let posted = try posted(context.request)
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
