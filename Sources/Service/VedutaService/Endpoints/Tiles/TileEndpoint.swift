import HTTPMessage
import HTTPServer
import ImagePlan
import JSON
import MapGrammar
import MapSources
import MapTiles
import Parameters
import Renditions
import ResponseCache

/// `/tiles/…`: a rendered tile, or the description of a style's tiles; `/wmts`, the catalogue for GIS.
enum TileEndpoint {
    static func answer(_ context: RequestContext) throws(EndpointError) -> Answer {
        let items = try context.queryItems()
        switch try TileTarget.path(context.head.target, after: "/tiles/", mayScale: true) {
        case .tile(let address): return try tile(address, items, context)
        case .description(let name):
            let asked: TileRequest
            do throws(ParameterFaults) { asked = try TileRequest.parse(items) } catch { throw .parameters(error) }
            return try TileDocuments.answer(context) { sets throws(EndpointError) in
                (try sets.rendered(name, asked).tileJSON.jsonText, "application/json")
            }
        }
    }

    /// The catalogue, or a tile by parameters.
    static func wmts(_ context: RequestContext) throws(EndpointError) -> Answer {
        let items = try context.queryItems()
        let asked: WMTSRequest
        do throws(TilePathFault) {
            asked = try WMTSRequest(items.map { (name: $0.name, value: $0.value) })
        } catch {
            throw .tilePath(error)
        }
        switch asked.operation {
        case .tile(let address): return try tile(address, [], context)
        case .capabilities:
            return try TileDocuments.answer(context) { sets throws(EndpointError) in
                (try sets.capabilities().xml, "text/xml; charset=utf-8")
            }
        }
    }

    private static func tile(
        _ address: TileAddress, _ items: [QueryItem], _ context: RequestContext
    ) throws(EndpointError) -> Answer {
        // Memos know queries, and this is in the path.
        context.deliver(try rendition(address, items, context.service.maps))
    }

    /// `/tiles/{style}/{z}/{x}/{y}[@2x].{png|jpeg|webp}`, with the parameters of its query.
    static func rendition(
        _ address: TileAddress, _ items: [QueryItem], _ maps: MapService
    ) throws(EndpointError) -> Rendition {
        let request: TileRequest
        do throws(ParameterFaults) { request = try TileRequest.parse(items) } catch { throw .parameters(error) }
        guard let output = formats[address.fileExtension] else {
            throw .tilePath(.malformed(allowed: "the extensions \(formats.keys.sorted().joined(separator: ", "))"))
        }
        guard maps.library.style(named: address.name) != nil else { throw .styleAbsent(among: maps.library.styleNames) }
        guard
            let tile = MapTile(
                z: address.z, x: address.x, y: address.y, side: .init(rawValue: request.side) ?? .px256,
                ratio: address.ratio)
        else { throw .tilePath(.noSuchTile) }
        let name = "tiles/\(address.name)/\(tile.z)/\(tile.x)/\(tile.y)@\(tile.ratio)x.\(output.rawValue)"
        let canonical = request.canonical.isEmpty ? name : "\(name)?\(request.canonical)"
        return Rendition(
            Endpoint.tiles.route, .map, TileSource(maps: maps, styleName: address.name, tile: tile),
            renderer: TileRenderer(maps: maps, styleName: address.name, tile: tile, request: request, output: output),
            fingerprint: .service, canonical: canonical, variant: output.rawValue, vary: "",
            mediaTypes: [output.mediaType], tag: CacheTag(map: canonical))
    }

    private static let formats: [String: OutputFormat] = ["png": .png, "jpeg": .jpeg, "jpg": .jpeg, "webp": .webp]
}
