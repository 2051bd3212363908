package enum RasterError: Error, Equatable, Sendable {
    /// A side is not within 1…`limit` pixels.
    case canvasOutOfRange(limit: Int)
    case cancelled
}
