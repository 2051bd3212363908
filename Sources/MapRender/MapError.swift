/// Why there is no picture.
package enum MapError: Error, Equatable, Sendable {
    /// The canvas has no pixels or too many.
    case canvasOutOfRange
    /// The lines of drawings have more than ``DrawnStroke/dashCountLimit`` dashes together.
    case tooManyDashes
    /// The picture is no longer wanted.
    case cancelled
}
