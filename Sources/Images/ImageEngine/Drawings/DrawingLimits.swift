/// What is more than is drawn of one drawing.
package enum DrawingExcess: Equatable, Sendable {
    /// Bytes of its text.
    case byteCount(limit: Int)
    /// Of its text for each byte that it is packed in.
    case ratio(limit: Int)
    /// Elements, those that are used again counted each time.
    case elements(limit: Int)
    /// Elements inside one another.
    case nesting(limit: Int)
    /// Elements and rules of style sheets, which are looked for for each of them.
    case styles
    /// Pixels of pictures inside it.
    case pictures(limit: Int)
    /// Dashes of its lines.
    case dashes(limit: Int)
    /// Bytes of drawing commands, unpacked.
    case commands(limit: Int)
    /// Objects of a document.
    case objects(limit: Int)
    /// Entities or packed streams inside one another, whose size cannot be told.
    case expansion
}

/// The most that is drawn of one drawing. Until drawings are isolated, what is beyond is refused before a library sees it.
enum DrawingLimits {
    static let byteCount = 16 << 20
    static let elements = 500_000
    static let nesting = 256
    static let dashes = 2_000_000
    /// Selectors of all its style sheets, which are held as well.
    static let selectors = 200_000
    /// CPU time for finding the rules of all elements: a thousand rules for some 60,000.
    static let stylingNanoseconds = 2e9
    /// Of all pictures inside a drawing together: decoded twice over they are 200 MB.
    static let picturePixelCount = 25_000_000
    /// Of a PDF, small ones: a page of text comes to some ten, or a hundred where its structure is tagged. They take 200 MB.
    static let objects = 500_000
    /// What cairo holds of one path whose outline is drawn, for each byte that it is written in: 60 to 180 were measured.
    static let heldBytesPerPathByte = 100
    /// Of the largest stream of a PDF.
    static let commandByteCount = 16 << 20
    /// Of all of them together, beside eight times the bytes of the file.
    static let allCommandByteCount = 64 << 20
}
