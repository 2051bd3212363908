import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapSources
import Renditions
import ResponseCache
import TextEngine

/// Glyphs of the machine's fonts, for styles that are drawn in browsers.
enum GlyphEndpoint {
    static let mediaType = "application/x-protobuf"

    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkHasNoQuery()
        let address = try GlyphAddress(context.head.target)
        let maps = context.service.maps
        let source = GlyphSource(fontDigest: maps.library.fonts)
        return context.deliver(
            Rendition(
                Endpoint.glyphs.route, .map, source,
                renderer: GlyphRenderer(address: address, fonts: maps.fonts, source: source), fingerprint: .service,
                canonical: address.canonical, variant: "pbf", vary: "", mediaTypes: [mediaType],
                tag: CacheTag(map: address.canonical)))
    }
}

struct GlyphSource: RenditionSource {
    /// Changes with the fonts of the machine.
    let fontDigest: String

    var validator: SourceValidator { SourceValidator("glyphs \(fontDigest)") }

    func currentState() throws(RenditionError) -> SourceValidator { validator }
}

struct GlyphRenderer: RenditionRenderer {
    /// Nanoseconds of one core for a glyph, whose distances are measured.
    private static let glyphCost = 400_000.0

    let address: GlyphAddress
    let fonts: FontSet
    let source: GlyphSource

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let step = PredictedCost.Step(
            "glyphs", nanoseconds: Double(GlyphRangeFile.count) * Self.glyphCost, bytes: 524_288)
        try job.check(PredictedCost(steps: [step], frameCount: 1))
        guard
            let bytes = GlyphRangeFile.bytes(
                from: address.first, stack: address.stack, fonts: fonts, shouldStop: job.shouldStop)
        else { throw RenditionError(ImageError.cancelled) }
        return RenderedContent(SharedBytes(bytes), mediaType: GlyphEndpoint.mediaType, validator: source.validator)
    }
}
