import HTTPMessage
import MapRender
import MapTiles

// What may be wrong with the address of a tile.
extension Problem {
    init(_ fault: TilePathFault) {
        switch fault {
        case .malformed(let allowed):
            self.init(
                .badRequest, "bad-tile-address", "The address of the tile cannot be read",
                detail: "Allowed: \(allowed).")
        case .noSuchTile: self = .tileNotFound("The level has no such tile, or there is no such level.")
        }
    }

    /// No such tile.
    static func tileNotFound(_ detail: String) -> Problem {
        Problem(.notFound, "tile-not-found", "There is no such tile", detail: detail)
    }

    /// No such style or source; `names` are those there are.
    static func tileSetNotFound(_ kind: String, _ names: [String]) -> Problem {
        Problem(
            .notFound, "tile-set-not-found", "There is no such \(kind)",
            detail: "There are: \(names.prefix(32).joined(separator: ", ")).")
    }

    /// A source that cannot be read now.
    init(_ error: ResourceError) {
        self.init(
            .badGateway, "map-source-failed", "The source of the map cannot be read", detail: "Try again later.")
        retryAfterSeconds = 5
        switch error {
        case .failed(let cause), .unavailable(let cause): log = "map source: \(cause)"
        case .cancelled: log = "map source: cancelled"
        }
    }
}
