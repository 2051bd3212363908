import ImagePlan

struct OrientStage: PixelStage {
    private let orientation: Orientation

    init?(_ plan: ImagePlan) {
        guard let found = plan.first({ if case .orient(let turn) = $0 { turn } else { nil } }) else { return nil }
        orientation = found
    }

    var name: String { "orient\(orientation.isMirrored ? " mirrored" : "") \(orientation.quarterTurns * 90)" }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        try image.oriented(orientation)
    }
}
