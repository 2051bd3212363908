import HTTPServer
import MapGrammar
import MapRender
import MapSources
import Renditions

/// Makes what `/map.json` tells of a map.
struct MapDescriber: RenditionRenderer {
    let request: MapRequest
    let maps: MapService
    let takesGzip: Bool

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let entry = try maps.style(request.style)
        let camera = maps.camera(of: request, entry, job)
        let summary = maps.engine.summary(of: entry.style, camera, resources: entry.resources)
        let text = MapDescriptionJSON.text(request, camera, style: entry.name, summary)
        let coded = CodedText(text, gzip: takesGzip)
        var fields = coded.codingFields
        fields.append(.coverage, summary.coverage.rawValue)
        return RenderedContent(
            coded.content, mediaType: "application/json", fields: fields, validator: .map(entry, of: request))
    }
}
