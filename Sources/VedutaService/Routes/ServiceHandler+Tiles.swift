import Bytes
import HTTPMessage
import HTTPServer
import MapPlan
import MapStyle
import MapTiles
import Parameters
import Reactor

// Tiles and what describes them.
extension ServiceHandler {
    /// `/tiles/…`: a rendered tile, or the description of a style's tiles.
    func tiles(_ request: Request, _ lines: PolicyLines, _ responder: Responder) throws(Problem) -> Answer {
        let items = try queryItems(request.head)
        switch try path(request.head.target, after: "/tiles/", mayScale: true) {
        case .tile(let address): return try tile(address, items, request, lines, responder)
        case .description(let name):
            let asked: TileRequest
            do throws(ParameterFaults) { asked = try TileRequest.parse(items) } catch { throw Problem(error) }
            return try document(request, lines, .tiles, responder) { sets throws(Problem) in
                (try sets.rendered(name, asked).tileJSON.jsonText, "application/json")
            }
        }
    }

    /// `/data/…`: a tile of a source as it is, or the description of the source.
    func data(_ request: Request, _ lines: PolicyLines, _ responder: Responder) throws(Problem) -> Answer {
        do throws(ParameterFaults) {
            try ParameterReader(try QueryItems.parse(request.head.target.query ?? ""), table: ParameterTable([]))
                .finish()
        } catch {
            throw Problem(error)
        }
        switch try path(request.head.target, after: "/data/", mayScale: false) {
        case .tile(let address): return try DataRoute(service).answer(address, request, lines, responder)
        case .description(let name):
            return try document(request, lines, .data, responder) { sets throws(Problem) in
                (try sets.data(name).tileJSON.jsonText, "application/json")
            }
        }
    }

    /// `/wmts`: what GIS find the tiles by, or a tile by parameters.
    func wmts(_ request: Request, _ lines: PolicyLines, _ responder: Responder) throws(Problem) -> Answer {
        let items = try queryItems(request.head)
        let asked: WMTSRequest
        do throws(TilePathFault) {
            asked = try WMTSRequest(items.map { (name: $0.name, value: $0.value) })
        } catch {
            throw Problem(error)
        }
        switch asked.operation {
        case .tile(let address): return try tile(address, [], request, lines, responder)
        case .capabilities:
            return try document(request, lines, .wmts, responder) { sets throws(Problem) in
                (try sets.capabilities().xml, "text/xml; charset=utf-8")
            }
        }
    }

    private func tile(
        _ address: TileAddress, _ items: [QueryItem], _ request: Request, _ lines: PolicyLines, _ responder: Responder
    ) throws(Problem) -> Answer {
        let delivery = service.delivery
        // Plans are remembered by query, and what these are is in the path.
        let plan = delivery.plans.shared(try TileRoute(service).plan(address, items))
        return delivery.deliver(PictureAsk(plan, request, lines, responder), seen: nil).answer
    }

    private func queryItems(_ head: RequestHead) throws(Problem) -> [QueryItem] {
        do throws(ParameterFaults) {
            return try QueryItems.parse(head.target.query ?? "")
        } catch {
            throw Problem(error)
        }
    }

    private func path(_ target: RequestTarget, after prefix: String, mayScale: Bool) throws(Problem) -> TilePath {
        guard let path = DescribedPath.decoded(String(target.path.dropFirst(prefix.utf8.count))) else {
            throw Problem(TilePathFault.malformed(allowed: "a path of UTF-8, percent-encoded"))
        }
        do throws(TilePathFault) {
            return try TilePath(path, mayScale: mayScale)
        } catch {
            throw Problem(error)
        }
    }

    /// A document with whole addresses in it, made on a worker: sources may have to be asked. It may be kept for minutes.
    private func document(
        _ request: Request, _ lines: PolicyLines, _ route: Route, _ responder: Responder,
        _ make: @escaping @Sendable (TileSets) throws(Problem) -> (text: String, mediaType: String)
    ) throws(Problem) -> Answer {
        let (library, base) = (
            service.maps.library, BaseAddress(request.head, from: request.peer, policy.policy.addresses)
        )
        let now = service.clock.unixSeconds()
        return try AssetsRoute(service).onWorker(request, lines, route, responder) { () throws(Problem) in
            let document = try make(TileSets(library, base))
            let text = CodedText(document.text, for: request.head)
            let validators = Validators(entityTag: text.tag)
            var fields = FieldLines()
            if let tag = validators.entityTag { fields.append(.entityTag, tag) }
            // What a proxy names is told to whom it was named for alone: not all caches heed Vary.
            fields.append(.cacheControl, literal: base.isForwarded ? "private, max-age=300" : "max-age=300")
            text.appendVary(to: &fields, with: base.vary)
            fields.append(.xContentTypeOptions, literal: "nosniff")
            fields.append(lines.common)
            switch Preconditions.evaluate(request.head.method, request.head.fields, validators, now: now) {
            case .notModified: return Response(status: .notModified, fields: fields)
            case .failed: throw .preconditionFailed
            case .proceed: break
            }
            fields.append(.contentType, document.mediaType)
            text.appendCoding(to: &fields)
            return Response(status: .ok, fields: fields, content: text.content)
        }
    }
}
