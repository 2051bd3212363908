import HTTPMessage
import MapRender
import MapTiles

// What may be wrong with the address of a tile.
extension Problem {
    init(_ fault: TilePathFault) {
        switch fault {
        case .malformed(let allowed):
            self.init(
                .badRequest, "bad-tile-address", "The tile path is not valid",
                detail: "Allowed: \(allowed).")
        case .noSuchTile: self = .tileNotFound("The zoom level does not exist, or it has no tile at this position.")
        }
    }

    /// No such tile.
    static func tileNotFound(_ detail: String) -> Problem {
        Problem(.notFound, "tile-not-found", "The tile does not exist", detail: detail)
    }

    /// No such style or source; `names` are those there are.
    static func tileSetNotFound(_ kind: String, _ names: [String]) -> Problem {
        Problem(
            .notFound, "tile-set-not-found", "The \(kind) does not exist",
            detail: "Available: \(names.prefix(32).joined(separator: ", ")).")
    }

    /// A source that cannot be read now.
    init(_ error: ResourceError) {
        self.init(
            .badGateway, "map-source-failed", "The map source cannot be read",
            detail: "The server logged the error. Try again later.")
        retryAfterSeconds = 5
        switch error {
        case .failed(let cause), .unavailable(let cause): log = "map source: \(cause)"
        case .cancelled: log = "map source: cancelled"
        }
    }
}
