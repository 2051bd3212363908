import ImagePlan

/// A stage on the pixels of one frame.
protocol PixelStage: Sendable {
    /// nil where the plan has no step for it.
    init?(_ plan: ImagePlan)

    /// What `explain` calls it.
    var name: String { get }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage
}

/// What the stages of all frames share.
struct StageWork: ~Copyable {
    let colors: WorkingColors
    let sources: RenderSources
    let context: RenderContext
    /// Drawn once for all frames.
    var overlay: DrawnOverlay?

    init(colors: WorkingColors, sources: RenderSources, context: RenderContext) {
        self.colors = colors
        self.sources = sources
        self.context = context
    }
}
