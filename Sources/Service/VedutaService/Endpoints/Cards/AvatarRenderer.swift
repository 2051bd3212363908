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

extension CardEndpoint {
    /// The avatar that a query asks for.
    func avatar(_ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        let asked: AvatarRequest
        do throws(ParameterFaults) { asked = try AvatarRequest.parse(items) } catch { throw .parameters(error) }
        return try avatar(asked, head)
    }

    func postedAvatar(_ request: Request) throws(EndpointError) -> PostedRendition {
        let body = try PostedRendition.bytes(of: request)
        let asked: AvatarRequest
        do throws(ParameterFaults) {
            asked = try AvatarRequest.parse(try AvatarRequest.items(ofBody: body))
        } catch {
            throw .parameters(error)
        }
        return PostedRendition(
            try avatar(asked, request.head), path: "/avatar",
            query: asked.canonical(byteLimit: PostedRendition.locationLimit))
    }

    /// `/avatar/HASH`, whose end is `hash`.
    func avatar(hash: String, _ items: [QueryItem], _ head: RequestHead) throws(EndpointError) -> Rendition {
        let asked: HashedAvatar
        do throws(ParameterFaults) { asked = try HashedAvatar.parse(hash, items) } catch { throw .parameters(error) }
        return try avatar(asked.request, head, .hashedAvatar, replaced: asked.replaced)
    }

    private func avatar(
        _ request: AvatarRequest, _ head: RequestHead, _ endpoint: Endpoint = .avatar, replaced: String? = nil
    ) throws(EndpointError) -> Rendition {
        let pictures = try AvatarPictures(
            AvatarLayout(request).pictureIDs, in: originals, options: options, masters: masters)
        let output = request.encoding.outputFormat(head.fields)
        return Rendition(
            endpoint.route, .asset, AvatarSubject(cards: cards, pictures: pictures),
            renderer: AvatarRenderer(
                request: request, pictures: pictures, cards: cards, output: output, replaced: replaced),
            fingerprint: .service, causes: options.causes + (masters == nil ? "" : " masters"),
            canonical: request.canonical, variant: output.rawValue + (replaced.map { " " + $0 } ?? ""),
            vary: request.encoding.vary(isThemed: false),
            mediaTypes: [output.mediaType], tag: CacheTag(card: Endpoint.avatar.label, request.canonical),
            overlayIDs: pictures.ids)
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
    /// The drawing that a pattern stands for.
    var replaced: String?

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let started = ContinuousClock.now
        let layout = AvatarLayout(request)
        let read = try readPictures(layout, job)
        let fetched = ContinuousClock.now
        let typesetter = cards.typesetter()
        let scene = layout.scene(showing: read.shown, typesetter)
        let price = scene.predictedCost(at: request.scale, request.encoding, as: output)
        try job.check(price.following(PredictedCost(pictures: read.spent)))
        let drawn = try cards.draw(scene, scale: request.scale, pictures: read.textures, typesetter, job)
        let drawing = ContinuousClock.now - fetched
        let encoded = try request.encoding.encode(
            drawn.pixels, scene.size(at: request.scale), scale: request.scale, as: output, job)
        var fields = FieldLines()
        request.encoding.append(to: &fields, output)
        if read.lackingCount > 0 {
            fields.append(
                "Veduta-Fallback",
                "\(read.lackingCount)/\(layout.personCount)" + (replaced.map { ";\($0)=identicon" } ?? ""))
        }
        let validator = SourceValidator(
            ([cards.validator] + pictures.ids.map { read.states[$0] ?? "absent" }).joined(separator: "+"), mayLack: true
        )
        return RenderedContent(
            encoded.content, mediaType: output.mediaType, fields: fields,
            validator: read.lackingCount > 0 ? validator.incomplete ?? validator : validator,
            timings: [("fetch", fetched - started), ("draw", drawing), encoded.timing])
    }

    private struct ReadPictures {
        var textures: [Texture] = []
        /// The number of the picture that a person shows.
        var shown: [Int: Int] = [:]
        /// Of assets, as they were read.
        var states: [String: String] = [:]
        /// People whose own picture is missing or broken.
        var lackingCount = 0
        /// Microseconds.
        var spent = 0
    }

    private func readPictures(_ layout: AvatarLayout, _ job: RenderJob) throws(RenditionError) -> ReadPictures {
        var read = ReadPictures()
        for cell in layout.cells {
            guard case .person(let index) = cell.content else { continue }
            let size = cell.size(at: request.scale.double)
            var isLacking = false
            for id in layout.pictureIDs(of: index) {
                let picture = try pictures.read(id, covering: size, request.gravity, spent: &read.spent, job)
                read.states[id] = picture.state
                if let texture = picture.texture {
                    read.shown[index] = read.textures.count
                    read.textures.append(texture)
                    break
                }
                isLacking = true
            }
            if isLacking {
                read.lackingCount += 1
                if request.fallbacks.first == .absent { throw RenditionError(.original(.absent)) }
            }
        }
        return read
    }
}

extension PredictedCost {
    fileprivate init(pictures microseconds: Int) {
        self.init(steps: [Step("pictures", nanoseconds: Double(microseconds) * 1000, bytes: 0)], frameCount: 1)
    }
}
