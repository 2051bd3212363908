package import Bytes
package import ImagePlan

extension ImageEngine {
    /// What the header of `source` says; nothing is decoded. Throws `unsupportedFormat`, `corrupt`, or the limit that
    /// the header breaks.
    package static func probe(_ source: SharedBytes, limits: ImageLimits) throws(ImageError) -> SourceTraits {
        let opened = try Source(source, limits: limits)
        defer { withExtendedLifetime(source) {} }
        return opened.traits
    }
}
