import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Parameters
import Renditions
import ResponseCache

/// `/iiif/…`: images for viewers of the IIIF standard, level 2 of the Image API 2.1 and 3.0, and manifests of the
/// Presentation API 3.0. An image is made as `/asset` makes it, from the same masters, at the same price.
extension ServiceHandler {
    func iiif(_ context: RequestContext) -> Answer {
        context.orProblem { context throws(EndpointError) in
            try context.checkHasNoQuery()
            guard let path = try IIIFPath(context.head.target) else { throw .routeAbsent }
            if path.tellsFacts, context.admission.refused.contains(.metadata) {
                throw context.explained(.disabled(.metadata))
            }
            let base = BaseAddress(context.head, from: context.request.peer, context.policy.addresses)
            // A proxy's address is for its own clients alone: not all caches heed Vary.
            var addressed: RequestContext { base.isForwarded ? context.unshared : context }
            switch path.resource {
            case .part(let version, let parts):
                let (rendition, asked) = try assets.iiif(path, parts, version)
                return context.deliver(rendition, asked: asked)
            case .image(let version):
                let context = addressed
                // A description that is sent at another address than its own would have a wrong one in it.
                let id = try assets.canonicalID(path.id)
                let description = base.text + IIIFPath.path(version, id, page: path.page) + "/info.json"
                var fields = FieldLines()
                // A set may cover the description as well; a signature of this address alone does not.
                fields.append(.location, description + (context.admission.setQuery.map { "?" + $0 } ?? ""))
                fields.append(.cacheControl, context.lines.bound.applied(to: "max-age=300"))
                if !base.vary.isEmpty { fields.append(.vary, base.vary) }
                fields.append(context.lines.common)
                return .now(context.counted(Response(status: Status(code: 303), fields: fields)))
            case .description(let version):
                return addressed.deliver(
                    try assets.iiifDescription(path, version, base, takes: IIIFAcceptance(context.head, version)))
            case .manifest:
                return addressed.deliver(
                    try assets.iiifManifest(path, base, takes: IIIFAcceptance(context.head, nil)))
            }
        }
    }
}

/// What kinds of JSON a client takes.
struct IIIFAcceptance: Sendable {
    let mediaType: String
    let takesGzip: Bool

    /// Without a version, of a manifest.
    init(_ head: RequestHead, _ version: IIIFPath.Version?) {
        takesGzip = AcceptEncoding.takesGzip(head.fields)
        let (api, number) = version.map { ("image", $0.rawValue) } ?? ("presentation", 3)
        let accept = AcceptField.parse(head.fields, ignoringParameters: true)
        // Clients without the field get linked data of both APIs of version 3, plain JSON of version 2.
        let takesLinkedData = accept.isPresent ? accept.isExplicit(Self.linkedData) : version != .two
        mediaType =
            takesLinkedData
            ? "\(Self.linkedData);profile=\"http://iiif.io/api/\(api)/\(number)/context.json\"" : AssetJSON.mediaType
    }

    private static let linkedData = "application/ld+json"
}

extension AssetEndpoint {
    /// `asked`: nil without a list of sizes.
    fileprivate func iiif(
        _ path: IIIFPath, _ parts: [String], _ version: IIIFPath.Version
    ) throws(EndpointError) -> (rendition: Rendition, asked: AskedSize?) {
        let id = try canonicalID(path.id)
        let hasList = !rules.sizes.widthsPx.isEmpty
        let image: IIIFImage
        var request: ImageRequest
        do throws(ParameterFaults) {
            try rules.check(IIIFImage.items(parts))
            image = try IIIFImage(id: id, page: path.page, parts, version, longestSidePx: iiifSideLimitPx)
            request = image.request
            if hasList {
                try request.apply(iiifSizes)
                // It is another request then, the same for all sizes that become this one.
                (request.cropsBeforeTurning, request.refusesEnlarging) = (true, false)
                request.isQuick = image.request.isQuick
            }
            (request.sideLimitPx, request.finePixelLimit) = (iiifSideLimitPx, finePixelLimit)
            try Self.checkWritable(request.format)
        } catch {
            throw .parameters(error)
        }
        request.capEffort(at: options.effortLimit)
        // With a list, all that become one image share a key. What the text of the request leaves out follows from the rest.
        let shared = "\(IIIFPath.prefix)\(version.rawValue)/?\(request.canonical)"
        let canonical = hasList ? shared : path.canonical(id)
        let rendition = Rendition(
            Endpoint.iiif.route, .asset(id), source(of: request),
            renderer: IIIFRenderer(
                image: renderer(of: request, Acceptance(only: image.format)), profile: version.profile,
                notesRegion: hasList),
            fingerprint: .service,
            causes: options.causes + (masters == nil ? "" : " masters") + (request.isQuick ? Self.tileCause : "")
                + (ImageEngine.canRead(.pdf) ? " pdf \(finePixelLimit)" : ""),
            canonical: canonical, variant: image.format.rawValue, vary: "",
            mediaTypes: [image.format.mediaType], tag: CacheTag(assetID: id))
        return (rendition, hasList ? AskedSize(request: image.request) : nil)
    }

    /// The list alone: viewers are told the side, below which percentages are taken where there is no list.
    private var iiifSizes: SizeRules {
        var sizes = rules.sizes
        sizes.sideLimitPx = 0
        // Where every length is too long, they stay: images that are given a size are refused then.
        let widthsPx = sizes.widthsPx.filter { $0 <= iiifSideLimitPx }
        if !widthsPx.isEmpty { sizes.widthsPx = widthsPx }
        return sizes
    }

    /// Raised when quick JPEGs get other bytes, and no other images.
    private static let tileCause = " tiles 1"

    /// Of a page of a PDF: more would not be drawn at once.
    var finePixelLimit: Int { min(options.limits.pixelCount, options.limits.wholePixelCount) }

    /// Of results, which descriptions tell.
    var iiifSideLimitPx: Int {
        let limit = rules.sizes.sideLimitPx
        return limit == 0 ? IIIFImage.sideLimitPx : min(limit, IIIFImage.sideLimitPx)
    }
}

private struct IIIFRenderer: RenditionRenderer {
    let image: AssetRenderer
    let profile: String
    /// For ``AskedSize``.
    let notesRegion: Bool

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let made = try image.make(job)
        var content = made.content(for: image.request)
        content.fields.append(.link, "<\(profile)>;rel=\"profile\"")
        if notesRegion { AskedSize.note(made.picture.report, of: image.request, in: &content.fields) }
        return content
    }
}
