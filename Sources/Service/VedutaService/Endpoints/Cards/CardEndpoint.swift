import Bytes
import CardPlan
import Cards
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Originals
import Parameters
import Raster
import Renditions
import ResponseCache

/// `/poll` and `/poll.json`, a poll and where its options are, and `/avatar`.
struct CardEndpoint {
    /// Of a POST.
    var contentRule: ContentRule {
        ContentRule(
            byteLimit: PollRequest.bodyByteLimit, mediaTypes: ["application/json"], memory: cards.contentMemory)
    }

    let cards: CardService
    let originals: Originals
    let options: RenderOptions
    let masters: MasterStore?

    /// The poll that a query asks for, in the negotiated format.
    func poll(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        rendition(of: try parse(items), head)
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
        return PostedRendition(
            rendition(of: asked, request.head), path: "/poll",
            query: asked.canonical(byteLimit: PostedRendition.locationLimit))
    }

    func description(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        let asked = try parse(items)
        let takesGzip = AcceptEncoding.takesGzip(head.fields)
        return Rendition(
            Endpoint.pollDescription.route, .asset, CardSubject(cards: cards),
            renderer: PollDescriber(request: asked, cards: cards, takesGzip: takesGzip), fingerprint: .service,
            canonical: asked.canonical, variant: CodedText.variant(takesGzip), vary: CodedText.field,
            mediaTypes: ["application/json"], tag: CacheTag(card: Endpoint.poll.label, asked.canonical),
            takesGzip: takesGzip)
    }

    private func parse(_ items: [QueryItem]) throws(EndpointError) -> PollRequest {
        do { return try PollRequest.parse(items) } catch { throw .parameters(error) }
    }

    private func rendition(of asked: PollRequest, _ head: RequestHead) -> Rendition {
        let request = asked.themed(prefersDark: VariedFields.prefersDark(head))
        let output = request.encoding.outputFormat(head.fields)
        return Rendition(
            Endpoint.poll.route, .asset, CardSubject(cards: cards),
            renderer: PollRenderer(request: request, cards: cards, output: output), fingerprint: .service,
            canonical: request.canonical, resource: asked.theme == .auto ? asked.canonical : nil,
            variant: output.rawValue, vary: request.encoding.vary(isThemed: asked.theme == .auto),
            mediaTypes: [output.mediaType], tag: CacheTag(card: Endpoint.poll.label, request.canonical))
    }
}

/// A card that is made of its request alone.
struct CardSubject: RenditionSource {
    let cards: CardService

    func currentState() throws(RenditionError) -> SourceValidator { SourceValidator(cards.validator) }
}

/// Draws one poll.
struct PollRenderer: RenditionRenderer {
    let request: PollRequest
    let cards: CardService
    let output: OutputFormat

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let typesetter = cards.typesetter()
        let started = ContinuousClock.now
        let scene = PollLayout(request, typesetter).scene
        let laidOut = ContinuousClock.now
        try job.check(scene.predictedCost(at: request.scale, request.encoding, as: output))
        let drawn = try cards.draw(scene, scale: request.scale, typesetter, job)
        let drawing = ContinuousClock.now - laidOut
        let encoded = try request.encoding.encode(
            drawn.pixels, scene.size(at: request.scale), scale: request.scale, as: output, job)
        var fields = FieldLines()
        request.encoding.append(to: &fields, output)
        return RenderedContent(
            encoded.content, mediaType: output.mediaType, fields: fields, validator: SourceValidator(cards.validator),
            timings: [("layout", laidOut - started), ("draw", drawing), encoded.timing])
    }
}
