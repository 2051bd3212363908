import AccessLogging
import AssetLibrary
import Bytes
import HTTPMessage
import HTTPServer
import ImagePlan
import MapSources
import Parameters
import Reactor
import Renditions
import ResponseCache
import ServiceConfiguration

/// Answers the requests of one loop: finds the resource, checks the method, and leaves the rest to the resource's file.
final class ServiceHandler: RequestHandler {
    let service: ServiceParts
    let assets: AssetEndpoint
    let maps: MapEndpoint
    private let accessLog: AccessLogFeed
    // Touched on the loop's thread alone, by one request at a time.
    @exclusivity(unchecked) private(set) var memo: RenditionMemo
    @exclusivity(unchecked) var policy: PolicyReader
    /// The policy whose presets the renditions of the memo were read with.
    @exclusivity(unchecked) private var memoPolicy: AnswerPolicy

    init(_ service: ServiceParts, loopIndex: Int) {
        self.service = service
        self.accessLog = AccessLogFeed(service.accessLog, loopIndex: loopIndex, clock: service.clock)
        var policy = PolicyReader(service.policy)
        self.memoPolicy = policy.policy
        self.policy = policy
        self.memo = RenditionMemo(hints: service.varied.hintNames)
        self.assets = AssetEndpoint(service)
        self.maps = MapEndpoint(service)
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let endpoint = Endpoint(request.head.target)
        let policy = policy.policy
        if policy !== memoPolicy {
            // A preset may have become another one.
            memoPolicy = policy
            memo = RenditionMemo(hints: service.varied.hintNames)
        }
        let lines = policy.lines(for: request.head)
        let method = endpoint.isResumable ? Tus.method(of: request.head) : request.head.method
        let isLoop = endpoint.isMap && service.maps.isLoop(request.head.fields)
        // Most requests are for renditions in memory: they need no context.
        if endpoint.hasMemo, method == .get || method == .head, !isLoop,
            let known = memo.entry(for: request.head, route: endpoint.rawValue),
            let response = cached(known, request, lines)
        {
            return .now(response)
        }
        let context = RequestContext(
            request: request, endpoint: endpoint, policy: policy, lines: lines, responder: responder, service: service)
        guard endpoint.takes(method) else { return answer(context, toMissing: method) }
        return isLoop ? context.refused(.loop) : endpoint.row.answer(self, context)
    }

    /// The answer to a request that asks for nothing special, if it is in memory and what is known of its source will do;
    /// nil: `RenditionService.deliver` finds it.
    private func cached(_ known: RenditionMemo.Entry, _ request: Request, _ policy: PolicyLines) -> Response? {
        let (fields, cache) = (request.head.fields, service.renditions.cache.tiers)
        guard !fields.mayHaveCacheDirectives, known.isCurrent(at: request.arrived, cache.ledger) else { return nil }
        let (rendition, state) = (known.rendition, known.state)
        let lines = policy.renditions(rendition.kind)
        guard lines.policy.mayBeUsedUnobserved, !state.identity.isFallback else { return nil }
        if fields.mayBeConditional {
            switch service.renditions.precondition(state.identity, request) {
            case .proceed: break
            case .notModified:
                return RenditionResponses(service: service, lines: policy)
                    .notModified(state, rendition, to: request, lines)
            case .failed: return nil
            }
        }
        guard let stored = cache.response(for: state.identity.key) else { return nil }
        service.metrics.renditions.memoryHit(stored)
        let ownFields = lines.hit(age: state.age(at: request.arrived))
        if fields.contains(.range) {
            return RenditionResponses(service: service, lines: policy)
                .rendition(KeptAnswer(stored), ownFields, to: request, rendition)
        }
        var response = RenditionResponses.whole(stored)
        response.ownFields = ownFields
        service.metrics.answered(rendition.route, response.status)
        return response
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

    /// `/asset`, `/map` by GET and `/map.json`.
    func rendition(_ context: RequestContext) -> Answer {
        let (request, endpoint, renditions) = (context.request, context.endpoint, service.renditions)
        // What `answer` could not answer with.
        let known = memo.entry(for: request.head, route: endpoint.rawValue)
        do throws(Problem) {
            let rendition: Rendition
            if let known {
                rendition = known.rendition
            } else {
                switch try parse(request.head, endpoint, context.policy.presets) {
                case .rendition(let parsed): rendition = renditions.table.shared(parsed)
                case .explanation(let explanation): return explanation.answer(context)
                }
            }
            let asked = context.renditionRequest(rendition)
            let reply = renditions.deliver(asked, knowing: known?.state)
            // Only requests for what exists are remembered: rubbish does not push them out.
            guard let state = reply.state else { return reply.answer }
            let unwatched = asked.policy.unwatched(from: state.observedAt)
            if let known {
                known.observed(state, unwatched: unwatched)
            } else if VariedFields.memoKnows(rendition.vary) {
                memo.insert(rendition, state, unwatched: unwatched, for: request.head)
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
            context.orProblem { context throws(Problem) in
                context.deliver(
                    try assets.description(
                        id: try DescribedPath.id(context.head.target),
                        takesGzip: AcceptEncoding.takesGzip(context.head.fields)))
            }
        }
    }

    /// `/assets/{id}/pages`: what is known of some pages of an asset.
    func pages(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(Problem) in
            context.deliver(
                try assets.pages(
                    try PagesRequest(context.head.target), takesGzip: AcceptEncoding.takesGzip(context.head.fields)))
        }
    }

    /// What a head that asks for an image or a map asks for.
    func parse(
        _ head: RequestHead, _ endpoint: Endpoint, _ presets: PresetTable
    ) throws(Problem) -> AssetEndpoint.Target {
        let items: [QueryItem]
        do {
            items = try QueryItems.parse(head.target.query ?? "")
        } catch {
            throw Problem(error)
        }
        switch endpoint {
        case .map: return .rendition(try maps.rendition(items, head))
        case .mapDescription: return .rendition(try maps.description(items, head))
        default: return try assets.parse(items, head, presets)
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
