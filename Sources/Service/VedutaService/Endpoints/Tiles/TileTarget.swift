import HTTPMessage
import MapTiles

enum TileTarget {
    static func path(_ target: RequestTarget, after prefix: String, mayScale: Bool) throws(EndpointError) -> TilePath {
        guard let path = DescribedPath.decoded(String(target.path.dropFirst(prefix.utf8.count))) else {
            throw .tilePath(.malformed(allowed: "a percent-encoded path in UTF-8"))
        }
        do throws(TilePathFault) { return try TilePath(path, mayScale: mayScale) } catch { throw .tilePath(error) }
    }

    static let styles = "/styles/"

    /// The name in `/styles/{style}.json`.
    static func style(_ target: RequestTarget) throws(EndpointError) -> String {
        guard case .description(let name) = try path(target, after: styles, mayScale: false) else {
            throw .tilePath(.malformed(allowed: "NAME.json"))
        }
        return name
    }
}
