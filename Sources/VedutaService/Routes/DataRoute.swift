import Bytes
import Digest
import HTTPMessage
import HTTPServer
import MapRender
import MapSources
import MapStyle
import MapTiles
import Reactor

/// `/data/{source}/{z}/{x}/{y}.{extension}`: tiles as a source keeps them.
struct DataRoute {
    private let service: ServiceParts

    init(_ service: ServiceParts) { self.service = service }

    /// A tile, on a worker. One that the source does not have is 204: clients show what is around it.
    func answer(
        _ address: TileAddress, _ request: Request, _ lines: PolicyLines, _ responder: Responder
    ) throws(Problem) -> Answer {
        let library = service.maps.library
        guard let source = library.source(named: address.name) else {
            throw .tileSetNotFound("source", library.sourceNames)
        }
        let service = service
        return try AssetsRoute(service).onWorker(request, lines, .data, responder) { () throws(Problem) in
            let isGzipWelcome = AcceptEncoding.takesGzip(request.head.fields)
            let tile = try Self.read(address, source, isGzipWelcome: isGzipWelcome)
            return try Self.response(tile, address, source, request, lines, now: service.clock.unixSeconds())
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
            throw .tileNotFound("The tiles of this source end in `.\(details.format.fileExtension)`.")
        }
        guard details.zooms.contains(address.z) else {
            throw .tileNotFound(
                "The source has the levels \(details.zooms.lowerBound) to \(details.zooms.upperBound).")
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
        // A tile of no octets says that there is nothing here.
        if tile.content?.count == 0 { tile.content = nil }
        return tile
    }

    private static func response(
        _ tile: Tile, _ address: TileAddress, _ source: MapSourceEntry, _ request: Request, _ lines: PolicyLines,
        now: Int64
    ) throws(Problem) -> Response {
        // The octets are at hand, and say more than the state of a source, which another server's may have left since.
        let digest = SHA256.digest(of: tile.content ?? SharedBytes([])).base64URL(octetCount: 16)
        let validators = Validators(
            entityTag: EntityTag(opaque: digest + (tile.isGzip ? "-gzip" : tile.content == nil ? "-none" : "")))
        var fields = FieldLines()
        if let tag = validators.entityTag { fields.append(.entityTag, tag) }
        fields.append(.vary, literal: "Accept-Encoding")
        fields.append(lines.pictures(.map).plain)
        switch Preconditions.evaluate(request.head.method, request.head.fields, validators, now: now) {
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
