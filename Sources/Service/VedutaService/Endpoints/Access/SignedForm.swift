import Bytes
import CardGrammar
import CardPlan
import Digest
import HTTPMessage
import HTTPServer
import ImagePlan
import MapGrammar
import MapTiles
import Parameters
import URLSigning

/// The part of a request that a signature covers: a path and a query in one spelling. It does not depend on the
/// configuration, so that signers need not know it.
enum SignedForm {
    /// `items` are those of the query without the signature.
    static func resource(
        of request: Request, _ endpoint: Endpoint, _ items: [QueryItem]
    ) throws(EndpointError) -> SignedResource {
        guard endpoint.row.accepts == .parameters, request.head.method == .post else {
            return try resource(of: request.head.target, endpoint, items)
        }
        // A content has too many spellings: its bytes are signed.
        guard case .bytes(let content) = request.content else { throw .signature(.wrong) }
        let digest = QueryItem(name: "sha256", value: SHA256.digest(of: content).base64URL())
        return SignedResource(path: request.head.target.path, query: CanonicalQuery(items + [digest]).text)
    }

    static func resource(
        of target: RequestTarget, _ endpoint: Endpoint, _ items: [QueryItem]
    ) throws(EndpointError) -> SignedResource {
        switch endpoint {
        case .asset:
            return SignedResource(
                path: "/asset",
                query: try query { () throws(ParameterFaults) in
                    try ImageRequest.signedQuery(of: items, idSpelling: OriginURL.oneSpelling)
                })
        case .srcset:
            return SignedResource(
                path: "/srcset",
                query: try query { () throws(ParameterFaults) in
                    try SrcsetOptions.signedQuery(of: items, idSpelling: OriginURL.oneSpelling)
                })
        case .map:
            return SignedResource(
                path: "/map", query: try query { () throws(ParameterFaults) in try MapRequest.signedQuery(of: items) })
        case .mapDescription:
            return SignedResource(
                path: "/map.json",
                query: try query { () throws(ParameterFaults) in
                    try MapRequest.signedQuery(of: items, for: .positions)
                })
        case .avatar:
            return SignedResource(path: "/avatar", query: try query { () throws(ParameterFaults) in try avatar(items) })
        case .hashedAvatar:
            let order = HashedAvatar.table.parameters.map(\.name)
            let named = items.filter { !$0.value.isEmpty }.map { item in
                QueryItem(name: HashedAvatar.table.parameter(named: item.name)?.name ?? item.name, value: item.value)
            }
            func place(_ item: QueryItem) -> Int { order.firstIndex(of: item.name) ?? order.count }
            return SignedResource(path: target.path, query: CanonicalQuery(named.sorted { place($0) < place($1) }).text)
        case .namedAvatar:
            return SignedResource(
                path: "/api/", query: try query { () throws(ParameterFaults) in try NamedAvatar.parse(items).canonical }
            )
        case .poll:
            return SignedResource(
                path: "/poll", query: try query { () throws(ParameterFaults) in try poll(items, .picture) })
        case .card:
            return SignedResource(
                path: "/card",
                query: try query { () throws(ParameterFaults) in try CardRequest.signedQuery(of: items) })
        case .pollDescription:
            return SignedResource(
                path: "/poll.json", query: try query { () throws(ParameterFaults) in try poll(items, .positions) })
        case .iiif:
            guard let path = try IIIFPath(target) else { throw .routeAbsent }
            return SignedResource(
                path: path.canonical(OriginURL.oneSpelling(ofID: path.id)), query: CanonicalQuery(items).text)
        case .tiles:
            let path = try TileTarget.path(target, after: "/tiles/", mayScale: true)
            return SignedResource(
                path: text(path, below: "/tiles/"),
                query: try query { () throws(ParameterFaults) in try TileRequest.parse(items).canonical })
        case .data:
            let path = try TileTarget.path(target, after: "/data/", mayScale: false)
            return SignedResource(path: text(path, below: "/data/"), query: CanonicalQuery(items).text)
        case .wmts: return try tileOrCatalogue(items)
        case .styles:
            return SignedResource(
                path: text(.description(name: try TileTarget.style(target)), below: TileTarget.styles),
                query: CanonicalQuery(items).text)
        case .sprites:
            return SignedResource(path: try SpriteAddress(target).canonical, query: CanonicalQuery(items).text)
        case .glyphs:
            return SignedResource(path: try GlyphAddress(target).canonical, query: CanonicalQuery(items).text)
        case .maps: return SignedResource(path: "/maps", query: CanonicalQuery(items).text)
        case .original: return try asset(target, DescribedPath.original, items)
        case .assetPages: return try asset(target, DescribedPath.pages, items)
        default: return try asset(target, "", items)
        }
    }

    private static func query(_ text: () throws(ParameterFaults) -> String) throws(EndpointError) -> String {
        do throws(ParameterFaults) { return try text() } catch { throw .parameters(error) }
    }

    static func avatar(_ items: [QueryItem]) throws(ParameterFaults) -> String {
        var request = try AvatarRequest.parse(items)
        request.respellIDs(OriginURL.oneSpelling)
        return request.canonical
    }

    static func poll(_ items: [QueryItem], _ purpose: PollRequest.Purpose) throws(ParameterFaults) -> String {
        var request = try PollRequest.parse(items, for: purpose)
        request.respellIDs(OriginURL.oneSpelling)
        return request.canonical
    }

    /// A tile by parameters is the same as one by its path.
    private static func tileOrCatalogue(_ items: [QueryItem]) throws(EndpointError) -> SignedResource {
        let asked: WMTSRequest
        do throws(TilePathFault) {
            asked = try WMTSRequest(items.map { (name: $0.name, value: $0.value) })
        } catch {
            throw .tilePath(error)
        }
        switch asked.operation {
        case .capabilities: return SignedResource(path: "/wmts", query: "")
        case .tile(let address): return SignedResource(path: text(.tile(address), below: "/tiles/"), query: "")
        }
    }

    private static func text(_ path: TilePath, below prefix: String) -> String {
        switch path {
        case .description(let name): return prefix + segment(name) + ".json"
        case .tile(let tile):
            let ratio = tile.ratio == 1 ? "" : "@\(tile.ratio)x"
            let ending = prefix == "/tiles/" && tile.fileExtension == "jpg" ? "jpeg" : tile.fileExtension
            return "\(prefix)\(segment(tile.name))/\(tile.z)/\(tile.x)/\(tile.y)\(ratio).\(segment(ending))"
        }
    }

    private static func segment(_ text: String) -> String { PercentEncoding.encoded(text) }

    private static func asset(
        _ target: RequestTarget, _ suffix: String, _ items: [QueryItem]
    ) throws(EndpointError) -> SignedResource {
        let encoded = String(target.path.dropFirst("/assets/".utf8.count).dropLast(suffix.utf8.count))
        guard let id = DescribedPath.decoded(encoded) else {
            throw .parameters(ParameterFaults([ParameterFault(parameter: "id", value: encoded, reason: .badEncoding)]))
        }
        let order = ["after", "limit"]
        func place(_ item: QueryItem) -> Int { order.firstIndex(of: item.name) ?? order.count }
        return SignedResource(
            path: AssetAddress.path(OriginURL.oneSpelling(ofID: id)) + suffix,
            query: CanonicalQuery(items.filter { !$0.value.isEmpty }.sorted { place($0) < place($1) }).text)
    }
}
