import ImageEngine

/// Which build of the server this is.
package enum Build {
    /// The version, the same as in `openapi.yaml`.
    package static let version = "0.1.0"

    /// The version, and that of the libvips that is loaded.
    package static var text: String { "veduta \(version) with libvips \(ImageEngine.version)" }
}
