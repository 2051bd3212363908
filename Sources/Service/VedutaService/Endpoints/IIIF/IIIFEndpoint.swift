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
            case .part(let version, let parts): return context.deliver(try assets.iiif(path, parts, version))
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
    fileprivate func iiif(
        _ path: IIIFPath, _ parts: [String], _ version: IIIFPath.Version
    ) throws(EndpointError) -> Rendition {
        let id = try canonicalID(path.id)
        let image: IIIFImage
        var request: ImageRequest
        do throws(ParameterFaults) {
            try rules.check(IIIFImage.items(parts))
            image = try IIIFImage(id: id, page: path.page, parts, version, longestSidePx: iiifSideLimitPx)
            request = image.request
            var sizes = rules.sizes
            // Viewers are told the side, and that percentages are taken.
            sizes.sideLimitPx = 0
            sizes.widthsPx.removeAll { $0 > iiifSideLimitPx }
            if !sizes.widthsPx.isEmpty {
                try request.apply(sizes)
                // It is another request then.
                (request.cropsBeforeTurning, request.isQuick) = (true, image.request.isQuick)
            }
            (request.sideLimitPx, request.finePixelLimit) = (iiifSideLimitPx, finePixelLimit)
            try Self.checkWritable(request.format)
        } catch {
            throw .parameters(error)
        }
        request.capEffort(at: options.effortLimit)
        return Rendition(
            Endpoint.iiif.route, .asset(id), source(of: request),
            renderer: IIIFRenderer(
                image: renderer(of: request, Acceptance(only: image.format)), profile: version.profile),
            fingerprint: .service,
            causes: options.causes + (masters == nil ? "" : " masters") + (request.isQuick ? Self.tileCause : "")
                + (ImageEngine.canRead(.pdf) ? " pdf \(finePixelLimit)" : ""),
            canonical: path.canonical(id), variant: image.format.rawValue, vary: "",
            mediaTypes: [image.format.mediaType], tag: CacheTag(assetID: id))
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

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        var content = try image.render(job)
        content.fields.append(.link, "<\(profile)>;rel=\"profile\"")
        return content
    }
}
