/// What is known of the tiles of a source without asking anybody, for the price of a map.
package struct KnownTiles: Hashable, Sendable {
    package enum Kind: Sendable { case vector, pictures, heights }

    package var kind: Kind
    /// Closer views are drawn from it. `0...24`.
    package var lastLevel: Int
    /// CSS pixels of a side, `64...4096`; nothing for vector tiles.
    package var tileSize: Double
    /// Whether sharp maps have tiles with twice the pixels each way.
    package var isSharp: Bool

    package init(_ kind: Kind, lastLevel: Int, tileSize: Double = 512, isSharp: Bool = false) {
        (self.kind, self.lastLevel, self.isSharp) = (kind, min(max(lastLevel, 0), 24), isSharp)
        self.tileSize = tileSize >= 1 ? min(max(tileSize, 64), 4096) : 512
    }
}
