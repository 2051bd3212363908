package import ImagePlan

/// Why an image could not be read, changed or written. `log` is the text of libvips: for the log, not for clients.
package enum ImageError: Error, Equatable, Sendable, Codable {
    case unsupportedFormat
    case sourceTooLong(byteCount: Int, limit: Int)
    /// The header exceeds the limit for this kind of image.
    case tooManyPixels(widthPx: Int, heightPx: Int, pageCount: Int, limit: Int)
    /// A JPEG with too many scans; every scan is a pass over the whole image.
    case tooManyScans(limit: Int)
    /// Pages of a TIFF or frames of an animation: each takes time whatever its size.
    case tooManyPages(limit: Int)
    /// Images, tiles or references of a HEIF file.
    case tooManyParts(limit: Int)
    /// Pixels of the tiles and alpha channel of a HEIF image, each counted as often as it is decoded.
    case tooManyPartPixels(limit: Int)
    /// The header is malformed, or the image is truncated.
    case corrupt(log: String)
    case pagesDiffer
    /// A valid TIFF with chroma subsampling, which libvips does not read.
    case unsupportedSampling(log: String)
    case tooLargeForDecoder(widthPx: Int, heightPx: Int)
    case plan(PlanError)
    /// Over the caller's limit: CPU time of one core and bytes of memory.
    case tooCostly(microseconds: Int, byteCount: Int)
    case tooComplex(DrawingExcess)
    /// Temporary; says nothing about the image.
    case outOfMemory
    case operationFailed(log: String)
    /// The encoder failed, for instance because the format cannot hold an image of this size.
    case encodeFailed(log: String)
    /// No quality gives fewer than `limit` bytes; `smallest` is the best that was tried.
    case bytesUnreachable(limit: Int, smallest: Int)
    /// The master is too small for this image, or lacks what it needs: the original has to be read.
    case needsOriginal
    case cancelled
    /// The process that worked on it crashed, now or twice not long ago.
    case crashed(log: String)
    /// The process that worked on it wanted more memory than it may have.
    case overMemory(byteLimit: Int)
    /// No process could be started to work on it.
    case noWorker(log: String)
    case startFailed(log: String)
}
