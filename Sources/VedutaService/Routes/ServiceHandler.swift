import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import ImagePlan
import MapSources
import Parameters
import Reactor
import ResponseCache

/// Answers the requests of one loop: finds the resource, checks the method, and leaves the rest to the resource's file.
final class ServiceHandler: RequestHandler {
    let service: ServiceParts
    let assets: AssetRoute
    let maps: MapRoute
    private let cache: CacheRoute
    let library: AssetsRoute
    private let originals: OriginalRoute
    private let tus: TusRoute
    private let accessLog: AccessLogFeed
    // Touched on the loop's thread alone, by one request at a time.
    @exclusivity(unchecked) private(set) var memo: PlanMemo
    @exclusivity(unchecked) var policy: PolicyReader
    /// The policy whose presets the plans of the memo were read with.
    @exclusivity(unchecked) private var memoPolicy: AnswerPolicy

    init(_ service: ServiceParts, loopIndex: Int) {
        self.service = service
        self.accessLog = AccessLogFeed(service.accessLog, loopIndex: loopIndex, clock: service.clock)
        var policy = PolicyReader(service.policy)
        self.memoPolicy = policy.policy
        self.policy = policy
        self.memo = PlanMemo(hints: service.varied.hintNames)
        self.assets = AssetRoute(service)
        self.maps = MapRoute(service)
        self.cache = CacheRoute(service)
        self.library = AssetsRoute(service)
        self.originals = OriginalRoute(service)
        self.tus = TusRoute(service)
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let target = request.head.target
        let route = Route(target)
        let policy = policy.policy
        if policy !== memoPolicy {
            // A preset may have become another one.
            memoPolicy = policy
            memo = PlanMemo(hints: service.varied.hintNames)
        }
        let lines = policy.lines(for: request.head)
        switch route.isResumable ? Tus.method(of: request.head) : request.head.method {
        case let method where route.takes(method): break
        case .options where route != .unknown || target.form == .asterisk: return options(request, lines, route)
        case .other where route.isResumable, .trace, .connect:
            return problem(.methodNotAllowed(allow: route.allow), request, lines, route)
        case .options, .other: return problem(.routeNotFound, request, lines, route)
        case .get, .head, .post, .put, .delete, .patch:
            return problem(
                route == .unknown ? .routeNotFound : .methodNotAllowed(allow: route.allow), request, lines, route)
        }
        if route.isMap, service.maps.isLoop(request.head.fields) {
            return problem(.loop, request, lines, route)
        }
        switch route {
        case .map where request.head.method == .post: return postedMap(request, lines, responder)
        case .asset, .map, .mapDescription: return picture(request, lines, responder, route, policy.presets)
        case .tiles, .data, .wmts:
            return orProblem(request, lines, route) { () throws(Problem) in
                switch route {
                case .tiles: try tiles(request, lines, responder)
                case .data: try data(request, lines, responder)
                default: try wmts(request, lines, responder)
                }
            }
        case .assets: return assets(request, policy.writes, lines, responder)
        case .assetDescription: return asset(request, policy.writes, lines, responder)
        case .assetPages: return pages(request, lines, responder)
        case .original:
            return orProblem(request, lines, route) { () throws(Problem) in
                try originals.answer(request, lines, responder)
            }
        case .cache: return purge(request, lines, responder)
        case .uploads, .upload: return tus.answer(request, route, policy.writes, lines, responder)
        case .healthLive: return text("alive\n", lines, route)
        case .healthReady: return ready(request, lines)
        case .openAPI: return fixed(service.openAPI, "application/yaml", lines, route, request)
        case .metrics: return metrics(lines)
        case .index: return index(request, lines, responder)
        case .unknown: return problem(.routeNotFound, request, lines, route)
        }
    }

    func contentRule(for head: RequestHead) -> ContentRule? {
        let route = Route(head.target)
        if route == .map { return head.method == .post ? maps.contentRule : nil }
        guard route.isResumable else { return library.contentRule(route, head, policy.policy.writes) }
        guard route.takes(Tus.method(of: head)) else { return nil }
        return tus.contentRule(for: head, route, policy.policy.writes)
    }

    private func picture(
        _ request: Request, _ lines: PolicyLines, _ responder: Responder, _ route: Route, _ presets: PresetTable
    ) -> Answer {
        let delivery = service.delivery
        let known = memo.entry(for: request.head, route)
        if let known, let answer = delivery.usualAnswer(to: request, known, lines) { return answer }
        do throws(Problem) {
            let plan: PicturePlan
            if let known {
                plan = known.plan
            } else {
                switch try asked(request.head, route, presets) {
                case .picture(let asked): plan = delivery.plans.shared(asked)
                case .explanation(let explanation):
                    return delivery.explain(explanation, request, lines, responder)
                }
            }
            let ask = PictureAsk(plan, request, lines, responder)
            let reply = delivery.deliver(ask, seen: known?.sighting)
            // Only requests for what exists are remembered: rubbish does not push them out.
            guard let sighting = reply.sighting else { return reply.answer }
            let unwatched = ask.lines.unwatched(from: sighting.at)
            if let known {
                known.saw(sighting, unwatched: unwatched)
            } else if plan.isKnownByMemo {
                memo.insert(plan, sighting, unwatched: unwatched, for: request.head)
            }
            return reply.answer
        } catch {
            let response = ProblemReply.response(
                error, to: request, lines, route: route, vary: varyOfFaults(route), metrics: service.metrics,
                log: service.log)
            return .now(response)
        }
    }

    private func purge(_ request: Request, _ lines: PolicyLines, _ responder: Responder) -> Answer {
        do throws(Problem) {
            return try cache.purge(request, policy.policy.writes, lines, responder)
        } catch {
            return problem(error, request, lines, .cache)
        }
    }

    /// What a head that asks for a picture or a map asks for.
    func asked(_ head: RequestHead, _ route: Route, _ presets: PresetTable) throws(Problem) -> AssetRoute.Asked {
        let items: [QueryItem]
        do {
            items = try QueryItems.parse(head.target.query ?? "")
        } catch {
            throw Problem(error)
        }
        switch route {
        case .map: return .picture(try maps.plan(items, head))
        case .mapDescription: return .picture(try maps.descriptionPlan(items, head))
        default: return try assets.asked(items, head, presets)
        }
    }

    func problem(_ problem: Problem, _ request: Request, _ lines: PolicyLines, _ route: Route) -> Answer {
        guard !route.isResumable else {
            return .now(TusReply(service: service, request: request, lines: lines, route: route).answer(problem))
        }
        return .now(
            ProblemReply.response(
                problem, to: request, lines, route: route, metrics: service.metrics, log: service.log))
    }

    /// The methods that are right; to a preflight request of a script (Fetch §4.8), what it may send as well.
    private func options(_ request: Request, _ lines: PolicyLines, _ route: Route) -> Answer {
        service.metrics.answered(route, .noContent)
        var response = Response(status: .noContent, fields: FieldLines())
        response.fields.append(.allow, route.allow)
        response.ownFields = lines.common
        let fields = request.head.fields
        if fields.contains(.origin), fields.contains(.accessControlRequestMethod) {
            response.ownFields.append(lines.preflight(for: route))
        }
        if route.isResumable, let resumable = service.resumable {
            Tus.appendAbilities(byteLimit: resumable.settings.byteLimit, to: &response.ownFields)
        }
        return .now(response)
    }

    private func ready(_ request: Request, _ lines: PolicyLines) -> Answer {
        if let problem = service.readiness() { return self.problem(problem, request, lines, .healthReady) }
        return text("ready\n", lines, .healthReady)
    }

    private func metrics(_ lines: PolicyLines) -> Answer {
        let text = service.metrics.text(
            memory: service.delivery.cache.memoryCounts, disk: service.delivery.cache.diskCounts,
            connections: service.statistics.openConnectionCount,
            load: service.workers.load)
        return self.text(text, lines, .metrics, mediaType: "text/plain; version=0.0.4; charset=utf-8")
    }

    /// Listing the library reads folders, so it is a worker's job.
    private func index(_ request: Request, _ lines: PolicyLines, _ responder: Responder) -> Answer {
        let service = service
        let isAdmitted = service.workers.submit {
            let page = IndexPage.html(
                pictures: service.originals.library?.list(limit: 6) ?? [], place: service.maps.place)
            let text = CodedText(page, for: request.head)
            responder.respond(Self.text(text, lines, .index, "text/html; charset=utf-8", service.metrics))
        }
        return isAdmitted ? .later(onAbandon: {}) : problem(.overloaded, request, lines, .index)
    }

    private func text(
        _ text: String, _ lines: PolicyLines, _ route: Route, mediaType: String = "text/plain; charset=utf-8"
    ) -> Answer {
        .now(Self.text(CodedText(text, gzip: false), lines, route, mediaType, service.metrics))
    }

    private static func text(
        _ text: CodedText, _ lines: PolicyLines, _ route: Route, _ mediaType: String, _ metrics: ServiceMetrics
    ) -> Response {
        metrics.answered(route, .ok)
        var fields = FieldLines()
        if route == .index { text.append(to: &fields) }
        fields.append(.contentType, mediaType)
        fields.append(.cacheControl, literal: "no-store")
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(lines.common)
        return Response(status: .ok, fields: fields, content: text.content)
    }

    private func fixed(
        _ fixed: FixedText, _ mediaType: String, _ lines: PolicyLines, _ route: Route, _ request: Request
    ) -> Answer {
        let (text, tag) = fixed.coded(for: request.head)
        var fields = FieldLines()
        if let tag { fields.append(.entityTag, tag) }
        text.appendVary(to: &fields)
        fields.append(.cacheControl, literal: "max-age=3600")
        fields.append(.xContentTypeOptions, literal: "nosniff")
        fields.append(lines.common)
        let validators = Validators(entityTag: tag)
        let now = service.clock.unixSeconds()
        switch Preconditions.evaluate(request.head.method, request.head.fields, validators, now: now) {
        case .notModified:
            service.metrics.answered(route, .notModified)
            return .now(Response(status: .notModified, fields: fields))
        case .failed: return problem(.preconditionFailed, request, lines, route)
        case .proceed:
            fields.append(.contentType, mediaType)
            text.appendCoding(to: &fields)
            fields.append(.acceptRanges, literal: "bytes")
            var response = Response(status: .ok, fields: fields, content: text.content)
            do throws(Problem) {
                try response.cut(for: request, validators, now: now)
            } catch {
                return problem(error, request, lines, route)
            }
            service.metrics.answered(route, response.status)
            return .now(response)
        }
    }
}

// The log of requests.
extension ServiceHandler {
    var recordsExchanges: Bool { accessLog.isOn }

    func finished(_ exchange: Exchange) { accessLog.record(exchange, policy.policy.addresses.trustedProxies) }
}
