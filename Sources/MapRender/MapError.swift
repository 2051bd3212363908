/// Why there is no picture.
package enum MapError: Error, Equatable, Sendable {
    /// The canvas has no pixels or too many.
    case canvasOutOfRange
    /// The picture is no longer wanted.
    case cancelled
}
