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

/// The documents that describe tiles, with whole addresses in them.
enum TileDocuments {
    /// Made on a worker: sources may have to be asked. A document may be kept for minutes.
    static func answer(
        _ context: RequestContext,
        _ make: @escaping @Sendable (TileSets) throws(Problem) -> (text: String, mediaType: String)
    ) throws(Problem) -> Answer {
        let library = context.service.maps.library
        let base = BaseAddress(context.head, from: context.request.peer, context.policy.addresses)
        return try context.onWorker { () throws(Problem) in
            let document = try make(TileSets(library, base))
            let text = CodedText(document.text, for: context.head)
            let validators = Validators(entityTag: text.tag)
            var fields = FieldLines()
            if let tag = validators.entityTag { fields.append(.entityTag, tag) }
            // What a proxy names is told to whom it was named for alone: not all caches heed Vary.
            fields.append(.cacheControl, literal: base.isForwarded ? "private, max-age=300" : "max-age=300")
            text.appendVary(to: &fields, with: base.vary)
            fields.append(.xContentTypeOptions, literal: "nosniff")
            fields.append(context.lines.common)
            switch context.evaluate(validators) {
            case .notModified: return Response(status: .notModified, fields: fields)
            case .failed: throw .preconditionFailed
            case .proceed: break
            }
            fields.append(.contentType, document.mediaType)
            text.appendCoding(to: &fields)
            return Response(status: .ok, fields: fields, content: text.content)
        }
    }

    /// What the path of `target` behind `prefix` names.
    static func path(_ target: RequestTarget, after prefix: String, mayScale: Bool) throws(Problem) -> TilePath {
        guard let path = DescribedPath.decoded(String(target.path.dropFirst(prefix.utf8.count))) else {
            throw Problem(TilePathFault.malformed(allowed: "a percent-encoded path in UTF-8"))
        }
        do throws(TilePathFault) {
            return try TilePath(path, mayScale: mayScale)
        } catch {
            throw Problem(error)
        }
    }
}
