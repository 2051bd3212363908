import HTTPMessage
import HTTPServer

// Assets as resources: the list of all, and one of them.
extension ServiceHandler {
    func assets(
        _ request: Request, _ writes: WriteGuard, _ lines: PolicyLines, _ responder: Responder
    ) -> Answer {
        orProblem(request, lines, .assets) { () throws(Problem) in
            request.head.method == .post
                ? try library.create(request, writes, lines, responder)
                : try library.list(request, lines, responder)
        }
    }

    func asset(
        _ request: Request, _ writes: WriteGuard, _ lines: PolicyLines, _ responder: Responder
    ) -> Answer {
        switch request.head.method {
        case .put:
            orProblem(request, lines, .assetDescription) { () throws(Problem) in
                try library.replace(request, writes, lines, responder)
            }
        case .delete:
            orProblem(request, lines, .assetDescription) { () throws(Problem) in
                try library.remove(request, writes, lines, responder)
            }
        default: description(request, lines, responder)
        }
    }

    func orProblem(
        _ request: Request, _ lines: PolicyLines, _ route: Route, _ body: () throws(Problem) -> Answer
    ) -> Answer {
        do throws(Problem) { return try body() } catch { return problem(error, request, lines, route) }
    }

    /// What is known of one asset. The path holds the id, so the memo, which knows queries, is of no use.
    private func description(_ request: Request, _ lines: PolicyLines, _ responder: Responder) -> Answer {
        do throws(Problem) {
            let id = try DescribedPath.id(request.head.target)
            let plan = service.delivery.plans.shared(
                try assets.descriptionPlan(id: id, takesGzip: AcceptEncoding.takesGzip(request.head.fields)))
            return service.delivery.deliver(PictureAsk(plan, request, lines, responder), seen: nil).answer
        } catch {
            return problem(error, request, lines, .assetDescription)
        }
    }

    /// Some pages of one asset.
    func pages(_ request: Request, _ lines: PolicyLines, _ responder: Responder) -> Answer {
        orProblem(request, lines, .assetPages) { () throws(Problem) in
            let asked = try PagesAsked(request.head.target)
            let plan = service.delivery.plans.shared(
                try assets.pagesPlan(asked, takesGzip: AcceptEncoding.takesGzip(request.head.fields)))
            return service.delivery.deliver(PictureAsk(plan, request, lines, responder), seen: nil).answer
        }
    }
}
