import HTTPMessage
import HTTPServer
import Renditions

// Answers to requests that the server turned away before the handler saw them, or whose answer did not come in time.
extension ServiceHandler {
    func answer(to failure: RequestFailure) -> Response {
        refusal(Problem(failure), policy.policy.standard, .unknown, requestID: nil)
    }

    func answer(to failure: RequestFailure, of request: RefusedRequest) -> Response {
        let policy = policy.policy
        let lines = request.head.map { policy.lines(for: $0) } ?? policy.standard
        // Only this one may be kept by a cache, for seconds, and only its request was understood.
        var vary = ""
        if failure == .answerTimedOut, let head = request.head { vary = self.vary(of: head, policy) }
        // What was turned away is counted with what it asked for, as far as that is known.
        let route = request.head.map { Endpoint($0.target) } ?? .unknown
        var response = refusal(Problem(failure), lines, route, requestID: request.id.text, vary: vary)
        if route.isResumable {
            response.ownFields.append(.tusResumable, literal: Tus.version)
        }
        return response
    }

    private func refusal(
        _ problem: Problem, _ lines: PolicyLines, _ route: Endpoint, requestID: String?, vary: String = ""
    ) -> Response {
        service.metrics.answered(route.route, problem.status)
        return ProblemReply.response(problem, lines, requestID: requestID, vary: vary)
    }

    /// What the answers to this head vary with, as its resource says it in time.
    private func vary(of head: RequestHead, _ policy: AnswerPolicy) -> String {
        let route = Endpoint(head.target)
        if route == .assetDescription || route == .assetPages { return CodedText.field }
        guard [.asset, .map, .mapDescription].contains(route) else { return "" }
        if let known = memo.entry(for: head, route: route.rawValue) { return known.rendition.vary }
        do throws(Problem) {
            switch try parse(head, route, policy.presets) {
            case .rendition(let rendition): return rendition.vary
            case .explanation(let explanation): return explanation.rendition.vary
            }
        } catch {
            return varyOfFaults(route)
        }
    }

    /// The same of what cannot be read. Which format would have been sent depends on `Accept`, so the error varies with it too.
    func varyOfFaults(_ route: Endpoint) -> String {
        switch route {
        case .map: "Accept"
        case .mapDescription: ""
        default: service.varied.vary(isFormatOpen: true)
        }
    }
}
