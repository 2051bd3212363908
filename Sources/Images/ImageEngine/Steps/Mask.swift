import CVips
import ImagePlan

/// Rounded corners, a circle or an ellipse; the outside becomes transparent.
struct MaskStage: PixelStage {
    private let shape: MaskShape
    let name = "mask"

    init?(_ plan: ImagePlan) {
        guard let found = plan.first({ if case .mask(let shape) = $0 { shape } else { nil } }) else { return nil }
        shape = found
    }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        try image.masked(by: shape, in: work.context)
    }
}

extension MaskShape {
    fileprivate func placed(in size: PixelSize) -> cvips_outline {
        let (width, height) = (Double(size.widthPx), Double(size.heightPx))
        let half = min(width, height) / 2
        switch self {
        case .rounded(let radiusPx):
            let radius = min(max(radiusPx, 0.001), half)
            return cvips_outline(left: 0, top: 0, right: width, bottom: height, across: radius, down: radius)
        case .ellipse:
            return cvips_outline(left: 0, top: 0, right: width, bottom: height, across: width / 2, down: height / 2)
        case .circle:
            return cvips_outline(
                left: width / 2 - half, top: height / 2 - half, right: width / 2 + half, bottom: height / 2 + half,
                across: half, down: half)
        }
    }
}

extension VipsImage {
    /// Cut along the smooth edge of `shape`; the outside is transparent black. In memory.
    consuming func masked(by shape: MaskShape, in context: RenderContext) throws(ImageError) -> VipsImage {
        let image = hasAlpha ? self : try withAlpha()
        let buffer = try PixelBuffer(image, in: context)
        var placed = shape.placed(in: buffer.size)
        var scratch = [Float](repeating: 0, count: buffer.size.widthPx + 2)
        for y in 0..<buffer.size.heightPx {
            if y % 64 == 0 { try context.checkStop() }
            unsafe cvips_outline_row(
                buffer.row(y), buffer.size.widthPx.cInt, buffer.bands.cInt,
                buffer.sampleByteCount.cInt, y.cInt, &placed, &scratch)
        }
        return try buffer.image()
    }
}
