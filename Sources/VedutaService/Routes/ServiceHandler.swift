import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import Parameters
import Reactor
import Resources

/// Answers the requests of one loop: finds the resource, checks the method, and leaves the rest to the resource's file.
final class ServiceHandler: RequestHandler {
    private let service: ServiceParts
    private let assets: AssetRoute
    private let maps: MapRoute
    private var memo = PlanMemo()

    init(_ service: ServiceParts) {
        self.service = service
        self.assets = AssetRoute(service)
        self.maps = MapRoute(service)
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let target = request.head.target
        let route = Route(path: target.path)
        switch request.head.method {
        case .get, .head: break
        case .options where route != .unknown || target.form == .asterisk: return options(route)
        case .options, .other: return problem(.routeNotFound, request, route)
        case .trace, .connect: return problem(.methodNotAllowed(allow: Route.allow), request, route)
        case .post, .put, .delete, .patch:
            return problem(route == .unknown ? .routeNotFound : .methodNotAllowed(allow: Route.allow), request, route)
        }
        switch route {
        case .asset:
            return picture(request, responder, route) { items throws(Problem) in try assets.plan(items, request.head) }
        case .map:
            return picture(request, responder, route) { items throws(Problem) in try maps.plan(items, request.head) }
        case .healthLive: return text("alive\n", route)
        case .healthReady: return ready(request)
        case .openAPI: return fixed(Resources.openAPI, "application/yaml", route, request)
        case .metrics: return metrics()
        case .index: return index(request, responder)
        case .unknown: return problem(.routeNotFound, request, route)
        }
    }

    private func picture(
        _ request: Request, _ responder: Responder, _ route: Route,
        makePlan: ([QueryItem]) throws(Problem) -> PicturePlan
    ) -> Answer {
        do throws(Problem) {
            if let known = memo.entry(for: request.head, route) {
                let identity = known.identity(of: try known.plan.currentValidator(), make: service.delivery.identify)
                return service.delivery.deliver(known.plan, identity, to: request, responder)
            }
            let plan = try makePlan(try items(request))
            // Only requests for what exists are remembered: rubbish does not push them out.
            let identity = service.delivery.identify(plan, try plan.currentValidator())
            memo.insert(plan, identity, for: request.head, route)
            return service.delivery.deliver(plan, identity, to: request, responder)
        } catch {
            // Which format would have been sent depends on `Accept`, so the error varies with it too.
            let response = ProblemReply.response(
                error, to: request, route: route, isNegotiated: true, metrics: service.metrics, log: service.log)
            return .now(response)
        }
    }

    func answer(to failure: RequestFailure) -> Response {
        let problem = Problem(failure)
        service.metrics.answered(.unknown, problem.status)
        return ProblemReply.response(problem)
    }

    private func items(_ request: Request) throws(Problem) -> [QueryItem] {
        do {
            return try QueryItems.parse(request.head.target.query ?? "")
        } catch {
            throw Problem(error)
        }
    }

    private func problem(_ problem: Problem, _ request: Request, _ route: Route) -> Answer {
        .now(ProblemReply.response(problem, to: request, route: route, metrics: service.metrics, log: service.log))
    }

    private func options(_ route: Route) -> Answer {
        service.metrics.answered(route, .noContent)
        var fields = FieldLines()
        fields.append(.allow, Route.allow)
        return .now(Response(status: .noContent, fields: fields))
    }

    private func ready(_ request: Request) -> Answer {
        if let problem = service.readiness() { return self.problem(problem, request, .healthReady) }
        return text("ready\n", .healthReady)
    }

    private func metrics() -> Answer {
        let text = service.metrics.text(
            cache: service.delivery.cacheCounts, connections: service.statistics.openConnectionCount,
            load: service.workers.load)
        return self.text(text, .metrics, mediaType: "text/plain; version=0.0.4; charset=utf-8")
    }

    /// Listing the library reads folders, so it is a worker's job.
    private func index(_ request: Request, _ responder: Responder) -> Answer {
        let service = service
        let isAdmitted = service.workers.submit {
            let page = IndexPage.html(pictures: service.library?.list(limit: 6) ?? [], place: service.maps.place)
            responder.respond(Self.text(page, .index, "text/html; charset=utf-8", service.metrics))
        }
        return isAdmitted ? .later(onAbandon: {}) : problem(.overloaded, request, .index)
    }

    private func text(_ text: String, _ route: Route, mediaType: String = "text/plain; charset=utf-8") -> Answer {
        .now(Self.text(text, route, mediaType, service.metrics))
    }

    private static func text(_ text: String, _ route: Route, _ mediaType: String, _ metrics: ServiceMetrics) -> Response
    {
        metrics.answered(route, .ok)
        var fields = FieldLines()
        fields.append(.contentType, mediaType)
        fields.append(.cacheControl, literal: "no-store")
        fields.append(.xContentTypeOptions, literal: "nosniff")
        return Response(status: .ok, fields: fields, content: SharedBytes(Array(text.utf8)))
    }

    private func fixed(_ content: SharedBytes, _ mediaType: String, _ route: Route, _ request: Request) -> Answer {
        var fields = FieldLines()
        if let tag = service.openAPITag { fields.append(.entityTag, tag) }
        fields.append(.cacheControl, literal: "max-age=3600")
        fields.append(.xContentTypeOptions, literal: "nosniff")
        let validators = Validators(entityTag: service.openAPITag)
        let now = service.clock.unixSeconds()
        switch Preconditions.evaluate(request.head.method, request.head.fields, validators, now: now) {
        case .notModified:
            service.metrics.answered(route, .notModified)
            return .now(Response(status: .notModified, fields: fields))
        case .failed: return problem(.preconditionFailed, request, route)
        case .proceed:
            service.metrics.answered(route, .ok)
            fields.append(.contentType, mediaType)
            return .now(Response(status: .ok, fields: fields, content: content))
        }
    }
}
