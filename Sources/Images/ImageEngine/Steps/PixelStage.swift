import ImagePlan

protocol PixelStage: Sendable {
    /// Nil if the plan has no step for it.
    init?(_ plan: ImagePlan)

    var name: String { get }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage
}

struct StageWork: ~Copyable {
    let colors: WorkingColors
    let sources: RenderSources
    let context: RenderContext
    /// Drawn once for all frames.
    var overlays: [DrawnOverlay]?
}
