import HTTPMessage
import HTTPServer
import Reactor
import Renditions

// Answers to requests that the server turned away, or that were not answered in time.
extension ServiceHandler {
    func answer(to failure: RequestFailure) -> Response { refusal(Problem(failure), policy.policy.standard, .unknown) }

    func answer(to failure: RequestFailure, of request: RefusedRequest) -> Response {
        let policy = policy.policy
        let lines = request.head.map { policy.lines(for: $0, to: Endpoint($0.target)) } ?? policy.standard
        // Only this one may be cached, for seconds, and only its request was understood.
        var vary = ""
        if failure == .answerTimedOut, let head = request.head { vary = self.vary(of: head, policy) }
        // Counted with the endpoint, if that is known.
        let route = request.head.map { Endpoint($0.target) } ?? .unknown
        var response = refusal(Problem(failure), lines, route, of: request, vary: vary)
        if route.isResumable { response.ownFields.append(.tusResumable, literal: Tus.version) }
        return response
    }

    /// The same on the port of operators.
    func operatorAnswer(to failure: RequestFailure, of request: RefusedRequest? = nil) -> Response {
        let route = request?.head.map { Endpoint($0.target) } ?? .unknown
        return refusal(Problem(failure), policy.policy.operators, route, of: request)
    }

    private func refusal(
        _ problem: Problem, _ lines: PolicyLines, _ route: Endpoint, of request: RefusedRequest? = nil,
        vary: String = ""
    ) -> Response {
        let duration = request?.arrived.map { service.clock.monotonic() - $0 }
        service.metrics.answered(route.route, problem.status, after: duration)
        return ProblemReply.response(problem, lines, requestID: request?.id.text, vary: vary)
    }

    /// The value of `Vary`, as the resource itself would tell it.
    private func vary(of head: RequestHead, _ policy: AnswerPolicy) -> String {
        let route = Endpoint(head.target)
        if route == .assetDescription || route == .assetPages { return CodedText.field }
        guard route.hasMemo else { return "" }
        if let known = memo.entry(for: head, route: route.rawValue) { return known.rendition.vary }
        do throws(EndpointError) {
            switch try parse(head, route, policy) {
            case .rendition(let rendition): return rendition.vary
            case .explanation(let explanation): return explanation.rendition.vary
            }
        } catch {
            return varyOfFaults(route)
        }
    }

    /// The same where the request has faults. The format would depend on `Accept`, so the error varies with it too.
    func varyOfFaults(_ route: Endpoint) -> String {
        switch route {
        case .map, .poll, .avatar, .card: "Accept"
        case .mapDescription, .pollDescription, .srcset: ""
        default: service.varied.vary(isFormatOpen: true)
        }
    }
}
