import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapGrammar
import MapOverlays
import MapPlan
import MapRender
import MapSources
import Originals
import Raster
import Renditions

/// One map, and what it is made of.
struct MapSubject: Sendable {
    let request: MapRequest
    let maps: MapService
    let icons: MapIcons

    /// The state of everything that the map is made of.
    fileprivate func validator(
        _ style: MapStyleEntry, _ icons: [OriginalState], isIncomplete: Bool = false
    ) -> SourceValidator {
        .map(style.validator(seenFrom: knownCamera), icons: icons, isIncomplete: isIncomplete)
    }

    /// The camera where it follows quickly and without asking sources; nil elsewhere: the map may be of anywhere then.
    private var knownCamera: Camera? {
        switch request.placement {
        case .center(_, _, .automatic), .overlays: nil
        case .center, .box: request.camera { _, _ in 0 }
        }
    }

    fileprivate func camera(_ entry: MapStyleEntry, _ job: RenderJob) -> Camera {
        let snapshot = maps.library.snapshot
        return request.camera { latitude, longitude in
            snapshot.defaultZoom(entry, latitude: latitude, longitude: longitude, shouldStop: job.shouldStop)
        }
    }
}

struct MapRenderer: RenditionSource {
    let map: MapSubject
    let output: OutputFormat

    var preparation: (any SourcePreparation)? { map.icons.preparation }

    func currentState() throws(RenditionError) -> SourceValidator {
        map.validator(try map.maps.style(map.request.style), try map.icons.states())
    }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let (request, maps) = (map.request, map.maps)
        let entry = try maps.style(request.style)
        let camera = map.camera(entry, job)
        guard request.dashCount(from: camera) <= DrawnStroke.dashCountLimit else {
            throw RenditionError(MapError.tooManyDashes)
        }
        let (textures, states) = try map.icons.read(
            job,
            beside: request.predictedCost(
                from: camera, encodedAs: output, includesWorld: entry.world?.mayBeRead(from: camera) ?? false))
        let drawn = try draw(entry, camera, textures: textures, job: job)
        maps.report(drawn.faults, lacking: drawn.missingGlyphs)
        let started = ContinuousClock.now
        let content: SharedBytes
        do throws(ImageError) {
            content = try ImageEngine.encode(
                rgba: drawn.pixels, widthPx: drawn.widthPx, heightPx: drawn.heightPx, output: output,
                quality: request.quality, filters: ImageFilter.inOrder(request.filters, scale: request.scale),
                shouldStop: job.shouldStop)
        } catch {
            throw RenditionError(error)
        }
        return RenderedContent(
            content, mediaType: output.mediaType, fields: fields(drawn),
            validator: map.validator(entry, states, isIncomplete: drawn.isIncomplete),
            isKeptBriefly: !drawn.hasPassingFaults,
            timings: [
                ("decode", drawn.timings.decode), ("prepare", drawn.timings.prepare), ("place", drawn.timings.place),
                ("draw", drawn.timings.draw), ("encode", ContinuousClock.now - started),
            ])
    }

    private func fields(_ drawn: RenderedMap) -> FieldLines {
        var lines = FieldLines()
        lines.append(.coverage, drawn.coverage.rawValue)
        lines.append(lacking: drawn.missingGlyphs)
        guard let name = map.request.downloadName else { return lines }
        lines.append(.contentDisposition, ContentDisposition.attachment(named: name, format: output))
        return lines
    }

    private func draw(
        _ entry: MapStyleEntry, _ camera: Camera, textures: [String: Texture], job: RenderJob
    ) throws(RenditionError) -> RenderedMap {
        let (request, maps) = (map.request, map.maps)
        let style = maps.variants.style(entry, request.look)
        let additions = MapAppearance.additions(
            request.overlays, icons: textures, to: style, request.look, seenFrom: camera, shouldStop: job.shouldStop)
        do throws(MapError) {
            return try maps.engine.render(
                style, camera, additions: additions, resources: entry.resources, shouldStop: job.shouldStop)
        } catch {
            throw RenditionError(error)
        }
    }
}

struct MapDescriber: RenditionSource {
    let map: MapSubject
    let takesGzip: Bool

    func currentState() throws(RenditionError) -> SourceValidator {
        map.validator(try map.maps.style(map.request.style), [])
    }

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let entry = try map.maps.style(map.request.style)
        let camera = map.camera(entry, job)
        let summary = map.maps.engine.summary(of: entry.style, camera, resources: entry.resources)
        let text = MapDescriptionJSON.text(map.request, camera, style: entry.name, summary)
        let coded = CodedText(text, gzip: takesGzip)
        var fields = coded.codingFields
        fields.append(.coverage, summary.coverage.rawValue)
        return RenderedContent(
            coded.content, mediaType: "application/json", fields: fields, validator: map.validator(entry, []))
    }
}

extension SourceValidator {
    /// The sources and style of a map, and its icons; whether something is missing that may be there soon.
    static func map(_ text: String, icons: [OriginalState] = [], isIncomplete: Bool = false) -> SourceValidator {
        let whole = SourceValidator(([text] + icons.map(\.validator)).joined(separator: "+"), mayLack: true)
        return isIncomplete ? whole.incomplete ?? whole : whole
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

extension MapStyleEntry {
    /// Changes with what maps from this camera are made of, the world around the archive included where it may be seen.
    func validator(seenFrom camera: @autoclosure () -> Camera?) -> String {
        guard let world, let state = world.validator(seenFrom: camera()) else { return validator }
        return "\(validator) around \(state)"
    }
}
