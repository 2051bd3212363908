import Bytes
import Digest
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Renditions
import ResponseCache
import TextEngine

/// Glyphs of the machine's fonts, for styles that are drawn in browsers.
enum GlyphEndpoint {
    static let mediaType = "application/x-protobuf"

    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkHasNoQuery()
        let (address, fonts) = (try GlyphAddress(context.head.target), context.service.maps.fonts)
        return context.deliver(
            Rendition(
                Endpoint.glyphs.route, .map, GlyphSource(fonts: fonts),
                renderer: GlyphRenderer(address: address, fonts: fonts), fingerprint: .service,
                canonical: address.canonical, variant: "pbf", vary: "", mediaTypes: [mediaType],
                tag: CacheTag(map: address.canonical)))
    }
}

struct GlyphSource: RenditionSource {
    let fonts: FontSet

    /// The first one after the start finds the fonts, which takes some milliseconds.
    func currentState() throws(RenditionError) -> SourceValidator { .glyphs(fonts) }
}

struct GlyphRenderer: RenditionRenderer {
    /// Nanoseconds of one core for a glyph, whose distances are measured.
    private static let glyphCost = 400_000.0

    let address: GlyphAddress
    let fonts: FontSet

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let step = PredictedCost.Step(
            "glyphs", nanoseconds: Double(GlyphRangeFile.count) * Self.glyphCost, bytes: 524_288)
        try job.check(PredictedCost(steps: [step], frameCount: 1))
        guard
            let bytes = GlyphRangeFile.bytes(
                from: address.first, stack: address.stack, fonts: fonts, shouldStop: job.shouldStop)
        else { throw RenditionError(ImageError.cancelled) }
        return RenderedContent(SharedBytes(bytes), mediaType: GlyphEndpoint.mediaType, validator: .glyphs(fonts))
    }
}

extension SourceValidator {
    fileprivate static func glyphs(_ fonts: FontSet) -> SourceValidator {
        // Changes with the names of the faces.
        let names = fonts.faces.map { "\($0.family)/\($0.style)/\($0.weight)" }.joined(separator: ",")
        return SourceValidator(SHA256.digest(of: names).base64URL(byteCount: 18))
    }
}
