import Bytes
import CardGrammar
import CardPlan
import Cards
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Parameters
import Raster
import Renditions
import ResponseCache

extension CardEndpoint {
    /// The avatar that a query asks for, or how it comes about.
    func avatar(
        _ items: [QueryItem], _ head: RequestHead, refusing refused: Set<Restricted>
    ) throws(EndpointError) -> AssetEndpoint.Target {
        var asked: AvatarRequest
        do throws(ParameterFaults) { asked = try AvatarRequest.parse(items) } catch { throw .parameters(error) }
        let isExplained = asked.isExplained
        asked.isExplained = false
        let (rendition, renderer) = try avatar(asked, head)
        return try target(rendition, isExplained: isExplained, refusing: refused, renderer.draw)
    }

    func postedAvatar(_ request: Request) throws(EndpointError) -> PostedRendition {
        let body = try PostedRendition.bytes(of: request)
        let asked: AvatarRequest
        do throws(ParameterFaults) {
            asked = try AvatarRequest.parse(try AvatarRequest.items(ofBody: body))
        } catch {
            throw .parameters(error)
        }
        try checkDraws(asked.isExplained)
        return PostedRendition(
            try avatar(asked, request.head).0, path: "/avatar",
            query: asked.canonical(byteLimit: PostedRendition.locationLimit))
    }

    /// `/avatar/HASH`, whose end is `hash`.
    func avatar(hash: String, _ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        let asked: HashedAvatar
        do throws(ParameterFaults) { asked = try HashedAvatar.parse(hash, items) } catch { throw .parameters(error) }
        return try avatar(asked.request, head, .hashedAvatar, replaced: asked.replaced).0
    }

    /// `/api/` as ui-avatars has it.
    func avatar(named items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        let asked: NamedAvatar
        do throws(ParameterFaults) { asked = try NamedAvatar.parse(items) } catch { throw .parameters(error) }
        return try avatar(asked.request, head, .namedAvatar, canonical: asked.canonical).0
    }

    /// `canonical`: where that of the request does not tell everything.
    private func avatar(
        _ asked: AvatarRequest, _ head: RequestHead, _ endpoint: Endpoint = .avatar, replaced: String? = nil,
        canonical: String? = nil
    ) throws(EndpointError) -> (Rendition, AvatarRenderer) {
        var request = asked
        try request.respellIDs { id throws(EndpointError) in try spelled(id, of: asked.parameter(of: id)) }
        let layout = cards.layouts.layout(of: request, isCut: false)
        let pictures = try AvatarPictures(
            layout.pictureIDs, of: "person", in: originals, options: options, masters: masters, images: images,
            cells: cards.cells)
        let isVector = request.encoding.isVector
        // A drawing has a price whatever the client accepts.
        let output = isVector ? .png : request.encoding.outputFormat(head.fields)
        let price = layout.predictedCost(as: output)
        let renderer = AvatarRenderer(
            request: request, pictures: pictures, cards: cards, output: output, price: price, replaced: replaced)
        let rendition = Rendition(
            endpoint.route, .asset, AvatarSubject(cards: cards, pictures: pictures), renderer: renderer,
            fingerprint: .service, causes: options.causes + (masters == nil ? "" : " masters"),
            canonical: canonical ?? request.canonical,
            variant: (isVector ? DrawnEncoding.vector : output.rawValue) + (replaced.map { " " + $0 } ?? ""),
            vary: request.encoding.vary(isThemed: false),
            mediaTypes: [request.encoding.mediaType(output)],
            tag: CacheTag(card: endpoint.label, canonical ?? request.canonical),
            overlayIDs: pictures.ids, leastWork: RenderCost(price).work)
        return (rendition, renderer)
    }
}

/// An avatar, and the pictures that it is made of.
struct AvatarSubject: RenditionSource {
    let cards: CardService
    let pictures: AvatarPictures

    var preparation: (any SourcePreparation)? { pictures.preparation }
    func currentState() throws(RenditionError) -> SourceValidator { pictures.validator(cards.validator) }
}

/// Draws one avatar.
struct AvatarRenderer: RenditionRenderer {
    let request: AvatarRequest
    let pictures: AvatarPictures
    let cards: CardService
    let output: OutputFormat
    /// Without the pictures.
    let price: PredictedCost
    /// The drawing that a pattern stands for.
    var replaced: String?

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent { try draw(job).content }

    @Sendable func draw(_ job: RenderJob) throws(RenditionError) -> DrawnCard {
        let started = ContinuousClock.now
        let layout = cards.layouts.layout(of: request, isCut: true)
        let shown = try pictures.read(for: layout, job, beside: price)
        let fetched = ContinuousClock.now
        let typesetter = cards.typesetter()
        let scene = layout.scene(showing: shown.numbers, typesetter)
        let size = scene.size(at: request.scale)
        var fields = FieldLines()
        var timings: [RenderTiming] = [("fetch", fetched - started)]
        let bytes: SharedBytes
        if request.encoding.isVector {
            let text = CardVector.text(scene, widthPx: size.widthPx, heightPx: size.heightPx, typesetter)
            bytes = SharedBytes(Array(text.utf8))
            // As a page it may do nothing.
            fields.append("Content-Security-Policy", literal: "sandbox")
            timings.append(("draw", ContinuousClock.now - fetched))
        } else {
            let drawn = try cards.draw(scene, scale: request.scale, pictures: shown.textures, typesetter, job)
            timings.append(("draw", ContinuousClock.now - fetched))
            let encoded = try request.encoding.encode(drawn.pixels, size, scale: request.scale, as: output, job)
            timings.append(encoded.timing)
            bytes = encoded.content
        }
        request.encoding.append(to: &fields, output)
        let replaced = shown.numbers.isEmpty ? self.replaced : nil
        if shown.lackingCount > 0 || replaced != nil {
            fields.append(
                "Veduta-Fallback",
                "\(shown.lackingCount)/\(layout.personCount + (layout.badgePicture == nil ? 0 : 1))"
                    + (replaced.map { ";\($0)=identicon" } ?? ""))
        }
        let validator = pictures.validator(cards.validator, pictures.states(shown))
        let content = RenderedContent(
            bytes, mediaType: request.encoding.mediaType(output), fields: fields,
            validator: shown.lackingCount > 0 ? validator.incomplete ?? validator : validator, timings: timings)
        return DrawnCard(
            content: content, size: size,
            output: request.encoding.isVector ? DrawnEncoding.vector : output.rawValue, price: shown.price,
            people: people(layout, shown))
    }

    private func people(_ layout: AvatarLayout, _ shown: AvatarPictures.Shown) -> [DrawnCard.Person] {
        layout.cells.compactMap { cell in
            guard case .person(let index) = cell.content else { return nil }
            let person = request.persons[index]
            return DrawnCard.Person(name: person.name, id: person.id, shownID: shown.ids[index])
        }
    }
}
