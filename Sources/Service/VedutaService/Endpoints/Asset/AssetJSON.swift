import HTTPServer
import Renditions

/// What is told of an asset, and the field lines that come with it.
struct AssetJSON: Sendable {
    let text: String
    var fields = FieldLines()

    static let mediaType = "application/json"

    /// Makes it of originals that were read.
    typealias Make = @Sendable (AssetSources.Loaded, RenderJob) throws(RenditionError) -> AssetJSON

    /// Makes it of the originals of a request.
    struct Renderer: RenditionSource {
        let sources: AssetSources
        /// Names the work in `Server-Timing`.
        let step: StaticString
        let takesGzip: Bool
        let text: Make

        var preparation: (any SourcePreparation)? { sources.preparation }

        func currentState() throws(RenditionError) -> SourceValidator { try sources.currentState() }

        func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
            let started = ContinuousClock.now
            let loaded = try sources.read()
            let fetched = ContinuousClock.now
            let made = try text(loaded, job)
            let coded = CodedText(made.text, gzip: takesGzip)
            var fields = coded.codingFields
            fields.append(made.fields)
            return RenderedContent(
                coded.content, mediaType: AssetJSON.mediaType, fields: fields, validator: loaded.validator,
                timings: [("fetch", fetched - started), (step, ContinuousClock.now - fetched)])
        }
    }
}
