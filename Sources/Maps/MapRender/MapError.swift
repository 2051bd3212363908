package enum MapError: Error, Equatable, Sendable {
    /// A side has no pixels, or more than `limit`.
    case canvasOutOfRange(limit: Int)
    /// All lines of drawings together have more than ``DrawnStroke/dashCountLimit`` dashes.
    case tooManyDashes
    /// What the tiles of the map decode to has more bytes than one map may hold.
    case tilesTooLarge(byteLimit: Int)
    /// The map takes more tiles than any may, of all sources together.
    case tooManyTiles(limit: Int)
    case cancelled
}
