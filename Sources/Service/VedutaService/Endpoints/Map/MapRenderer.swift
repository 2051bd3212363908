import Bytes
import HTTPMessage
import HTTPServer
import ImagePlan
import MapGrammar
import MapOverlays
import MapPlan
import MapRender
import MapSources
import Raster
import Renditions

struct MapRenderer: RenditionRenderer {
    let request: MapRequest
    let maps: MapService
    let icons: MapIcons
    let output: OutputFormat
    private let measured = MeasuredOverlays()

    init(request: MapRequest, maps: MapService, icons: MapIcons, output: OutputFormat) {
        (self.request, self.maps, self.icons, self.output) = (request, maps, icons, output)
    }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let entry = try maps.style(request.style)
        let camera = try measured.camera(of: request, entry, maps, job)
        let overlayWork = try measured.work(of: request, from: camera, job)
        let (textures, states) = try icons.read(
            job,
            beside: maps.price(of: request, in: entry, from: camera, encodedAs: output, overlayWork: overlayWork))
        let drawn = try maps.draw(request, in: entry, from: camera, textures: textures, job)
        maps.report(drawn.faults, lacking: drawn.missingGlyphs)
        let encoded = try request.encoding.encode(
            drawn.pixels, PixelSize(widthPx: drawn.widthPx, heightPx: drawn.heightPx), scale: request.scale, as: output,
            job)
        return RenderedContent(
            encoded.content, mediaType: output.mediaType, fields: fields(drawn),
            validator: .map(entry, of: request, icons: states, isIncomplete: drawn.isIncomplete),
            isKeptBriefly: !drawn.hasPassingFaults,
            timings: [
                ("decode", drawn.timings.decode), ("prepare", drawn.timings.prepare), ("place", drawn.timings.place),
                ("draw", drawn.timings.draw), encoded.timing,
            ])
    }

    private func fields(_ drawn: RenderedMap) -> FieldLines {
        var lines = FieldLines()
        lines.append(.coverage, drawn.coverage.rawValue)
        lines.append(lacking: drawn.missingGlyphs)
        request.encoding.append(to: &lines, output)
        return lines
    }
}

extension MapService {
    func draw(
        _ request: MapRequest, in entry: MapStyleEntry, from camera: Camera, textures: [ExactText: Texture] = [:],
        _ job: RenderJob
    ) throws(RenditionError) -> RenderedMap {
        let style = variants.style(entry, request.look)
        let additions = MapAppearance.additions(
            request.overlays, icons: textures, to: style, request.look, seenFrom: camera, shouldStop: job.shouldStop)
        do throws(MapError) {
            return try engine.render(
                style, camera, additions: additions, resources: entry.resourcesToDraw(until: job.shouldStop),
                heldByteLimit: heldByteLimit(in: entry, from: camera), shouldStop: job.shouldStop)
        } catch {
            throw RenditionError(error)
        }
    }

    /// Throws where `job` should stop meanwhile.
    func camera(
        of request: MapRequest, _ style: MapStyleEntry, _ job: RenderJob
    ) throws(RenditionError) -> Camera {
        let snapshot = library.snapshot
        var hasStopped = false
        let camera = request.camera(
            defaultZoom: { latitude, longitude in
                snapshot.defaultZoom(style, latitude: latitude, longitude: longitude, shouldStop: job.shouldStop)
            },
            shouldStop: {
                hasStopped = hasStopped || job.shouldStop()
                return hasStopped
            })
        if hasStopped { throw RenditionError(MapError.cancelled) }
        return camera
    }
}

extension FieldName {
    /// How much of the ground the sources cover.
    static let coverage: FieldName = "Veduta-Coverage"
}

extension FieldLines {
    mutating func append(lacking glyphs: [MissingGlyph]) {
        if !glyphs.isEmpty { append("Veduta-Missing", "glyphs;count=\(glyphs.count)") }
    }
}
