import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import MapPlan
import MapRender
import MapSources
import MapTiles
import Parameters
import ResponseCache

/// `/tiles/{style}/{z}/{x}/{y}[@2x].{png|jpeg|webp}`: the tiles of a web map, drawn so that they fit each other.
struct TilePlanner {
    private let maps: MapStudio

    init(_ service: ServiceParts) { maps = service.maps }

    /// The picture of a tile, with the parameters of its query.
    func plan(_ address: TileAddress, _ items: [QueryItem]) throws(Problem) -> PicturePlan {
        let request: TileRequest
        do throws(ParameterFaults) {
            request = try TileRequest.parse(items)
        } catch {
            throw Problem(error)
        }
        guard let output = Self.formats[address.fileExtension] else {
            throw Problem(
                TilePathFault.malformed(allowed: "the extensions \(Self.formats.keys.sorted().joined(separator: ", "))")
            )
        }
        let styleName = address.name
        guard maps.library.style(named: styleName) != nil else {
            throw .tileSetNotFound("style", maps.library.styleNames)
        }
        guard
            let tile = MapTile(
                z: address.z, x: address.x, y: address.y, side: .init(rawValue: request.side) ?? .px256,
                ratio: address.ratio)
        else { throw Problem(TilePathFault.noSuchTile) }
        let quality = output.settled(request.quality)
        let name = "tiles/\(address.name)/\(tile.z)/\(tile.x)/\(tile.y)@\(tile.ratio)x.\(output.rawValue)"
        let canonical = request.canonical.isEmpty ? name : "\(name)?\(request.canonical)"
        let maps = maps
        return PicturePlan(
            route: .tiles, canonical: canonical, variant: output.rawValue, vary: "",
            mediaTypes: [output.mediaType], kind: .map, tag: CacheTag(map: canonical),
            currentValidator: { () throws(Problem) in
                .map(try maps.style(styleName).validator(seenFrom: tile.camera))
            },
            render: { job throws(Problem) in
                let style = try maps.style(styleName)
                try Self.admit(tile, style, request, output: output, job: job)
                let picture = try Self.draw(tile, style, request, maps: maps, shouldStop: job.shouldStop)
                maps.report(picture.faults, lacking: picture.isNew ? picture.missingGlyphs : [])
                let validator = SourceValidator.map(
                    style.validator(seenFrom: tile.camera), isIncomplete: picture.isIncomplete)
                var made = try Self.encode(
                    picture, as: output, quality: quality, validator: validator, shouldStop: job.shouldStop)
                made.fields.append(MapPainting.coverage, picture.coverage.rawValue)
                made.isKeptBriefly = !picture.hasPassingFaults
                return made
            })
    }

    /// Asks whether the square that the tile is cut from may be drawn: what it costs is that of a map of its size.
    private static func admit(
        _ tile: MapTile, _ style: MapStyleEntry, _ request: TileRequest, output: OutputFormat, job: RenderJob
    ) throws(Problem) {
        var map = MapRequest(.overlays(maxZoom: 0))
        map.look = request.look
        let camera = Metatile(of: tile).camera
        let cost = map.predictedCost(
            from: camera, encodedAs: output, hasSurroundings: style.world?.mayBeRead(from: camera) ?? false)
        do throws(ImageError) {
            try job.admit(cost).check(cost)
        } catch {
            throw Problem(error)
        }
    }

    private static let formats: [String: OutputFormat] = ["png": .png, "jpeg": .jpeg, "jpg": .jpeg, "webp": .webp]

    private static func draw(
        _ tile: MapTile, _ style: MapStyleEntry, _ request: TileRequest, maps: MapStudio,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(Problem) -> TilePicture {
        do throws(MapError) {
            return try maps.metatiles.tile(
                tile, in: maps.variants.style(style, request.look),
                variant: "\(style.name) \(style.validator(seenFrom: Metatile(of: tile).camera)) \(request.styleText)",
                stated: maps.engine.summary(of: style.style, tile.camera, resources: style.resources).coverage,
                resources: style.resources, shouldStop: shouldStop)
        } catch {
            throw Problem(error)
        }
    }

    private static func encode(
        _ picture: TilePicture, as output: OutputFormat, quality: Int?, validator: SourceValidator,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(Problem) -> RenderedPicture {
        do throws(ImageError) {
            let drawn = ContinuousClock().now
            let content = try ImageEngine.encode(
                rgba: picture.pixels, widthPx: picture.sidePx, heightPx: picture.sidePx, output: output,
                quality: quality, shouldStop: shouldStop)
            var timings: [(StaticString, Duration)] = []
            if let parts = picture.timings {
                timings = [
                    ("decode", parts.decode), ("prepare", parts.prepare), ("place", parts.place), ("draw", parts.draw),
                ]
            }
            timings.append(("encode", ContinuousClock().now - drawn))
            var fields = FieldLines()
            fields.append(lacking: picture.missingGlyphs)
            return RenderedPicture(
                content: content, mediaType: output.mediaType, fields: fields, validator: validator, timings: timings)
        } catch {
            throw Problem(error)
        }
    }
}
