/// What is more than is drawn of one drawing.
package enum DrawingExcess: Equatable, Sendable {
    /// Bytes of its text.
    case byteCount(limit: Int)
    /// Elements, those that are used again counted each time.
    case elements(limit: Int)
    /// Elements inside one another.
    case nesting(limit: Int)
    /// Dashes of its lines.
    case dashes(limit: Int)
    /// Bytes of drawing commands, unpacked.
    case commands(limit: Int)
    /// Entities or packed streams inside one another, whose size cannot be told.
    case expansion
}

/// The most that is drawn of one drawing. Until drawings are isolated, what is beyond is refused before a library sees it.
enum DrawingLimits {
    static let byteCount = 16 << 20
    static let elements = 500_000
    static let nesting = 256
    static let dashes = 2_000_000
    /// Of the largest stream of a PDF.
    static let commandByteCount = 16 << 20
    /// Of all of them together, beside eight times the bytes of the file.
    static let allCommandByteCount = 64 << 20
}
