package import Parameters

extension ImageFilter {
    /// Whether the filter has an argument in pixels, which the request's scale multiplies.
    var hasLength: Bool {
        switch self {
        case .blur, .sharpen, .unsharp, .median, .pixelate: true
        case .look(let look): look.filters.contains(where: \.hasLength)
        case .noise, .grayscale, .sepia, .invert, .threshold, .posterize, .tint, .duotone, .brightness, .contrast,
            .saturation, .vibrance, .highlights, .shadows, .temperature, .hue, .gamma, .exposure, .normalize, .equalize,
            .clahe, .vignette, .edges, .emboss:
            false
        }
    }

    /// Whether the filter leaves every picture as it is.
    package var changesNothing: Bool {
        switch self {
        case .unsharp(_, let amount, _), .noise(let amount, _), .sepia(let amount), .tint(_, let amount),
            .duotone(_, _, let amount), .brightness(let amount), .contrast(let amount), .saturation(let amount),
            .vibrance(let amount), .highlights(let amount), .shadows(let amount), .temperature(let amount),
            .hue(let amount), .exposure(let amount), .vignette(let amount):
            amount == 0
        case .gamma(let exponent): exponent == 1
        case .blur, .sharpen, .median, .pixelate, .grayscale, .invert, .threshold, .posterize, .normalize, .equalize,
            .clahe, .edges, .emboss, .look:
            false
        }
    }

    /// The filter with its lengths multiplied by `scale`, 0.5–4; whole lengths stay whole.
    func scaled(by scale: PlainDecimal) -> ImageFilter {
        switch self {
        case .blur(let sigma): .blur(sigma: sigma.multiplied(by: scale) ?? sigma)
        case .sharpen(let sigma): .sharpen(sigma: sigma.multiplied(by: scale) ?? sigma)
        case .unsharp(let radius, let amount, let threshold):
            .unsharp(radius: radius.multiplied(by: scale) ?? radius, amount: amount, threshold: threshold)
        case .median(let radius): .median(radius: max(1, scale.multiplied(by: radius) ?? radius))
        case .pixelate(let size): .pixelate(size: max(1, scale.multiplied(by: size) ?? size))
        case .noise, .grayscale, .sepia, .invert, .threshold, .posterize, .tint, .duotone, .brightness, .contrast,
            .saturation, .vibrance, .highlights, .shadows, .temperature, .hue, .gamma, .exposure, .normalize, .equalize,
            .clahe, .vignette, .edges, .emboss, .look:
            self
        }
    }

    /// The filters that have to be carried out, with lengths multiplied by `scale`: looks as what they are lists of, without
    /// what changes nothing, and blurs that follow each other as the one that they amount to.
    package static func inOrder(_ filters: [ImageFilter], scale: PlainDecimal) -> [ImageFilter] {
        var result: [ImageFilter] = []
        var variance = 0.0
        for filter in filters.flatMap(\.members).map({ $0.scaled(by: scale) }) where !filter.isIdle {
            guard case .blur(let sigma) = filter else {
                result.append(filter)
                continue
            }
            if case .blur? = result.last {
                variance += sigma.double * sigma.double
                result[result.count - 1] = .blur(sigma: PlainDecimal(billionths: billionths(variance.squareRoot())))
            } else {
                variance = sigma.double * sigma.double
                result.append(filter)
            }
        }
        return result
    }

    /// The filters that this one is a name for; itself where it is none.
    private var members: [ImageFilter] {
        guard case .look(let look) = self else { return [self] }
        return look.filters
    }

    /// Whether nothing is left to do after scaling: squares of one pixel are what they were.
    private var isIdle: Bool { changesNothing || self == .pixelate(size: 1) }

    private static func billionths(_ number: Double) -> Int64 {
        Int64(exactly: (number * 1e9).rounded()) ?? Int64.max
    }
}
