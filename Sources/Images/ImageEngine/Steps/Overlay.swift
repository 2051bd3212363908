import ImagePlan

struct OverlayStage: PixelStage {
    private let overlay: Overlay
    let name = "overlay"

    init?(_ plan: ImagePlan) {
        guard let found = plan.first({ if case .overlay(let overlay) = $0 { overlay } else { nil } }) else {
            return nil
        }
        overlay = found
    }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        guard let bytes = work.sources.overlay else { throw .operationFailed(log: "the overlay is missing") }
        if work.overlay == nil {
            work.overlay = try DrawnOverlay.make(
                overlay, bytes, on: image.size, is16Bit: image.is16Bit, colors: work.colors, in: work.context)
        }
        switch work.overlay {
        case .some(let drawn): return try drawn.composited(over: image, in: work.context)
        case .none: return image
        }
    }
}
