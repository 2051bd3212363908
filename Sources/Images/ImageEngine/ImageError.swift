package import ImagePlan

/// Why a picture could not be read, changed or written. `log` is what libvips said: for the log, not for clients.
package enum ImageError: Error, Equatable, Sendable {
    /// The bytes do not begin like any format that is read here.
    case unsupportedFormat
    /// The source has more bytes than `limit`.
    case sourceTooLong(byteCount: Int, limit: Int)
    /// The header claims more pixels than `limit` for a picture of this kind.
    case tooManyPixels(widthPx: Int, heightPx: Int, pageCount: Int, limit: Int)
    /// A JPEG with more scans than `limit`; every scan costs a pass over the whole picture.
    case tooManyScans(limit: Int)
    /// The header cannot be read, or the picture ends early or breaks off.
    case corrupt(log: String)
    /// The pages that were asked for together are not of one size.
    case pagesDiffer
    /// A TIFF with fewer samples of color than of brightness, which is sound and cannot be read here.
    case unsupportedSampling(log: String)
    /// A side of the picture is longer than the decoder of its format reads.
    case tooLargeForDecoder(widthPx: Int, heightPx: Int)
    /// The request cannot be carried out on this picture.
    case plan(PlanError)
    /// What was asked for would cost more than whoever asked allows: CPU time of one core and bytes of memory.
    case tooCostly(microseconds: Int, byteCount: Int)
    /// A drawing asks for more than is drawn.
    case tooComplex(DrawingExcess)
    /// Memory ran out. Says nothing of the picture: later it may do.
    case outOfMemory
    /// An operation on sound pixels failed.
    case operationFailed(log: String)
    /// The encoder failed, for instance because the format cannot hold a picture of this size.
    case encodeFailed(log: String)
    /// No quality brings the picture below `limit` bytes; the smallest encoding that was tried has `smallest`.
    case bytesUnreachable(limit: Int, smallest: Int)
    /// The master is too small for this picture, or lacks what it needs: the original has to be read.
    case needsOriginal
    /// The caller said stop.
    case cancelled
    /// libvips could not be started.
    case startFailed(log: String)
}
