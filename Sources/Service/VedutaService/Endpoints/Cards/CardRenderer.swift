import CardPlan
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapGrammar
import MapPlan
import MapRender
import MapSources
import Parameters
import Raster
import Reactor
import Renditions
import ResponseCache

extension CardEndpoint {
    /// The card that a query asks for, or how it comes about.
    func card(
        _ items: [QueryItem], _ head: RequestHead, _ templates: CardTemplates, refusing refused: Set<Restricted>
    ) throws(EndpointError) -> AssetEndpoint.Target {
        var asked: CardRequest
        do throws(ParameterFaults) { asked = try CardRequest.parse(items, templates) } catch {
            throw .parameters(error)
        }
        let isExplained = asked.isExplained
        asked.isExplained = false
        let (rendition, renderer) = try card(asked, head)
        return try target(rendition, isExplained: isExplained, refusing: refused, renderer.draw)
    }

    func postedCard(by templates: CardTemplates) -> @Sendable (Request) throws(EndpointError) -> PostedRendition {
        { request throws(EndpointError) in
            let body = try PostedRendition.bytes(of: request)
            let asked: CardRequest
            do throws(ParameterFaults) {
                asked = try CardRequest.parse(try CardRequest.items(ofBody: body, templates), templates)
            } catch {
                throw .parameters(error)
            }
            try checkDraws(asked.isExplained)
            return PostedRendition(
                try card(asked, request.head).0, path: "/card",
                query: asked.canonical(byteLimit: PostedRendition.locationLimit))
        }
    }

    private func card(_ asked: CardRequest, _ head: RequestHead) throws(EndpointError) -> (Rendition, CardRenderer) {
        var request = asked
        for field in request.template.fields where field.kind == .picture {
            guard let id = request.value(field.name) else { continue }
            let spelled = try spelled(id, of: field.name)
            if spelled != id { request.values[field.name] = spelled }
        }
        let layout = CardLayout(request)
        let pictures = try AvatarPictures(
            layout.pictures.map(\.id), of: "template", in: originals, options: options, masters: masters,
            images: images, cells: cards.cells)
        let map = try layout.map.map { wanted throws(EndpointError) in
            CardMapSource(request: try mapRequest(wanted, scale: request.scale), maps: maps)
        }
        let output = request.encoding.outputFormat(head.fields, usual: request.isOpaque ? .jpeg : .png)
        let subject = CardSubject(cards: cards, layout: layout, pictures: pictures, map: map)
        let renderer = CardRenderer(subject: subject, output: output)
        let rendition = Rendition(
            Endpoint.card.route, .asset, subject, renderer: renderer, fingerprint: .service,
            causes: options.causes + (masters == nil ? "" : " masters"), canonical: request.canonical,
            variant: "\(output.rawValue) \(request.template.digest)", vary: request.encoding.vary(isThemed: false),
            mediaTypes: [output.mediaType], tag: CacheTag(card: Endpoint.card.label, request.canonical),
            overlayIDs: pictures.ids + [CardSubject.group(of: request.template.name)],
            leastWork: RenderCost(layout.predictedCost(as: output)).work)
        return (rendition, renderer)
    }

    /// The request to `/map` for the same.
    private func mapRequest(_ map: CardLayout.Map, scale: PlainDecimal) throws(EndpointError) -> MapRequest {
        let place = "\(map.latitude),\(map.longitude)"
        let items = [
            ("center", place), ("zoom", map.zoom.description), ("size", "\(map.widthPx)x\(map.heightPx)"),
            ("scale", scale.description), ("style", map.style ?? ""),
            ("marker", map.marker.map { "color:\($0)|\(place)" } ?? ""),
        ]
        do throws(ParameterFaults) {
            return try MapRequest.parse(items.map { QueryItem(name: $0.0, value: $0.1) }, rules: maps.rules)
        } catch {
            throw .parameters(
                ParameterFaults(
                    error.faults.map { fault in
                        let field = fault.parameter == "style" ? map.styleField : nil
                        return ParameterFault(
                            parameter: field ?? "template", value: fault.value, reason: fault.reason)
                    }))
        }
    }
}

/// The map on a card.
struct CardMapSource: Sendable {
    let request: MapRequest
    let maps: MapService

    func state() throws(RenditionError) -> String {
        SourceValidator.map(try maps.style(request.style), of: request).text
    }

    /// On a worker.
    func price(_ camera: Camera, _ entry: MapStyleEntry) throws(RenditionError) -> PredictedCost {
        try maps.price(of: request, in: entry, from: camera, encodedAs: .png)
    }
}

/// A card, and what it is made of.
struct CardSubject: RenditionSource {
    let cards: CardService
    let layout: CardLayout
    let pictures: AvatarPictures
    let map: CardMapSource?

    /// What all cards of a template are purged with; no asset is called so.
    static func group(of template: String) -> String { "card template\n" + template }

    var base: String { cards.validator + " " + layout.request.template.digest }

    var preparation: (any SourcePreparation)? {
        let required = layout.pictures.filter(\.isRequired).map(\.id)
        let others = pictures.ids.filter { !required.contains($0) }
        return CardPreparation(
            required: AssetPreparation(required, pictures.originals),
            others: AssetPreparation(others, pictures.originals).map {
                AvatarPreparation(pictures: $0, originals: pictures.originals)
            })
    }

    func currentState() throws(RenditionError) -> SourceValidator {
        pictures.validator(try map.map { source throws(RenditionError) in base + " " + (try source.state()) } ?? base)
    }
}

/// Waits for the pictures without which there is no card as for any, and for the others as avatars do.
private struct CardPreparation: SourcePreparation {
    let required: AssetPreparation?
    let others: AvatarPreparation?

    init?(required: AssetPreparation?, others: AvatarPreparation?) {
        if required == nil, others == nil { return nil }
        (self.required, self.others) = (required, others)
    }

    var count: Int { (required?.count ?? 0) + (others?.count ?? 0) }
    var isRead: Bool { required?.isRead ?? true && others?.isRead ?? true }

    func refresh() {
        required?.refresh()
        others?.refresh()
    }

    func begin(
        _ index: Int, for request: Request, of client: ClientNetwork?,
        done: @escaping @Sendable (RenditionError?) -> Void
    ) throws(RenditionError) -> (@Sendable () -> Void)? {
        if let required, index < required.count {
            return try required.begin(index, for: request, of: client, done: done)
        }
        return try others?.begin(index - (required?.count ?? 0), for: request, of: client, done: done)
    }
}

/// Draws one card.
struct CardRenderer: RenditionRenderer {
    let subject: CardSubject
    let output: OutputFormat

    private var request: CardRequest { subject.layout.request }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent { try draw(job).content }

    @Sendable func draw(_ job: RenderJob) throws(RenditionError) -> DrawnCard {
        let (layout, pictures, cards) = (subject.layout, subject.pictures, subject.cards)
        let started = ContinuousClock.now
        var map: (source: CardMapSource, entry: MapStyleEntry, camera: Camera)?
        var price = layout.predictedCost(as: output)
        if let source = subject.map {
            let entry = try source.maps.style(source.request.style)
            let camera = try source.maps.camera(of: source.request, entry, job)
            map = (source, entry, camera)
            price = price.following(try source.price(camera, entry))
        }
        var shown = try pictures.read(
            layout.pictures.map(AvatarPictures.Wanted.init), holding: layout.pictureByteCount, job, beside: price)
        let fetched = ContinuousClock.now
        let drawnMap = try map.map { map throws(RenditionError) in
            try draw(map.source, in: map.entry, from: map.camera, job)
        }
        if let drawnMap { shown.textures.append(drawnMap.texture) }
        let mapped = ContinuousClock.now
        let typesetter = cards.typesetter()
        let scene = layout.scene(
            showing: shown.sizes, map: drawnMap == nil ? nil : shown.textures.count - 1, typesetter)
        let drawn = try cards.draw(scene, scale: request.scale, pictures: shown.textures, typesetter, job)
        let drawing = ContinuousClock.now
        let size = scene.size(at: request.scale)
        let encoded = try request.encoding.encode(
            drawn.pixels, size, scale: request.scale, as: output, isQuick: true, job)
        var fields = FieldLines()
        request.encoding.append(to: &fields, output)
        if shown.lackingCount > 0 {
            fields.append("Veduta-Fallback", "\(shown.lackingCount)/\(layout.pictures.count)")
        }
        let base = drawnMap.map { "\(subject.base) \($0.state)" } ?? subject.base
        let validator = pictures.validator(base, pictures.states(shown))
        let isIncomplete = shown.lackingCount > 0 || drawnMap?.isIncomplete ?? false
        var timings: [RenderTiming] = [("fetch", fetched - started)]
        if drawnMap != nil { timings.append(("map", mapped - fetched)) }
        timings += [("draw", drawing - mapped), encoded.timing]
        let content = RenderedContent(
            encoded.content, mediaType: output.mediaType, fields: fields,
            validator: isIncomplete ? validator.incomplete ?? validator : validator, timings: timings)
        return DrawnCard(content: content, size: size, output: output.rawValue, price: shown.price)
    }

    private func draw(
        _ source: CardMapSource, in entry: MapStyleEntry, from camera: Camera, _ job: RenderJob
    ) throws(RenditionError) -> (texture: Texture, state: String, isIncomplete: Bool) {
        let drawn = try source.maps.draw(source.request, in: entry, from: camera, job)
        source.maps.report(drawn.faults, lacking: drawn.missingGlyphs)
        guard
            let texture = Texture(
                widthPx: drawn.widthPx, heightPx: drawn.heightPx, format: .rgba, texels: drawn.pixels)
        else { throw RenditionError(.styleGone) }
        return (texture, SourceValidator.map(entry, of: source.request).text, drawn.isIncomplete)
    }
}
