import Bytes
import MapStyle

/// Which tiles cover a view: a walk down the pyramid through the tiles that the view touches, as in the reference.
struct TileCover {
    private static let tileLimit = 4096

    var minZoom = 0
    var maxZoom: Int
    /// CSS pixels of a tile's side.
    var tileSize = 512.0
    var roundsZoom = false
    /// Tiles of the last level stand for deeper ones.
    var isOverscaled = true

    /// Whether there is such a level or not.
    func wantedZoom(_ view: View) -> Int {
        let zoom = view.camera.zoom + Trigonometry.logarithm2(512 / tileSize)
        return max(0, Int((roundsZoom ? (zoom + 0.5).rounded(.down) : zoom.rounded(.down))))
    }

    /// The tiles of the picture and `margin` CSS pixels around it, in drawing order.
    func tiles(_ view: View, margin: Double = 0) -> [PlacedTile] {
        let wanted = wantedZoom(view)
        let depth = min(wanted, maxZoom)
        guard depth >= minZoom else { return [] }
        let area = GroundArea(view, margin: margin)
        var tiles: [PlacedTile] = []
        let count = view.copyCount
        var stack = (-count...count).map { PlacedTile(id: TileCoordinate(z: 0, x: 0, y: 0), wrap: $0) }
        while let tile = stack.popLast(), tiles.count < Self.tileLimit {
            guard area.touches(tile) else { continue }
            guard tile.id.z < depth else {
                let isLast = isOverscaled && depth == maxZoom
                tiles.append(PlacedTile(id: tile.id, wrap: tile.wrap, overscaledZ: isLast ? wanted : depth))
                continue
            }
            stack += tile.id.children.map { PlacedTile(id: $0, wrap: tile.wrap) }
        }
        return tiles.sorted(by: Self.isDrawnBefore)
    }

    /// Deep tiles first, then by the copy of the world from the middle, by row and by column.
    static func isDrawnBefore(_ a: PlacedTile, _ b: PlacedTile) -> Bool {
        // Copies to the west are odd, those to the east even: 0, -1, 1, -2, 2.
        func rank(_ wrap: Int) -> Int { abs(wrap * 2) - (wrap < 0 ? 1 : 0) }
        return (-a.overscaledZ, rank(a.wrap), a.id.y, a.id.x) < (-b.overscaledZ, rank(b.wrap), b.id.y, b.id.x)
    }
}

extension View {
    /// How many copies of the world are drawn on each side of the middle one: all that a flat map shows. Tilted maps, whose
    /// ground may not end, have three, as in the reference.
    var copyCount: Int {
        let least = 3
        guard camera.isFlat, let seen = worldBounds?.x else { return least }
        return Int(held: max(-seen.lowerBound, seen.upperBound - 1).rounded(.up), in: least...64)
    }
}

extension TileCoordinate {
    var children: [TileCoordinate] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { TileCoordinate(z: z + 1, x: x * 2 + $0.0, y: y * 2 + $0.1) }
    }

    /// The tile of a level above that holds this one; itself at its own level and below.
    func ancestor(at level: Int) -> TileCoordinate {
        let shift = max(0, z - level)
        return TileCoordinate(z: z - shift, x: x >> shift, y: y >> shift)
    }
}
