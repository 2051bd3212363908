import HTTPMessage
import HTTPServer
import Reactor
import ServiceConfiguration

// A port of its own for metrics and health, which clients need not reach.
extension Service {
    /// nil: they are where everything is.
    static func serveOperator(
        _ opened: OpenedService, on listener: consuming FileDescriptor?
    ) throws(ServiceError) -> HTTPServer? {
        guard let listener else { return nil }
        var settings = ServerSettings()
        settings.connectionLimit = 64
        do throws(Errno) {
            return try HTTPServer.start(
                listener: listener, leavesBacklog: false, loopCount: 1, settings: settings, clock: opened.clock,
                statistics: ServerStatistics(), makeHandler: { _ in OperatorHandler(opened) })
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    /// A new socket, or that of the server to take over from, if it has one there; nil without such a port.
    static func operatorListener(
        _ configuration: Configuration, takingOver claim: HandoverClaim?, offering offered: ListeningSockets?
    ) throws(ServiceError) -> FileDescriptor? {
        guard let address = try metricsAddress(configuration) else { return nil }
        do throws(Errno) {
            if let claim {
                if let passed = claim.sockets.take(at: address) {
                    try offered?.append(duplicateOf: passed)
                    return passed
                }
            }
            let bound = try Listener.bind(address, backlog: 128)
            try offered?.append(duplicateOf: bound)
            return bound
        } catch {
            throw .metricsListen("\(address)", cause: "\(error)")
        }
    }

    /// nil without a port of its own.
    static func metricsAddress(_ configuration: Configuration) throws(ServiceError) -> SocketAddress? {
        guard let text = configuration.metricsListen else { return nil }
        guard let address = SocketAddress(text) else { throw .metricsListen(text, cause: "not an address") }
        return address
    }
}

/// Answers for `/metrics` and `/health` alone.
final class OperatorHandler: RequestHandler {
    private let handler: ServiceHandler

    init(_ service: OpenedService) { handler = ServiceHandler(service, loopIndex: 0) }

    func answer(_ request: Request, _ responder: Responder) -> Answer { handler.operatorAnswer(request, responder) }
    func answer(to failure: RequestFailure) -> Response { handler.operatorAnswer(to: failure) }

    func answer(to failure: RequestFailure, of request: RefusedRequest) -> Response {
        handler.operatorAnswer(to: failure, of: request)
    }
}

extension ServiceHandler {
    fileprivate func operatorAnswer(_ request: Request, _ responder: Responder) -> Answer {
        let endpoint = Endpoint(request.head.target)
        let policy = policy.policy
        let context = RequestContext(
            admission: AdmittedRequest(request), endpoint: endpoint, policy: policy, lines: policy.operators,
            responder: responder, service: service)
        guard [.metrics, .healthLive, .healthReady].contains(endpoint) else { return context.refused(.routeAbsent) }
        guard endpoint.takes(request.head.method) else {
            return context.refused(.methodNotAllowed(allow: endpoint.allow))
        }
        return endpoint.row.answer(self, context)
    }
}
