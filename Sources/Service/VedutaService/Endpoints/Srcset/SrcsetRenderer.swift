import Bytes
import Colors
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import ImageWorkers
import Parameters
import Renditions
import ResponseCache

extension AssetEndpoint {
    /// `/srcset`: the addresses and sizes of many images of one asset, and what to show until they are there.
    func srcset(
        _ asked: SrcsetRequest, _ admission: AdmittedRequest, takesGzip: Bool
    ) throws(EndpointError) -> Rendition {
        let largest = asked.largest
        if largest.metadata != .none, admission.refused.contains(.metadata) { throw .disabled(.metadata) }
        // Made by the engine for one look: small, without loss, and with lengths in pixels that shrink with it.
        let (placeholder, sizes) = (SrcsetLook.request(largest), options.results)
        var lookOptions = options
        lookOptions.results.sizes = SizeRules()
        let look = renderer(of: placeholder, Acceptance(only: .png), lookOptions)
        return Rendition(
            Endpoint.srcset.route, RequestedOriginals(largest).kind, source(of: largest),
            renderer: SrcsetRenderer(asked: asked, look: look, results: sizes, takesGzip: takesGzip),
            fingerprint: .service, causes: options.causes, canonical: asked.canonical,
            variant: CodedText.variant(takesGzip), vary: CodedText.field,
            mediaTypes: [AssetJSON.mediaType, SrcsetText.htmlMediaType], tag: CacheTag(assetID: largest.id),
            overlayIDs: largest.overlays.compactMap(\.id), fallbackID: largest.fallbackID, takesGzip: takesGzip)
    }
}

/// What is seen of an image at a glance.
struct SrcsetLook: Sendable {
    let header: ImageHeader
    let analysis: AnalysisResults
    let dominantColor: Color?
    /// In base64.
    let thumbHash: String
    /// A `data:` URI of at most ``previewByteLimit`` bytes.
    let preview: String

    static let previewByteLimit = 1024
    /// ThumbHash looks at no more.
    static let sidePx = 100
    static let previewSidePx = 24
    private static let previewPrefix = "data:image/webp;base64,"

    /// `largest` as small as a look needs it.
    static func request(_ largest: ImageRequest) -> ImageRequest {
        var request = largest
        if case .pixels(let width)? = largest.width {
            if largest.scale.multiplied(by: width) ?? width > sidePx {
                request.scale = PlainDecimal(billionths: Int64(sidePx) * 1_000_000_000 / Int64(width))
            }
            // With one side, all fits are the same; a tall image is no longer than wide ones are.
            if largest.height == nil { (request.height, request.fit) = (largest.width, .inside) }
        }
        request.format = .png
        (request.quality, request.byteLimit, request.isLossless, request.isProgressive) = (nil, nil, false, false)
        (request.effort, request.metadata, request.profile) = (1, .none, .srgb)
        return request
    }

    init(_ made: AssetRenderer.Made, _ job: RenderJob, _ options: RenderOptions) throws(ImageError) {
        let (report, images, seen) = (made.picture.report, made.loaded.images, made.picture.content)
        let context = RenderContext(options: options, shouldStop: job.shouldStop)
        (header, analysis) = (report.header, report.analysis)
        let description = try images.describe(seen, in: context)
        dominantColor = description.dominantColor
        thumbHash = description.thumbHashText
        func tiny(_ sidePx: Int) throws(ImageError) -> SharedBytes {
            var request = ImageRequest(id: "")
            (request.width, request.height) = (.pixels(sidePx), .pixels(sidePx))
            (request.format, request.effort) = (.webp, 4)
            // Four letters for three bytes.
            request.byteLimit = (Self.previewByteLimit - Self.previewPrefix.utf8.count) / 4 * 3
            return try images.render(
                RenderSources(seen), request: request, accepting: Acceptance(only: .webp), in: context
            ).content
        }
        let encoded: SharedBytes
        do throws(ImageError) {
            encoded = try tiny(Self.previewSidePx)
        } catch .bytesUnreachable {
            // Transparency is kept without loss, and this one's is noise.
            encoded = try tiny(Self.previewSidePx / 2)
        }
        preview = Self.previewPrefix + encoded.withUnsafeBytes { Base64.text(of: Array($0)) }
    }

    /// The size of the image that `request` gives of the same source.
    func size(of request: ImageRequest, _ format: OutputFormat, _ limits: ResultLimits) throws(PlanError) -> PixelSize {
        var known = analysis
        while true {
            switch try request.planning(
                for: header, accepting: Acceptance(only: format), analysis: known, limits: limits)
            {
            case .plan(let plan): return PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx)
            // Where the part of interest is changes no size, and borders were looked for.
            case .ask(let question): known[question] = .nothing
            }
        }
    }
}

struct SrcsetRenderer: RenditionRenderer {
    let asked: SrcsetRequest
    let look: AssetRenderer
    let results: ResultLimits
    let takesGzip: Bool

    var heldByteCount: Int {
        let each = MemoryLayout<SrcsetRequest.Output>.stride
        return asked.outputs.reduce(0) { $0 + each + $1.request.overlays.count * MemoryLayout<Overlay>.stride }
    }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let made = try look.make(job)
        let text: SrcsetText
        let looked = ContinuousClock.now
        do throws(ImageError) {
            let seen = try SrcsetLook(made, job, look.options)
            text = SrcsetText(asked.options, seen, id: made.loaded.id, try candidates(seen))
        } catch {
            throw RenditionError(error, source: made.loaded.sources.picture)
        }
        let coded = CodedText(asked.options.isHTML ? text.html : text.json, gzip: takesGzip)
        var fields = coded.codingFields
        if asked.options.isHTML { fields.append("Content-Security-Policy", literal: SrcsetText.contentSecurityPolicy) }
        return RenderedContent(
            coded.content, mediaType: asked.options.isHTML ? SrcsetText.htmlMediaType : AssetJSON.mediaType,
            fields: fields, validator: made.loaded.validator,
            timings: made.timings + [("describe", ContinuousClock.now - looked)])
    }

    /// Of widths that give the same image, as none is enlarged, only the first is listed.
    private func candidates(_ seen: SrcsetLook) throws(ImageError) -> [SrcsetText.Candidate] {
        var candidates: [SrcsetText.Candidate] = []
        for output in asked.outputs {
            let size: PixelSize
            do throws(PlanError) {
                size = try seen.size(of: output.request, output.format, results)
            } catch {
                throw .plan(error)
            }
            if let last = candidates.last, last.format == output.format, last.size.widthPx >= size.widthPx { continue }
            candidates.append(
                SrcsetText.Candidate(format: output.format, size: size, address: asked.address(of: output)))
        }
        return candidates
    }
}
