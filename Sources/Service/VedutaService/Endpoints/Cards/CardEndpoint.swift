import CardGrammar
import CardPlan
import Reactor
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import ImageWorkers
import Originals
import Parameters
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
        let (rendition, renderer) = try rendition(of: asked, head)
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
            try rendition(of: spelled, request.head).0, path: "/poll",
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

    /// With the one spelling of its ids.
    private func spelled(_ request: PollRequest) throws(EndpointError) -> PollRequest {
        var spelled = request
        let parameter = request.dataID == nil ? "option" : "data"
        try spelled.respellIDs { id throws(EndpointError) in try self.spelled(id, of: parameter) }
        return spelled
    }

    /// The one spelling of an id that stands in `parameter`.
    func spelled(_ id: String, of parameter: String) throws(EndpointError) -> String {
        do throws(OriginalError) {
            return try originals.canonicalID(id)
        } catch {
            guard let fault = ParameterFault(error, of: parameter) else { throw .original(error) }
            throw .parameters(ParameterFaults([fault]))
        }
    }

    private func kind(of request: PollRequest) -> RenditionKind { request.dataID == nil ? .asset : .live }

    private func parse(_ items: [QueryItem], for purpose: PollRequest.Purpose) throws(EndpointError) -> PollRequest {
        do { return try PollRequest.parse(items, for: purpose) } catch { throw .parameters(error) }
    }

    private func rendition(
        of asked: PollRequest, _ head: RequestHead
    ) throws(EndpointError) -> (Rendition, PollRenderer) {
        let request = asked.themed(prefersDark: VariedFields.prefersDark(head))
        let encoding = request.encoding
        let output = request.isAnimated ? encoding.movingFormat(head.fields) : encoding.outputFormat(head.fields)
        let pictures = try AvatarPictures(
            request.pictureIDs, of: "option", in: originals, options: options, masters: masters, images: images,
            cells: cards.cells)
        let subject = PollSubject(
            data: PollData(request: request, cards: cards, originals: originals), pictures: pictures)
        let renderer = PollRenderer(subject: subject, output: output)
        let rendition = Rendition(
            Endpoint.poll.route, kind(of: asked), subject, renderer: renderer, fingerprint: .service,
            causes: pictures.ids.isEmpty ? "" : options.causes + (masters == nil ? "" : " masters"),
            canonical: request.canonical, resource: asked.theme == .auto ? asked.canonical : nil,
            variant: output.rawValue, vary: encoding.vary(isThemed: asked.theme == .auto),
            mediaTypes: [output.mediaType], tag: CacheTag(card: Endpoint.poll.label, request.canonical),
            overlayIDs: [asked.dataID].compactMap(\.self) + pictures.ids,
            leastWork: RenderCost(request.layoutCost).work)
        return (rendition, renderer)
    }
}
