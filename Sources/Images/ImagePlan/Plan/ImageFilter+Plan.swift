import Colors
package import Parameters

extension ImageFilter {
    /// Whether an argument is in pixels, which the request's scale multiplies.
    var hasLength: Bool {
        switch self {
        case .blur, .sharpen, .unsharp, .median, .pixelate, .within: true
        case .look(let look): look.filters.contains(where: \.hasLength)
        case .noise, .grayscale, .sepia, .invert, .threshold, .posterize, .tint, .duotone, .brightness, .contrast,
            .saturation, .vibrance, .highlights, .shadows, .temperature, .hue, .gamma, .exposure, .normalize, .equalize,
            .clahe, .vignette, .edges, .emboss:
            false
        }
    }

    /// Whether it leaves every image as it is.
    package var changesNothing: Bool {
        switch self {
        case .unsharp(_, let amount, _), .noise(let amount, _), .sepia(let amount), .tint(_, let amount),
            .duotone(_, _, let amount), .brightness(let amount), .contrast(let amount), .saturation(let amount),
            .vibrance(let amount), .highlights(let amount), .shadows(let amount), .temperature(let amount),
            .hue(let amount), .exposure(let amount), .vignette(let amount):
            amount == 0
        case .gamma(let exponent): exponent == 1
        default: false
        }
    }

    /// With lengths multiplied by `scale`, 0.5–4; whole lengths stay whole.
    func scaled(by scale: PlainDecimal) -> ImageFilter {
        switch self {
        case .blur(let sigma): .blur(sigma: sigma.multiplied(by: scale) ?? sigma)
        case .sharpen(let sigma): .sharpen(sigma: sigma.multiplied(by: scale) ?? sigma)
        case .unsharp(let radius, let amount, let threshold):
            .unsharp(radius: radius.multiplied(by: scale) ?? radius, amount: amount, threshold: threshold)
        case .median(let radius): .median(radius: max(1, scale.multiplied(by: radius) ?? radius))
        case .pixelate(let size): .pixelate(size: max(1, scale.multiplied(by: size) ?? size))
        case .within(let region, let filter): .within(region.scaled(by: scale), filter.scaled(by: scale))
        default: self
        }
    }

    /// The filters to carry out, scaled: looks expanded, idle filters dropped, and successive blurs combined.
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

    /// The filters of a look; itself otherwise.
    private var members: [ImageFilter] { if case .look(let look) = self { look.filters } else { [self] } }

    /// Whether nothing is left to do after scaling, such as squares of one pixel.
    private var isIdle: Bool {
        if case .within(_, let filter) = self { return filter.isIdle }
        return changesNothing || self == .pixelate(size: 1)
    }

    private static func billionths(_ number: Double) -> Int64 { Int64(exactly: (number * 1e9).rounded()) ?? Int64.max }
}

extension ImageFilter.Look {
    /// The filters in order; none of them is a look.
    package var filters: [ImageFilter] {
        switch self {
        case .noir: [.grayscale, .contrast(25), .shadows(-30), .vignette(percent: 40)]
        case .vintage: [.contrast(-18), .brightness(5), .saturation(-20), .sepia(percent: 35), .vignette(percent: 35)]
        case .vivid: [.vibrance(45), .saturation(15), .contrast(12)]
        case .cool: [.temperature(-40), .saturation(-15)]
        case .warm: [.temperature(35), .saturation(10), .brightness(2)]
        case .bleach: [.saturation(-60), .contrast(35), .highlights(15)]
        case .cinema:
            [
                .contrast(10), .duotone(dark: Self.cinemaShadows, light: Self.cinemaLights, percent: 40),
                .saturation(25), .vignette(percent: 25),
            ]
        case .dream: [.blur(sigma: 1.2), .exposure(ev: 0.3), .shadows(25), .vibrance(25)]
        }
    }

    private static let cinemaShadows = Color(red: 8, green: 34, blue: 56)
    private static let cinemaLights = Color(red: 255, green: 196, blue: 128)
}
