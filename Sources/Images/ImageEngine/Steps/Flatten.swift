import CVips
import Colors
import ImagePlan

struct FlattenStage: PixelStage {
    private let color: Color
    let name = "flatten"

    init?(_ plan: ImagePlan) {
        guard let found = plan.first({ if case .flatten(let color) = $0 { color } else { nil } }) else { return nil }
        color = found
    }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        guard image.hasAlpha else { return image }
        let image = image.model == CVIPS_GREY && !color.isGrey ? try image.inSRGB() : image
        let samples = try work.colors.samples(of: color, in: image.withoutAlpha())
        return try image.flattened(on: samples.map { Double($0) * 255 })
    }
}
