import CVips
import Colors
import ImagePlan

/// Lays the image on a larger canvas (`fit=contain`, `pad`).
struct PadStage: PixelStage {
    private let canvas: PixelSize
    private let (x, y): (Int, Int)
    private let background: Color
    let name = "pad"

    init?(_ plan: ImagePlan) {
        for case .pad(let canvas, let x, let y, let background) in plan.steps {
            (self.canvas, self.x, self.y, self.background) = (canvas, x, y, background)
            return
        }
        return nil
    }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        let image = try image.withBands(for: background)
        let samples = try work.colors.samples(of: background, in: image).map { Double($0) * image.fullLevel }
        return try image.padded(to: canvas, x: x, y: y, background: samples)
    }
}

extension VipsImage {
    /// With the bands that `color` needs: RGB if it has a hue, alpha if it is not opaque.
    consuming func withBands(for color: Color) throws(ImageError) -> VipsImage {
        var image = consume self
        if image.model == CVIPS_GREY, !color.isGrey { image = try image.inSRGB() }
        if !color.isOpaque, !image.hasAlpha { image = try image.withAlpha() }
        return image
    }
}
