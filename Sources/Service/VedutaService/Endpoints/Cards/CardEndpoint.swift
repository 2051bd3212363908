import Bytes
import CardGrammar
import CardPlan
import Cards
import Reactor
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Parameters
import Raster
import Renditions
import ResponseCache

/// `/poll` and `/poll.json`, a poll and where its options are, `/avatar` and `/card`.
struct CardEndpoint {
    /// Of a POST of `client`.
    func contentRule(of client: ClientNetwork?) -> ContentRule {
        ContentRule(
            byteLimit: PollRequest.bodyByteLimit, mediaTypes: ["application/json"],
            memory: cards.contentMemory.share(of: client))
    }

    let cards: CardService
    let originals: Originals
    let options: RenderOptions
    let masters: MasterStore?
    let images: ImageProcessor
    let maps: MapService

    /// The poll that a query asks for, in the negotiated format, or how it comes about.
    func poll(
        _ items: [QueryItem], _ head: RequestHead, refusing refused: Set<Restricted>
    ) throws(EndpointError) -> AssetEndpoint.Target {
        var asked = try spelled(try parse(items, for: .picture))
        let isExplained = asked.isExplained
        asked.isExplained = false
        let (rendition, renderer) = rendition(of: asked, head)
        return try target(rendition, isExplained: isExplained, refusing: refused, renderer.draw)
    }

    /// `rendition`, or how it comes about where that is asked for, and for this client.
    func target(
        _ rendition: Rendition, isExplained: Bool, refusing refused: Set<Restricted>,
        _ draw: @escaping @Sendable (RenderJob) throws(RenditionError) -> DrawnCard
    ) throws(EndpointError) -> AssetEndpoint.Target {
        guard isExplained else { return .rendition(rendition) }
        if refused.contains(.explain) { throw .disabled(.explain) }
        return .explanation(
            Explanation(rendition: rendition) { job throws(RenditionError) in Explained(try draw(job)) })
    }

    /// - Throws: for content that asks how an image comes about.
    func checkDraws(_ isExplained: Bool) throws(EndpointError) {
        guard isExplained else { return }
        throw .fault("explain", "1", allowed: "left out: only GET tells how an image comes about")
    }

    /// The poll that the content of a POST asks for, and the address at which GET has it, if it fits one.
    func posted(_ request: Request) throws(EndpointError) -> PostedRendition {
        let body = try PostedRendition.bytes(of: request)
        let asked: PollRequest
        do throws(ParameterFaults) {
            asked = try PollRequest.parse(try PollRequest.items(ofBody: body))
        } catch {
            throw .parameters(error)
        }
        try checkDraws(asked.isExplained)
        let spelled = try spelled(asked)
        return PostedRendition(
            rendition(of: spelled, request.head).0, path: "/poll",
            query: asked.canonical(byteLimit: PostedRendition.locationLimit))
    }

    func description(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        let asked = try spelled(try parse(items, for: .positions))
        let takesGzip = AcceptEncoding.takesGzip(head.fields)
        let data = PollData(request: asked, cards: cards, originals: originals)
        return Rendition(
            Endpoint.pollDescription.route, kind(of: asked), data,
            renderer: PollDescriber(data: data, takesGzip: takesGzip), fingerprint: .service,
            canonical: asked.canonical, variant: CodedText.variant(takesGzip), vary: CodedText.field,
            mediaTypes: ["application/json"], tag: CacheTag(card: Endpoint.poll.label, asked.canonical),
            overlayIDs: [asked.dataID].compactMap(\.self), takesGzip: takesGzip)
    }

    /// With the one spelling of the id in `data`.
    private func spelled(_ request: PollRequest) throws(EndpointError) -> PollRequest {
        guard let id = request.dataID else { return request }
        var spelled = request
        do throws(OriginalError) {
            spelled.dataID = try originals.canonicalID(id)
            return spelled
        } catch {
            guard let fault = ParameterFault(error, of: "data") else { throw .original(error) }
            throw .parameters(ParameterFaults([fault]))
        }
    }

    private func kind(of request: PollRequest) -> RenditionKind { request.dataID == nil ? .asset : .live }

    private func parse(_ items: [QueryItem], for purpose: PollRequest.Purpose) throws(EndpointError) -> PollRequest {
        do { return try PollRequest.parse(items, for: purpose) } catch { throw .parameters(error) }
    }

    private func rendition(of asked: PollRequest, _ head: RequestHead) -> (Rendition, PollRenderer) {
        let request = asked.themed(prefersDark: VariedFields.prefersDark(head))
        let output = request.encoding.outputFormat(head.fields)
        let data = PollData(request: request, cards: cards, originals: originals)
        let renderer = PollRenderer(data: data, output: output)
        let rendition = Rendition(
            Endpoint.poll.route, kind(of: asked), data, renderer: renderer, fingerprint: .service,
            canonical: request.canonical, resource: asked.theme == .auto ? asked.canonical : nil,
            variant: output.rawValue, vary: request.encoding.vary(isThemed: asked.theme == .auto),
            mediaTypes: [output.mediaType], tag: CacheTag(card: Endpoint.poll.label, request.canonical),
            overlayIDs: [asked.dataID].compactMap(\.self))
        return (rendition, renderer)
    }
}

/// Draws one poll.
struct PollRenderer: RenditionRenderer {
    let data: PollData
    let output: OutputFormat

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent { try draw(job).content }

    @Sendable func draw(_ job: RenderJob) throws(RenditionError) -> DrawnCard {
        let (request, validator) = try data.read()
        let cards = data.cards
        try job.check(request.layoutCost)
        let typesetter = cards.typesetter()
        let started = ContinuousClock.now
        let scene = PollLayout(request, typesetter).scene
        let laidOut = ContinuousClock.now
        let price = scene.predictedCost(at: request.scale, request.encoding, as: output).following(request.layoutCost)
        try job.check(price)
        let drawn = try cards.draw(scene, scale: request.scale, typesetter, job)
        let drawing = ContinuousClock.now - laidOut
        let size = scene.size(at: request.scale)
        let encoded = try request.encoding.encode(drawn.pixels, size, scale: request.scale, as: output, job)
        var fields = FieldLines()
        request.encoding.append(to: &fields, output)
        let content = RenderedContent(
            encoded.content, mediaType: output.mediaType, fields: fields, validator: validator,
            timings: [("layout", laidOut - started), ("draw", drawing), encoded.timing])
        return DrawnCard(content: content, size: size, output: output, price: price)
    }
}
