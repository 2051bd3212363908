import Bytes
import Digest
import HTTPMessage
import HTTPServer
import JSON
import MapRender
import MapSources
import MapStyle
import MapTiles
import Reactor

/// `/data/{source}/{z}/{x}/{y}.{extension}`: tiles as a source keeps them, and `/data/{source}.json`, what is told of it.
enum DataEndpoint {
    static func answer(_ context: RequestContext) throws(Problem) -> Answer {
        try context.checkHasNoQuery()
        switch try TileDocuments.path(context.head.target, after: "/data/", mayScale: false) {
        case .tile(let address): return try tile(address, context)
        case .description(let name):
            return try TileDocuments.answer(context) { sets throws(Problem) in
                (try sets.data(name).tileJSON.jsonText, "application/json")
            }
        }
    }

    /// A tile, on a worker. One that the source does not have is 204: clients show what is around it.
    private static func tile(_ address: TileAddress, _ context: RequestContext) throws(Problem) -> Answer {
        let library = context.service.maps.library
        guard let source = library.source(named: address.name) else {
            throw .tileSetNotFound("source", library.sourceNames)
        }
        return try context.onWorker { () throws(Problem) in
            let isGzipWelcome = AcceptEncoding.takesGzip(context.head.fields)
            return try response(try read(address, source, isGzipWelcome: isGzipWelcome), context)
        }
    }

    private struct Tile {
        /// nil: there is none.
        var content: SharedBytes?
        var isGzip = false
        var format: TileFormat
    }

    private static func read(
        _ address: TileAddress, _ source: MapSourceEntry, isGzipWelcome: Bool
    ) throws(Problem) -> Tile {
        let details: SourceDetails
        do throws(ResourceError) { details = try source.details() } catch { throw Problem(error) }
        guard extensions(of: details.format).contains(address.fileExtension) else {
            throw .tileNotFound("The tile paths of this source end in `.\(details.format.fileExtension)`.")
        }
        guard details.zooms.contains(address.z) else {
            throw .tileNotFound(
                "The source has the zoom levels \(details.zooms.lowerBound) to \(details.zooms.upperBound).")
        }
        let id = TileCoordinate(z: address.z, x: address.x, y: address.y)
        var tile = Tile(format: details.format)
        do throws(ResourceError) {
            guard let stored = try source.archive.storedTile(id) else { return tile }
            tile.isGzip = stored.encoding == .gzip && isGzipWelcome
            if tile.isGzip || stored.encoding == .identity {
                tile.content = stored.content
            } else {
                tile.content = try source.archive.tile(id)
            }
        } catch {
            throw Problem(error)
        }
        // A tile of no bytes says that there is nothing here.
        if tile.content?.count == 0 { tile.content = nil }
        return tile
    }

    private static func response(_ tile: Tile, _ context: RequestContext) throws(Problem) -> Response {
        // The bytes are at hand, and say more than the state of a source, which another server's may have left since.
        let digest = SHA256.digest(of: tile.content ?? SharedBytes([])).base64URL(byteCount: 16)
        let validators = Validators(
            entityTag: EntityTag(opaque: digest + (tile.isGzip ? "-gzip" : tile.content == nil ? "-none" : "")))
        var fields = FieldLines()
        if let tag = validators.entityTag { fields.append(.entityTag, tag) }
        fields.append(.vary, literal: "Accept-Encoding")
        fields.append(context.lines.renditions(.map).plain)
        switch context.evaluate(validators) {
        case .notModified: return Response(status: .notModified, fields: fields)
        case .failed: throw .preconditionFailed
        case .proceed: break
        }
        guard let content = tile.content else { return Response(status: .noContent, fields: fields) }
        fields.append(.contentType, tile.format.mediaType)
        if tile.isGzip { fields.append(.contentEncoding, literal: "gzip") }
        return Response(status: .ok, fields: fields, content: content)
    }

    /// The endings under which tiles are known; the first is the one that is given out.
    private static func extensions(of format: TileFormat) -> [String] {
        switch format {
        case .vector: [format.fileExtension, "pbf"]
        case .jpeg: [format.fileExtension, "jpg"]
        case .png, .webp, .avif, .unknown: [format.fileExtension]
        }
    }
}
