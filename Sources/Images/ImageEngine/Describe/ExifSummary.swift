/// What a camera noted about a picture, as far as it is passed on (Exif 3.0). Nobody vouches for it.
package struct ExifSummary: Sendable, Equatable {
    package var cameraMaker: String?
    package var cameraModel: String?
    package var lensMaker: String?
    package var lensModel: String?
    /// When the picture was taken, `2024-05-17T09:41:00`, with the offset from UTC where that is noted: `…+02:00`.
    package var takenAt: String?
    /// For how long it was exposed.
    package var exposureSeconds: Double?
    /// Focal length over aperture.
    package var fNumber: Double?
    /// Sensitivity by ISO 12232.
    package var isoSpeed: Int?
    /// By how many stops the camera was told to deviate.
    package var exposureBiasEV: Double?
    /// Of the lens as it was set.
    package var focalLengthMm: Double?
    /// The same for a picture of 36 × 24 mm.
    package var focalLength35Mm: Int?
    /// Whether a flash went off.
    package var flashFired: Bool?
    /// Whether the place is noted. The place itself is not read.
    package var hasLocation = false
}
