/// Why a picture was not drawn.
package enum RasterError: Error, Equatable, Sendable {
    /// A side is not within 1…`limit` pixels.
    case canvasOutOfRange(limit: Int)
    /// `shouldStop` said so.
    case cancelled
}
