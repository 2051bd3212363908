package import Bytes
package import ImagePlan

extension ImageEngine {
    /// What the header of `original` says; nothing is decoded. Throws `unsupportedFormat`, `corrupt`, or the limit that
    /// the header breaks.
    package static func probe(_ original: SharedBytes, limits: ImageLimits) throws(ImageError) -> SourceTraits {
        let source = try PackedDrawing.unpacked(original)
        let opened = try Source(source, limits: limits)
        defer { withExtendedLifetime(source) {} }
        return opened.traits
    }
}
