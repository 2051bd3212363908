import AccessLogging
import AssetLibrary
import HTTPMessage
import HTTPServer
import Parameters
import Reactor
import Renditions
import ResponseCache

/// Answers the requests of one loop: finds the resource, checks the method, and leaves the rest to the endpoint.
final class ServiceHandler: RequestHandler {
    let service: OpenedService
    let assets: AssetEndpoint
    let maps: MapEndpoint
    let cards: CardEndpoint
    private let accessLog: AccessLogFeed
    // Touched on the loop's thread alone, by one request at a time.
    @exclusivity(unchecked) private(set) var memo: RenditionMemo
    @exclusivity(unchecked) var policy: PolicyReader
    /// The policy with the presets of the renditions in the memo.
    @exclusivity(unchecked) private var memoPolicy: AnswerPolicy
    /// The latest lines for answers that may not be kept as long as others.
    @exclusivity(unchecked) private var shortLines: (whole: PolicyLines, bound: KeepingBound, short: PolicyLines)?

    init(_ service: OpenedService, loopIndex: Int) {
        self.service = service
        self.accessLog = AccessLogFeed(service.accessLog, loopIndex: loopIndex, clock: service.clock)
        var policy = PolicyReader(service.policy)
        self.memoPolicy = policy.policy
        self.policy = policy
        self.memo = RenditionMemo(hints: service.varied.hintNames)
        self.assets = AssetEndpoint(
            originals: service.originals, options: service.renderOptions, varied: service.varied,
            qualities: service.qualities, masters: service.masters, regions: service.regions,
            rules: service.imageRules, images: service.images)
        self.maps = MapEndpoint(
            maps: service.maps, originals: service.originals, options: service.renderOptions, images: service.images)
        self.cards = CardEndpoint(
            cards: service.cards, originals: service.originals, options: service.renderOptions,
            masters: service.masters, images: service.images, maps: service.maps)
    }

    func answer(_ request: Request, _ responder: Responder) -> Answer {
        let endpoint = Endpoint(request.head.target)
        let policy = policy.policy
        let lines = policy.lines(for: request.head, to: endpoint)
        guard let rules = policy.access else {
            // Most requests are for renditions in memory, and need no context.
            if let response = hit(request, endpoint, by: policy, lines: lines) { return .now(response) }
            return answer(
                RequestContext(
                    admission: AdmittedRequest(request), endpoint: endpoint, policy: policy, lines: lines,
                    responder: responder, service: service))
        }
        let method = endpoint.isResumable ? Tus.method(of: request.head) : request.head.method
        let admitted = Result { () throws(EndpointError) in
            try rules.admit(request, to: endpoint, method, writes: policy.writes, now: service.clock.unixSeconds())
        }
        let admission = (try? admitted.get()) ?? AdmittedRequest(request)
        let context = RequestContext(
            admission: admission, endpoint: endpoint, policy: policy,
            lines: bounded(lines, by: admission.bound), responder: responder, service: service)
        if case .failure(let error) = admitted {
            return TextEndpoints.closedPage(error, context) ?? context.refused(error)
        }
        if let response = hit(context.request, endpoint, by: policy, lines: context.lines) { return .now(response) }
        return answer(context)
    }

    /// `lines` for answers that nobody may keep beyond `bound`.
    private func bounded(_ lines: PolicyLines, by bound: KeepingBound) -> PolicyLines {
        guard bound != .none else { return lines }
        if let known = shortLines, known.bound == bound, known.whole === lines { return known.short }
        let short = lines.bounded(by: bound)
        shortLines = (lines, bound, short)
        return short
    }

    /// The answer to a request whose rendition is in memory, as far as the memo knows.
    @inline(__always)
    private func hit(
        _ request: Request, _ endpoint: Endpoint, by policy: AnswerPolicy, lines: PolicyLines
    ) -> Response? {
        if policy !== memoPolicy {
            // A preset may have become another one.
            memoPolicy = policy
            memo = RenditionMemo(hints: service.varied.hintNames)
        }
        let head = request.head
        guard endpoint.hasMemo, head.method.isRead,
            !(endpoint.isMap && service.maps.isLoop(head.fields)),
            let known = memo.entry(for: head, route: endpoint.rawValue)
        else { return nil }
        return cached(known, request, lines)
    }

    private func answer(_ context: RequestContext) -> Answer {
        let endpoint = context.endpoint
        let method = endpoint.isResumable ? Tus.method(of: context.head) : context.head.method
        guard endpoint.takes(method) else { return answer(context, toMissing: method) }
        if endpoint.isMap, service.maps.isLoop(context.head.fields) { return context.refused(.loop) }
        return endpoint.row.answer(self, context)
    }

    /// The answer to a plain request whose rendition is in memory and whose source was observed lately enough;
    /// otherwise `RenditionService.deliver` finds it.
    private func cached(_ known: RenditionMemo.Entry, _ request: Request, _ policy: PolicyLines) -> Response? {
        let (fields, cache) = (request.head.fields, service.renditions.cache.tiers)
        guard !fields.mayHaveCacheDirectives, let state = known.current(at: request.arrived, cache.ledger) else {
            return nil
        }
        let rendition = known.rendition
        let lines = policy.renditions(rendition.kind)
        guard lines.policy.mayBeUsedUnobserved, !state.identity.isFallback else { return nil }
        if fields.mayBeConditional {
            switch service.renditions.precondition(state.identity, request) {
            case .proceed: break
            case .notModified:
                service.metrics.answeredAtOnce(rendition.route, .notModified)
                return RenditionResponses(service: service, lines: policy).notModified(state, to: request, lines)
            case .failed: return nil
            }
        }
        let key = state.identity.key
        guard let kept = cache.response(for: key).map({ KeptAnswer($0) }) ?? cache.openEntry(for: key) else {
            return nil
        }
        service.metrics.renditions.hit(kept)
        let ownFields = lines.hit(age: state.age(at: request.arrived))
        if fields.contains(.range) {
            let part = RenditionResponses(service: service, lines: policy).rendition(
                kept, ownFields, to: request, rendition)
            service.metrics.answeredAtOnce(rendition.route, part.status)
            return part
        }
        service.metrics.answeredAtOnce(rendition.route, Status(code: kept.response.status))
        return RenditionResponses.whole(kept, ownFields)
    }

    /// The answer to a method that the resource does not have, or to OPTIONS.
    private func answer(_ context: RequestContext, toMissing method: Method) -> Answer {
        let endpoint = context.endpoint
        switch method {
        case .options where endpoint != .unknown || context.head.target.form == .asterisk: return options(context)
        case .other where endpoint.isResumable, .trace, .connect:
            return context.refused(.methodNotAllowed(allow: endpoint.allow))
        case .options, .other: return context.refused(.routeAbsent)
        case .get, .head, .post, .put, .delete, .patch:
            return context.refused(endpoint == .unknown ? .routeAbsent : .methodNotAllowed(allow: endpoint.allow))
        }
    }

    func contentRule(for head: RequestHead, from peer: SocketAddress?) -> ContentRule? {
        let endpoint = Endpoint(head.target)
        guard endpoint.takes(endpoint.isResumable ? Tus.method(of: head) : head.method) else { return nil }
        if endpoint.row.accepts == .file || endpoint.row.accepts == .resumableUpload,
            let draft = DraftUploadRequest(head)
        {
            let rule = DraftUploadService.contentRule(
                draft, head, endpoint, writes: policy.policy.writes, service: service)
            if rule != nil || endpoint.isResumable { return rule }
        }
        switch endpoint.row.accepts {
        case .nothing, .token: return nil
        case .parameters:
            let isTaken = policy.policy.access?.takesContent(of: head, to: endpoint, policy.policy.writes) ?? true
            guard head.method == .post, isTaken else { return nil }
            // Its signature cannot be checked yet, so it has no other name than its address.
            let client = ClientNetwork(peer, head.fields, policy.policy.addresses.trustedProxies)
            return endpoint == .map ? maps.contentRule(of: client) : cards.contentRule(of: client)
        case .file: return AssetsEndpoint.contentRule(head, policy.policy.writes, service.originals)
        case .point: return FocalPointContent.rule(head, policy.policy.writes)
        case .resumableUpload:
            return ResumableUploadService.contentRule(head, endpoint, writes: policy.policy.writes, service: service)
        }
    }

    /// `/asset`, what `/map` and `/poll` have by GET, `/map.json` and `/poll.json`.
    func rendition(_ context: RequestContext) -> Answer {
        let (request, endpoint, renditions) = (context.request, context.endpoint, service.renditions)
        let known = memo.entry(for: request.head, route: endpoint.rawValue)
        do throws(EndpointError) {
            let rendition: Rendition
            if let known {
                rendition = known.rendition
            } else {
                switch try parse(request.head, endpoint, context.policy, refusing: context.admission.refused) {
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
            } else if VariedFields.memoKnows(rendition.vary), !context.admission.hasToken {
                // What the token allows is not for the next one.
                memo.insert(rendition, state, unwatched: unwatched, for: request.head)
            }
            return reply.answer
        } catch {
            return context.refused(context.explained(error), vary: varyOfFaults(endpoint))
        }
    }

    /// `/srcset`. Signed answers have signed addresses, so no memo knows them by the query alone.
    func srcset(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(EndpointError) in
            let asked = try assets.srcset(
                try context.queryItems(), context.policy.presets, signer: context.admission.signer)
            let rendition = try assets.srcset(
                asked, context.admission, takesGzip: AcceptEncoding.takesGzip(context.head.fields))
            let (service, admission, policy) = (context.service, context.admission, context.policy)
            return context.deliver(rendition) { [assets] request in
                assets.prepare(
                    asked, for: request, by: service.renditions, bill: service.budgets.bill(admission, policy))
            }
        }
    }

    /// `/assets/{id}`.
    func asset(_ context: RequestContext) -> Answer {
        switch context.head.method {
        case .put: context.orProblem(AssetsEndpoint.replace)
        case .delete: context.orProblem(AssetsEndpoint.remove)
        default:
            context.orProblem { context throws(EndpointError) in
                context.deliver(
                    try assets.description(
                        id: try DescribedPath.id(context.head.target),
                        takesGzip: AcceptEncoding.takesGzip(context.head.fields)))
            }
        }
    }

    /// `/assets/{id}/pages`.
    func pages(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(EndpointError) in
            context.deliver(
                try assets.pages(
                    try PagesRequest(context.head.target), takesGzip: AcceptEncoding.takesGzip(context.head.fields)))
        }
    }

    /// `/view`.
    func view(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(EndpointError) in
            let view = try context.parameters(ViewRequest.table) { ViewRequest(&$0) }
            if view.isDocument, context.policy.access?.tellsFactsToAll ?? true {
                return context.deliver(try assets.view(view, takesGzip: AcceptEncoding.takesGzip(context.head.fields)))
            }
            return .now(context.counted(context.page(ViewPage.html(view), .onLoop, caching: .revalidated)))
        }
    }

    func parse(
        _ head: RequestHead, _ endpoint: Endpoint, _ policy: AnswerPolicy, refusing refused: Set<Restricted> = []
    ) throws(EndpointError) -> AssetEndpoint.Target {
        let items: [QueryItem]
        do { items = try QueryItems.parse(head.target.query ?? "") } catch { throw .parameters(error) }
        switch endpoint {
        case .map: return .rendition(try maps.rendition(items, head))
        case .mapDescription: return .rendition(try maps.description(items, head))
        case .avatar: return try cards.avatar(items, head, refusing: refused)
        case .poll: return try cards.poll(items, head, refusing: refused)
        case .card: return try cards.card(items, head, policy.templates, refusing: refused)
        case .pollDescription: return .rendition(try cards.description(items, head))
        default: return try assets.parse(items, head, policy.presets, refusing: refused)
        }
    }

    /// The allowed methods; to a preflight request (Fetch §4.8), what a script may send as well.
    private func options(_ context: RequestContext) -> Answer {
        var response = Response(status: .noContent, fields: FieldLines())
        response.fields.append(.allow, context.endpoint.allow)
        response.fields.append(.xContentTypeOptions, literal: "nosniff")
        response.ownFields = context.lines.common
        let fields = context.head.fields
        if fields.contains(.origin), fields.contains(.accessControlRequestMethod) {
            response.ownFields.append(context.lines.preflight(for: context.endpoint))
        }
        if context.endpoint.isResumable, let resumable = service.resumable {
            Tus.appendAbilities(byteLimit: resumable.settings.byteLimit, to: &response.ownFields)
        }
        if [.uploads, .assets].contains(context.endpoint), let resumable = service.resumable {
            DraftUploadRequest.appendAbilities(byteLimit: resumable.settings.byteLimit, to: &response.ownFields)
        }
        return .now(context.counted(response))
    }
}

extension ServiceHandler {
    var recordsExchanges: Bool { accessLog.isOn }
    var isShortOfMemory: Bool { service.renditions.cache.tiers.results.isFull }
    func finished(_ exchange: Exchange) { accessLog.record(exchange, policy.policy.addresses.trustedProxies) }
}
