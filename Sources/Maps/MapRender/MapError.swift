package enum MapError: Error, Equatable, Sendable {
    /// A side has no pixels, or more than `limit`.
    case canvasOutOfRange(limit: Int)
    /// All lines of drawings together have more than ``DrawnStroke/dashCountLimit`` dashes.
    case tooManyDashes
    case cancelled
}
