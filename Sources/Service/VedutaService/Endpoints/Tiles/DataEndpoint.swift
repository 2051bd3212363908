import Bytes
import Digest
import HTTPMessage
import HTTPServer
import JSON
import MapRender
import MapSources
import MapStyle
import MapTiles

/// `/data/{source}/{z}/{x}/{y}.{extension}`: tiles as a source has them, and `/data/{source}.json`, their description.
enum DataEndpoint {
    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        try context.checkHasNoQuery()
        switch try TileTarget.path(context.head.target, after: "/data/", mayScale: false) {
        case .tile(let address): return try tile(address, context)
        case .description(let name):
            return try TileDocuments.answer(context) { sets throws(EndpointError) in
                (try sets.data(name).tileJSON.jsonText, "application/json")
            }
        }
    }

    /// On a worker. A missing tile is 204: clients show what is around it.
    private static func tile(_ address: TileAddress, _ context: RequestContext) throws(EndpointError) -> Answer {
        let library = context.service.maps.library
        guard let source = library.source(named: address.name) else { throw .sourceAbsent(among: library.sourceNames) }
        if context.head.method == .get { try context.checkHasRoom() }
        return try context.beginStoppable { stop throws(EndpointError) in
            let isGzipWelcome = AcceptEncoding.takesGzip(context.head.fields)
            guard let tile = try read(address, source, isGzipWelcome: isGzipWelcome, stop) else { return nil }
            return try response(tile, context)
        }
    }

    private struct Tile {
        /// nil: there is none.
        var content: SharedBytes?
        var isGzip = false
        var format: TileFormat
    }

    /// nil where the client has left.
    private static func read(
        _ address: TileAddress, _ source: MapSourceEntry, isGzipWelcome: Bool, _ stop: SharedFlag?
    ) throws(EndpointError) -> Tile? {
        let shouldStop = { stop?.isSet == true }
        let details: SourceDetails
        do throws(ResourceError) {
            details = try source.details(shouldStop: shouldStop)
        } catch {
            if shouldStop() { return nil }
            throw .mapSource(error)
        }
        guard extensions(of: details.format).contains(address.fileExtension) else {
            throw .wrongTileExtension(right: details.format.fileExtension)
        }
        guard details.zooms.contains(address.z) else { throw .zoomOutside(details.zooms) }
        let id = TileCoordinate(z: address.z, x: address.x, y: address.y)
        var tile = Tile(format: details.format)
        do throws(ResourceError) {
            guard let stored = try source.archive.storedTile(id, shouldStop: shouldStop) else { return tile }
            tile.isGzip = stored.encoding == .gzip && isGzipWelcome
            if tile.isGzip || stored.encoding == .identity {
                tile.content = stored.content
            } else {
                tile.content = try source.archive.tile(id, shouldStop: shouldStop)
            }
        } catch {
            if shouldStop() { return nil }
            throw .mapSource(error)
        }
        // A tile of no bytes is empty.
        if tile.content?.count == 0 { tile.content = nil }
        return tile
    }

    private static func response(_ tile: Tile, _ context: RequestContext) throws(EndpointError) -> Response {
        // The bytes are at hand, and tell more than the state of a source, which may be outdated.
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

    /// Known extensions; the first is given out.
    private static func extensions(of format: TileFormat) -> [String] {
        switch format {
        case .vector: [format.fileExtension, "pbf"]
        case .jpeg: [format.fileExtension, "jpg"]
        case .png, .webp, .avif, .unknown: [format.fileExtension]
        }
    }
}
