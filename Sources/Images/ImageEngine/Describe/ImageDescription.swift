import Bytes
package import Colors
package import ImagePlan

package struct ImageDescription: Sendable, Equatable, Codable {
    /// Width and height as stored.
    package var header: ImageHeader
    package var byteCount: Int
    /// Width and height of one page as displayed: turned by EXIF.
    package var size: PixelSize
    /// Samples per pixel of the source, with alpha.
    package var bandCount: Int
    package var animation: AnimationTiming?
    /// The name of the embedded color profile, empty if it has none; nil without a profile.
    package var profileName: String?
    package var exif: ExifSummary?
    package var dominantColor: Color? { palette.first?.color }
    /// At most six distinct colors, that of the largest part first. Transparent parts do not count.
    package var palette: [PaletteColor]
    /// A placeholder of about 25 bytes with alpha (evanw.github.io/thumbhash), of the first page as displayed.
    package var thumbHash: [UInt8]
    /// A placeholder of 4 × 3, or 3 × 4 for portraits, components (blurha.sh), of the first page as displayed on white.
    package var blurHash: String
    /// The point of the first page as displayed that a crop should keep.
    package var focalPoint: ImagePoint

    /// `thumbHash` in the base64 of RFC 4648 §4, padded.
    package var thumbHashText: String { Base64.text(of: thumbHash) }
}

package struct AnimationTiming: Sendable, Equatable, Codable {
    /// Milliseconds of each frame; empty if the source does not say.
    package var delaysMs: [Int]
    /// How often it runs; 0 is forever.
    package var loopCount: Int

    /// Saturates, as a process that describes images may lie.
    package var durationMs: Int { delaysMs.reduce(0) { min(max(0, $0 + min(max(0, $1), 1 << 40)), 1 << 50) } }
}

package struct PaletteColor: Sendable, Equatable, Codable {
    /// The mean of similar pixels; opaque.
    package var color: Color
    /// Of the part that is not transparent, 0…1.
    package var share: Double
}

/// A point of an image: 0, 0 is its top-left corner, 1, 1 its bottom-right one.
package struct ImagePoint: Sendable, Equatable, Codable {
    package var x: Double
    package var y: Double

    package static let middle = ImagePoint(x: 0.5, y: 0.5)
}

package struct PageDescription: Sendable, Equatable, Codable {
    /// From 1.
    package var number: Int
    /// Width and height as displayed: turned by EXIF. For drawings in points.
    package var size: PixelSize
    /// The document's name for it, such as `iv`, at most 128 bytes.
    package var label: String?
    /// A placeholder of about 25 bytes with alpha (evanw.github.io/thumbhash), as displayed.
    package var thumbHash: [UInt8]

    /// `thumbHash` in the base64 of RFC 4648 §4, padded.
    package var thumbHashText: String { Base64.text(of: thumbHash) }
}

package struct PageList: Sendable, Equatable, Codable {
    package var format: SourceFormat
    /// Pages or frames of the source, listed or not.
    package var pageCount: Int
    /// The requested pages in order; fewer if they would cost more than `microsecondLimit`.
    package var pages: [PageDescription]

    /// The predicted cost of one list. Not a setting: the same request gives the same pages everywhere.
    package static let microsecondLimit = 2_000_000
}

package struct PageListError: Error, Equatable, Sendable, Codable {
    package let error: ImageError
    /// The page that could not be read, from 1; nil for the whole source.
    package let page: Int?

    package init(error: ImageError, page: Int?) { (self.error, self.page) = (error, page) }
}

/// What a camera recorded about a picture, unverified (Exif 3.0).
package struct ExifSummary: Sendable, Equatable, Codable {
    package var cameraMaker: String?
    package var cameraModel: String?
    package var lensMaker: String?
    package var lensModel: String?
    /// `2024-05-17T09:41:00`, with the offset from UTC if it is recorded: `…+02:00`.
    package var takenAt: String?
    package var exposureSeconds: Double?
    package var fNumber: Double?
    /// ISO 12232.
    package var isoSpeed: Int?
    package var exposureBiasEV: Double?
    package var focalLengthMm: Double?
    /// Focal length with the same field of view on 36 × 24 mm.
    package var focalLength35Mm: Int?
    package var flashFired: Bool?
    /// Whether a place is recorded. The place itself is not read.
    package var hasLocation = false
}
