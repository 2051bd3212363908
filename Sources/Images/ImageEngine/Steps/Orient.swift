import ImagePlan

/// Mirrors and turns by quarters: EXIF orientation, `flip` and `rotate` as one.
struct OrientStage: PixelStage {
    private let orientation: Orientation

    init?(_ plan: ImagePlan) {
        guard let found = plan.first({ if case .orient(let orientation) = $0 { orientation } else { nil } }) else {
            return nil
        }
        orientation = found
    }

    var name: String { "orient\(orientation.isMirrored ? " mirrored" : "") \(orientation.quarterTurns * 90)" }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        try image.oriented(orientation)
    }
}
