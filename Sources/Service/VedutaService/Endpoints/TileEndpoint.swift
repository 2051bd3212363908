import Bytes
import HTTPMessage
import HTTPServer
import JSON
import MapPlan
import MapTiles
import Parameters
import Reactor

/// `/tiles/…`: a rendered tile, or the description of a style's tiles; `/wmts`, by which GIS find them.
enum TileEndpoint {
    static func answer(_ context: RequestContext) throws(Problem) -> Answer {
        let items = try context.queryItems()
        switch try TileDocuments.path(context.head.target, after: "/tiles/", mayScale: true) {
        case .tile(let address): return try tile(address, items, context)
        case .description(let name):
            let asked: TileRequest
            do throws(ParameterFaults) { asked = try TileRequest.parse(items) } catch { throw Problem(error) }
            return try TileDocuments.answer(context) { sets throws(Problem) in
                (try sets.rendered(name, asked).tileJSON.jsonText, "application/json")
            }
        }
    }

    /// What GIS find the tiles by, or a tile by parameters.
    static func wmts(_ context: RequestContext) throws(Problem) -> Answer {
        let items = try context.queryItems()
        let asked: WMTSRequest
        do throws(TilePathFault) {
            asked = try WMTSRequest(items.map { (name: $0.name, value: $0.value) })
        } catch {
            throw Problem(error)
        }
        switch asked.operation {
        case .tile(let address): return try tile(address, [], context)
        case .capabilities:
            return try TileDocuments.answer(context) { sets throws(Problem) in
                (try sets.capabilities().xml, "text/xml; charset=utf-8")
            }
        }
    }

    private static func tile(
        _ address: TileAddress, _ items: [QueryItem], _ context: RequestContext
    ) throws(Problem) -> Answer {
        let delivery = context.service.delivery
        // Plans are remembered by query, and what these are is in the path.
        let plan = delivery.plans.shared(try TilePlanner(context.service).plan(address, items))
        return delivery.deliver(PictureAsk(plan, context), seen: nil).answer
    }
}
