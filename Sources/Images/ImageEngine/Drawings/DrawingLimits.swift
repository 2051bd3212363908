package enum DrawingExcess: Equatable, Sendable, Codable {
    /// Bytes of text.
    case byteCount(limit: Int)
    /// Compression ratio.
    case ratio(limit: Int)
    /// Elements, each use counted.
    case elements(limit: Int)
    case nesting(limit: Int)
    /// Time to match elements with rules of style sheets.
    case styles
    /// Pixels of embedded images.
    case pictures(limit: Int)
    /// Embedded images, whatever their size.
    case pictureCount(limit: Int)
    case dashes(limit: Int)
    /// Octaves of one turbulence.
    case octaves(limit: Int)
    /// Unpacked bytes of drawing commands.
    case commands(limit: Int)
    case objects(limit: Int)
    /// Nested entities or streams, whose size cannot be predicted.
    case expansion
}

/// Limits for one drawing. Anything over a limit is refused before a library sees it, as not every server isolates drawings.
enum DrawingLimits {
    static let byteCount = 16 << 20
    static let elements = 500_000
    static let nesting = 256
    static let dashes = 2_000_000
    /// Of one turbulence. Those after the eighth are below a level of 255.
    static let octaves = 256
    /// Selectors of all style sheets, which are held in memory as well.
    static let selectors = 200_000
    /// What one element, or all rules for one subject, may refer to.
    static let elementReferences = 64
    /// References that elements have or rules give them, all added up; those of rules to their subjects likewise.
    static let references = 1_000_000
    /// Classes of one element, where there are rules.
    static let classes = 256
    /// CPU time for matching all elements with rules: a thousand rules for some 60,000 elements.
    static let stylingNanoseconds = 2e9
    /// Of all embedded images together: 200 MB when decoded twice.
    static let picturePixelCount = 25_000_000
    /// Embedded images. Each is opened once for its header.
    static let pictures = 1000
    /// Of a PDF, 200 MB. A page of text has about ten, or a hundred where its structure is tagged.
    static let objects = 500_000
    /// What cairo holds for one stroked path per byte of its text; 60 to 180 were measured.
    static let heldBytesPerPathByte = 100
    /// Of the largest stream of a PDF.
    static let commandByteCount = 16 << 20
    /// Of all streams together, in addition to eight times the bytes of the file.
    static let allCommandByteCount = 64 << 20
}
