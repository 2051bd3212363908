package enum MapError: Error, Equatable, Sendable {
    /// A side of the canvas has no pixels, or more than `limit`.
    case canvasOutOfRange(limit: Int)
    /// The lines of drawings have more than ``DrawnStroke/dashCountLimit`` dashes together.
    case tooManyDashes
    /// The picture is no longer wanted.
    case cancelled
}
