import HTTPServer
import MapGrammar
import MapOverlays
import MapPlan
import MapRender
import MapSources
import Renditions

struct MapDescriber: RenditionRenderer {
    let request: MapRequest
    let maps: MapService
    let takesGzip: Bool
    private let measured = MeasuredOverlays()

    init(request: MapRequest, maps: MapService, takesGzip: Bool) {
        (self.request, self.maps, self.takesGzip) = (request, maps, takesGzip)
    }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let entry = try maps.style(request.style)
        let camera = try measured.camera(of: request, entry, maps, job)
        let summary = try summary(of: entry, from: camera, job)
        let text = MapDescriptionJSON.text(
            request, camera, style: entry.name, summary,
            boxes: try boxes(in: entry, from: camera, summary.attribution, job))
        let coded = CodedText(text, gzip: takesGzip)
        var fields = coded.codingFields
        fields.append(.coverage, summary.coverage.rawValue)
        return RenderedContent(
            coded.content, mediaType: "application/json", fields: fields, validator: .map(entry, of: request))
    }

    private func summary(
        of entry: MapStyleEntry, from camera: Camera, _ job: RenderJob
    ) throws(RenditionError) -> (coverage: MapCoverage, attribution: [String]) {
        do throws(MapError) {
            return try maps.engine.summary(
                of: entry.style, camera, resources: entry.resources, shouldStop: job.shouldStop)
        } catch {
            throw RenditionError(error)
        }
    }

    private func boxes(
        in entry: MapStyleEntry, from camera: Camera, _ attribution: [String], _ job: RenderJob
    ) throws(RenditionError) -> MapBoxes {
        try job.check(request.boxesCost(from: camera))
        // How large an asset is would have to be read from it.
        let overlays = request.overlays.filter { overlay in
            guard case .marker(let marker) = overlay, marker.title != nil else { return false }
            return if case .icon = marker.look { false } else { true }
        }
        let additions = MapAppearance.additions(
            overlays, icons: [:], to: entry.style, request.look, seenFrom: camera, shouldStop: job.shouldStop)
        do throws(MapError) {
            return try maps.engine.boxes(
                of: entry.style, camera, additions, attribution: attribution, shouldStop: job.shouldStop)
        } catch {
            throw RenditionError(error)
        }
    }
}
