import CVips
import Colors
import Glibc
import ImagePlan

/// Rotates clockwise around the middle, by an angle that is no multiple of a right angle.
struct RotateStage: PixelStage {
    private let degrees: Double
    private let canvas: PixelSize
    private let background: Color

    init?(_ plan: ImagePlan) {
        for case .rotate(let degrees, let canvas, let background) in plan.steps {
            (self.degrees, self.canvas, self.background) = (degrees, canvas, background)
            return
        }
        return nil
    }

    var name: String { "rotate \(degrees)" }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        let image = try image.withBands(for: background)
        let samples = try work.colors.samples(of: background, in: image)
        return try image.rotated(degrees: degrees, canvas: canvas, background: samples, in: work.context)
    }
}

extension VipsImage {
    /// Rotated clockwise around the middle, on a `canvas` around the same middle, by premultiplied Catmull-Rom, which
    /// keeps more detail than a linear kernel. `background` has one level of 0–1 per band.
    consuming func rotated(
        degrees: Double, canvas: PixelSize, background: [Float], in context: RenderContext
    ) throws(ImageError) -> VipsImage {
        guard bands <= 4, background.count == bands else { throw .operationFailed(log: "background and bands differ") }
        let source = try PixelBuffer(self, in: context)
        let result = try PixelBuffer(like: source, size: canvas)
        let angle = degrees * .pi / 180
        var view = unsafe source.view
        for y in 0..<canvas.heightPx {
            if y % 32 == 0 { try context.checkStop() }
            unsafe cvips_turn_row(
                &view, sin(angle), cos(angle), y.cInt, canvas.widthPx.cInt,
                canvas.heightPx.cInt, background, result.row(y))
        }
        return try result.image()
    }
}
