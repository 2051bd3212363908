import ImageEngine

package enum Build {
    /// The same as in `openapi.yaml`.
    package static let version = "0.1.0"

    package static var text: String { "veduta \(version) with libvips \(ImageEngine.version)" }
}
