import Bytes
package import Colors
package import ImagePlan

/// What is said of a picture without showing it.
package struct ImageDescription: Sendable, Equatable {
    /// What the header says; width and height as stored.
    package var header: ImageHeader
    /// Bytes of the encoded source.
    package var byteCount: Int
    /// Width and height of one page as it is shown: turned as EXIF says.
    package var size: PixelSize
    /// Samples per pixel of the source, alpha counted.
    package var bandCount: Int
    /// How the frames follow each other; nil where there is one page, or pages that are not frames.
    package var animation: AnimationTiming?
    /// The name of the embedded color profile; nil where there is none, empty where it has no name.
    package var profileName: String?
    /// What the camera noted; nil where there is no EXIF that can be read.
    package var exif: ExifSummary?
    /// The color of the largest part of the picture; nil where all of it is transparent.
    package var dominantColor: Color? { palette.first?.color }
    /// At most six colors that tell themselves apart, that of the largest part first. Transparent parts do not count.
    package var palette: [PaletteColor]
    /// A placeholder of about 25 bytes, with alpha (evanw.github.io/thumbhash), of the first page as it is shown.
    package var thumbHash: [UInt8]
    /// A placeholder of 4 × 3 or, where it stands, 3 × 4 components (blurha.sh), of the first page as it is shown, laid on
    /// white.
    package var blurHash: String
    /// The point of the first page as it is shown that a crop should keep.
    package var focalPoint: ImagePoint

    /// `thumbHash` in the base64 of RFC 4648 §4, padded.
    package var thumbHashText: String { Base64.text(of: thumbHash) }
}

/// How long the frames of an animation are shown.
package struct AnimationTiming: Sendable, Equatable {
    /// Milliseconds of each frame, in order; empty where the source does not say.
    package var delaysMs: [Int]
    /// How often it runs; 0 for without end.
    package var loopCount: Int

    /// Milliseconds of one run.
    package var durationMs: Int { delaysMs.reduce(0, +) }
}

/// A color and how much of a picture looks like it.
package struct PaletteColor: Sendable, Equatable {
    /// The mean of what looks like it; opaque.
    package var color: Color
    /// Of the part that is not transparent, 0…1.
    package var share: Double
}

/// A point of a picture: 0, 0 is its top-left corner, 1, 1 its bottom-right one.
package struct ImagePoint: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package static let middle = ImagePoint(x: 0.5, y: 0.5)
}
