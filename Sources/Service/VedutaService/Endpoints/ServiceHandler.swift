import AccessLogging
import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import ImagePlan
import MapSources
import Parameters
import Reactor
import ResponseCache
import ServiceConfiguration

/// Answers the requests of one loop: finds the resource, checks the method, and leaves the rest to the resource's file.
final class ServiceHandler: RequestHandler {
    let service: ServiceParts
    let assets: AssetPlanner
    let maps: MapPlanner
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
        self.assets = AssetPlanner(service)
        self.maps = MapPlanner(service)
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let endpoint = Endpoint(request.head.target)
        let policy = policy.policy
        if policy !== memoPolicy {
            // A preset may have become another one.
            memoPolicy = policy
            memo = PlanMemo(hints: service.varied.hintNames)
        }
        let lines = policy.lines(for: request.head)
        let method = endpoint.isResumable ? Tus.method(of: request.head) : request.head.method
        let isLoop = endpoint.isMap && service.maps.isLoop(request.head.fields)
        // Most requests are for pictures in memory: they need no context.
        if endpoint.hasMemo, method == .get || method == .head, !isLoop,
            let known = memo.entry(for: request.head, endpoint),
            let answer = service.delivery.usualAnswer(to: request, known, lines)
        {
            return answer
        }
        let context = RequestContext(
            request: request, endpoint: endpoint, policy: policy, lines: lines, responder: responder, service: service)
        guard endpoint.takes(method) else { return answer(context, toMissing: method) }
        return isLoop ? context.refused(.loop) : endpoint.row.answer(self, context)
    }

    /// The answer to a request with a method that its resource does not have, or has as all resources.
    private func answer(_ context: RequestContext, toMissing method: Method) -> Answer {
        let endpoint = context.endpoint
        switch method {
        case .options where endpoint != .unknown || context.head.target.form == .asterisk: return options(context)
        case .other where endpoint.isResumable, .trace, .connect:
            return context.refused(.methodNotAllowed(allow: endpoint.allow))
        case .options, .other: return context.refused(.routeNotFound)
        case .get, .head, .post, .put, .delete, .patch:
            return context.refused(endpoint == .unknown ? .routeNotFound : .methodNotAllowed(allow: endpoint.allow))
        }
    }

    func contentRule(for head: RequestHead) -> ContentRule? {
        let endpoint = Endpoint(head.target)
        guard endpoint.takes(endpoint.isResumable ? Tus.method(of: head) : head.method) else { return nil }
        switch endpoint.row.accepts {
        case .nothing, .token: return nil
        case .mapParameters: return head.method == .post ? maps.contentRule : nil
        case .file: return AssetsEndpoint.contentRule(head, policy.policy.writes, service.originals)
        case .resumableUpload:
            return ResumableUploadEndpoint.contentRule(
                head, endpoint, writes: policy.policy.writes, service: service)
        }
    }

    /// `/asset`, `/map` by GET and `/map.json`: pictures, and what queries of theirs ask for beside them.
    func picture(_ context: RequestContext) -> Answer {
        let (request, endpoint, delivery) = (context.request, context.endpoint, service.delivery)
        // What `answer` could not answer with.
        let known = memo.entry(for: request.head, endpoint)
        do throws(Problem) {
            let plan: PicturePlan
            if let known {
                plan = known.plan
            } else {
                switch try asked(request.head, endpoint, context.policy.presets) {
                case .picture(let asked): plan = delivery.plans.shared(asked)
                case .explanation(let explanation):
                    return delivery.explain(
                        explanation, request, policy: context.lines, responder: context.responder)
                }
            }
            let ask = PictureAsk(plan, context)
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
            return context.refused(error, vary: varyOfFaults(endpoint))
        }
    }

    /// `/assets/{id}`: what is known of an asset, and its changes.
    func asset(_ context: RequestContext) -> Answer {
        switch context.head.method {
        case .put: context.orProblem(AssetsEndpoint.replace)
        case .delete: context.orProblem(AssetsEndpoint.remove)
        default:
            described(context) { context throws(Problem) in
                try assets.descriptionPlan(
                    id: try DescribedPath.id(context.head.target),
                    takesGzip: AcceptEncoding.takesGzip(context.head.fields))
            }
        }
    }

    /// `/assets/{id}/pages`: what is known of some pages of an asset.
    func pages(_ context: RequestContext) -> Answer {
        described(context) { context throws(Problem) in
            try assets.pagesPlan(
                try PagesAsked(context.head.target), takesGzip: AcceptEncoding.takesGzip(context.head.fields))
        }
    }

    /// Delivers what `plan` says. The path holds the id, so the memo, which knows queries, is of no use.
    private func described(
        _ context: RequestContext, _ plan: (RequestContext) throws(Problem) -> PicturePlan
    ) -> Answer {
        context.orProblem { context throws(Problem) in
            let delivery = service.delivery
            return delivery.deliver(PictureAsk(delivery.plans.shared(try plan(context)), context), seen: nil).answer
        }
    }

    /// What a head that asks for a picture or a map asks for.
    func asked(_ head: RequestHead, _ endpoint: Endpoint, _ presets: PresetTable) throws(Problem) -> AssetPlanner.Asked
    {
        let items: [QueryItem]
        do {
            items = try QueryItems.parse(head.target.query ?? "")
        } catch {
            throw Problem(error)
        }
        switch endpoint {
        case .map: return .picture(try maps.plan(items, head))
        case .mapDescription: return .picture(try maps.descriptionPlan(items, head))
        default: return try assets.asked(items, head, presets)
        }
    }

    /// The methods that are right; to a preflight request of a script (Fetch §4.8), what it may send as well.
    private func options(_ context: RequestContext) -> Answer {
        var response = Response(status: .noContent, fields: FieldLines())
        response.fields.append(.allow, context.endpoint.allow)
        response.ownFields = context.lines.common
        let fields = context.head.fields
        if fields.contains(.origin), fields.contains(.accessControlRequestMethod) {
            response.ownFields.append(context.lines.preflight(for: context.endpoint))
        }
        if context.endpoint.isResumable, let resumable = service.resumable {
            Tus.appendAbilities(byteLimit: resumable.settings.byteLimit, to: &response.ownFields)
        }
        return .now(context.counted(response))
    }
}

// The log of requests.
extension ServiceHandler {
    var recordsExchanges: Bool { accessLog.isOn }

    func finished(_ exchange: Exchange) { accessLog.record(exchange, policy.policy.addresses.trustedProxies) }
}
