import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapOverlays
import MapPlan
import MapRender
import MapSources
import Raster
import ResponseCache

/// One map as asked for, on its way to a picture or to what is told of it.
struct MapPainting: Sendable {
    let request: MapRequest
    let maps: MapStudio
    let icons: MapIcons

    /// The field that says how much of the ground the sources have.
    static let coverage: FieldName = "Veduta-Coverage"

    /// The state of all that the map is made of, now.
    func validator(withIcons: Bool = true) throws(Problem) -> SourceValidator {
        validator(try maps.style(request.style), withIcons ? try icons.states() : [])
    }

    private func validator(
        _ style: MapStyleEntry, _ states: [OriginalState], isIncomplete: Bool = false
    ) -> SourceValidator {
        .map(style.validator(seenFrom: knownCamera), icons: states, isIncomplete: isIncomplete)
    }

    /// From where the map is looked at, where that can be told quickly and without asking sources; nil elsewhere: the picture
    /// may be of anywhere then.
    private var knownCamera: Camera? {
        switch request.placement {
        case .center(_, _, .automatic), .overlays: nil
        case .center, .box: request.camera { _, _ in 0 }
        }
    }

    // MARK: On a worker

    func render(as output: OutputFormat, _ job: RenderJob) throws(Problem) -> RenderedPicture {
        let entry = try maps.style(request.style)
        let camera = self.camera(entry, job)
        guard request.dashCount(from: camera) <= DrawnStroke.dashCountLimit else { throw .tooManyDashes }
        let (textures, states) = try icons.read(
            job,
            beside: request.predictedCost(
                from: camera, encodedAs: output, hasSurroundings: entry.world?.mayBeRead(from: camera) ?? false))
        let map = try draw(entry, camera, textures: textures, job: job)
        maps.report(map.faults, lacking: map.missingGlyphs)
        let drawn = ContinuousClock.now
        let content: SharedBytes
        do throws(ImageError) {
            content = try ImageEngine.encode(
                rgba: map.pixels, widthPx: map.widthPx, heightPx: map.heightPx, output: output,
                quality: request.quality, filters: ImageFilter.inOrder(request.filters, scale: request.scale),
                shouldStop: job.shouldStop)
        } catch {
            throw Problem(error)
        }
        return RenderedPicture(
            content: content, mediaType: output.mediaType, fields: fields(output, map),
            validator: validator(entry, states, isIncomplete: map.isIncomplete),
            isKeptBriefly: !map.hasPassingFaults,
            timings: [
                ("decode", map.timings.decode), ("prepare", map.timings.prepare), ("place", map.timings.place),
                ("draw", map.timings.draw), ("encode", ContinuousClock.now - drawn),
            ])
    }

    /// What the map shows, as JSON.
    func describe(_ job: RenderJob, takesGzip: Bool) throws(Problem) -> RenderedPicture {
        let entry = try maps.style(request.style)
        let camera = self.camera(entry, job)
        let summary = maps.engine.summary(of: entry.style, camera, resources: entry.resources)
        let text = MapDescriptionJSON.text(request, camera, style: entry.name, summary)
        let coded = CodedText(text, gzip: takesGzip)
        var fields = coded.codingFields
        fields.append(Self.coverage, summary.coverage.rawValue)
        return RenderedPicture(
            content: coded.content, mediaType: "application/json", fields: fields, validator: validator(entry, []),
            timings: [])
    }

    private func fields(_ output: OutputFormat, _ map: RenderedMap) -> FieldLines {
        var lines = FieldLines()
        lines.append(Self.coverage, map.coverage.rawValue)
        lines.append(lacking: map.missingGlyphs)
        guard let name = request.downloadName else { return lines }
        lines.append(.contentDisposition, ContentDisposition.attachment(named: name, format: output))
        return lines
    }

    private func draw(
        _ entry: MapStyleEntry, _ camera: Camera, textures: [String: Texture], job: RenderJob
    ) throws(Problem) -> RenderedMap {
        let look = request.look
        let style = maps.variants.style(entry, look)
        let additions = MapAppearance.additions(
            request.overlays, icons: textures, to: style, look, seenFrom: camera, shouldStop: job.shouldStop)
        do throws(MapError) {
            return try maps.engine.render(
                style, camera, additions: additions, resources: entry.resources, shouldStop: job.shouldStop)
        } catch {
            throw Problem(error)
        }
    }

    private func camera(_ entry: MapStyleEntry, _ job: RenderJob) -> Camera {
        let snapshot = maps.library.snapshot
        return request.camera { latitude, longitude in
            snapshot.defaultZoom(entry, latitude: latitude, longitude: longitude, shouldStop: job.shouldStop)
        }
    }
}

extension FieldLines {
    /// Says that a picture lacks glyphs, if it does.
    mutating func append(lacking glyphs: [MissingGlyph]) {
        if !glyphs.isEmpty { append("Veduta-Missing", "glyphs;count=\(glyphs.count)") }
    }
}

extension MapStyleEntry {
    /// Changes with what pictures from a camera are made of, the world around the archive included where it may be seen.
    func validator(seenFrom camera: @autoclosure () -> Camera?) -> String {
        guard let world, let state = world.validator(seenFrom: camera()) else { return validator }
        return "\(validator) around \(state)"
    }
}
