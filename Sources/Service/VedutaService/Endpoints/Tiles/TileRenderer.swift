import Bytes
import HTTPServer
import ImageEngine
import ImagePlan
import MapGrammar
import MapPlan
import MapRender
import MapSources
import MapTiles
import Parameters
import Renditions

/// What a tile of a web map is made of.
struct TileSource: RenditionSource {
    let maps: MapService
    let styleName: String
    let tile: MapTile

    func currentState() throws(RenditionError) -> SourceValidator {
        .map(try maps.style(styleName).validator(seenFrom: tile.camera))
    }
}

/// Draws a tile of a web map, which fits its neighbors.
struct TileRenderer: RenditionRenderer {
    let maps: MapService
    let styleName: String
    let tile: MapTile
    let request: TileRequest
    let output: OutputFormat

    func render(_ job: RenderJob) throws(RenditionError) -> RenderedContent {
        let style = try maps.style(styleName)
        try admit(style, job)
        let picture = try draw(style, job)
        maps.report(picture.faults, lacking: picture.isNew ? picture.missingGlyphs : [])
        let started = ContinuousClock.now
        let content = try encode(picture, job)
        var fields = FieldLines()
        fields.append(lacking: picture.missingGlyphs)
        fields.append(.coverage, picture.coverage.rawValue)
        var timings: [RenderTiming] = []
        if let parts = picture.timings {
            timings = [
                ("decode", parts.decode), ("prepare", parts.prepare), ("place", parts.place), ("draw", parts.draw),
            ]
        }
        timings.append(("encode", ContinuousClock.now - started))
        return RenderedContent(
            content, mediaType: output.mediaType, fields: fields,
            validator: .map(style.validator(seenFrom: tile.camera), isIncomplete: picture.isIncomplete),
            isKeptBriefly: !picture.hasPassingFaults, timings: timings)
    }

    /// Asks whether the square that the tile is cut from may be drawn: it costs what a map of its size costs.
    private func admit(_ style: MapStyleEntry, _ job: RenderJob) throws(RenditionError) {
        var map = MapRequest(.overlays(maxZoom: 0))
        map.look = request.look
        let camera = Metatile(of: tile).camera
        let cost = try maps.price(of: map, in: style, from: camera, encodedAs: output)
        do throws(ImageError) { try job.admission(cost).check(cost) } catch { throw RenditionError(error) }
    }

    private func draw(_ style: MapStyleEntry, _ job: RenderJob) throws(RenditionError) -> TilePicture {
        do throws(MapError) {
            return try maps.metatiles.tile(
                tile, in: maps.variants.style(style, request.look),
                variant: "\(style.name) \(style.validator(seenFrom: Metatile(of: tile).camera)) \(request.styleText)",
                stated: maps.engine.summary(
                    of: style.style, tile.camera, resources: style.resources, shouldStop: job.shouldStop
                ).coverage,
                resources: style.resourcesToDraw(until: job.shouldStop), shouldStop: job.shouldStop)
        } catch {
            throw RenditionError(error)
        }
    }

    private func encode(_ picture: TilePicture, _ job: RenderJob) throws(RenditionError) -> SharedBytes {
        do throws(ImageError) {
            return try ImageEngine.encode(
                rgba: picture.pixels, widthPx: picture.sidePx, heightPx: picture.sidePx, output: output,
                quality: output.settled(request.quality), shouldStop: job.shouldStop)
        } catch {
            throw RenditionError(error)
        }
    }
}
