import HTTPServer
import ImagePlan
import Renditions
import ResponseCache

@testable import VedutaService

/// Renditions of one asset, for tests that make nothing of them.
enum TestRenditions {
    /// A source in one state, of which nothing can be made.
    struct Source: RenditionSource, RenditionRenderer {
        func currentState() throws(RenditionError) -> SourceValidator { .map("v1") }
        func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent { throw .timedOut() }
    }

    static func rendition(
        _ canonical: String = "id=a", _ endpoint: Endpoint = .asset, variant: String = "jpeg", vary: String = "Accept",
        causes: String = "", tag: String = "a", source: any RenditionSource & RenditionRenderer = Source()
    ) -> Rendition {
        Rendition(
            endpoint.route, .asset, source, renderer: source, fingerprint: .service, causes: causes,
            canonical: canonical, variant: variant, vary: vary, mediaTypes: ["image/jpeg"], tag: CacheTag(assetID: tag))
    }
}
