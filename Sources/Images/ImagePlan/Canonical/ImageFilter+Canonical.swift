import Colors
import Parameters

extension ImageFilter {
    /// The text that `parseList` reads back as this filter: colons, and no defaults at the end.
    package var canonical: String {
        switch self {
        case .blur(let sigma): Self.text(.blur, "\(sigma)")
        case .sharpen(let sigma): Self.text(.sharpen, "\(sigma)", defaults: ["1"])
        case .unsharp(let radius, let amount, let threshold):
            Self.text(.unsharp, "\(radius)", "\(amount)", "\(threshold)", defaults: [nil, "1", "0"])
        case .median(let radius): Self.text(.median, "\(radius)")
        case .pixelate(let size): Self.text(.pixelate, "\(size)")
        case .noise(let amount, let seed): Self.text(.noise, "\(amount)", "\(seed)", defaults: [nil, "0"])
        case .grayscale: Self.text(.grayscale)
        case .sepia(let percent): Self.text(.sepia, "\(percent)", defaults: ["100"])
        case .invert: Self.text(.invert)
        case .threshold(let level): Self.text(.threshold, "\(level)", defaults: ["128"])
        case .posterize(let levels): Self.text(.posterize, "\(levels)")
        case .tint(let color, let percent): Self.text(.tint, color.canonical, "\(percent)", defaults: [nil, "100"])
        case .duotone(let dark, let light, let percent):
            Self.text(.duotone, dark.canonical, light.canonical, "\(percent)", defaults: [nil, nil, "100"])
        case .brightness(let amount): Self.text(.brightness, "\(amount)")
        case .contrast(let amount): Self.text(.contrast, "\(amount)")
        case .saturation(let amount): Self.text(.saturation, "\(amount)")
        case .vibrance(let amount): Self.text(.vibrance, "\(amount)")
        case .highlights(let amount): Self.text(.highlights, "\(amount)")
        case .shadows(let amount): Self.text(.shadows, "\(amount)")
        case .temperature(let amount): Self.text(.temperature, "\(amount)")
        case .hue(let degrees): Self.text(.hue, "\(degrees)")
        case .gamma(let exponent): Self.text(.gamma, "\(exponent)")
        case .exposure(let ev): Self.text(.exposure, "\(ev)")
        case .normalize: Self.text(.normalize)
        case .equalize: Self.text(.equalize)
        case .clahe: Self.text(.clahe)
        case .vignette(let percent): Self.text(.vignette, "\(percent)", defaults: ["50"])
        case .edges: Self.text(.edges)
        case .emboss: Self.text(.emboss)
        case .look(let look): Self.text(.look, look.rawValue)
        }
    }

    /// The name and the arguments, without those at the end that equal their default; nil has none.
    private static func text(_ form: FilterForm, _ arguments: String..., defaults: [String?] = []) -> String {
        var parts = arguments
        while let last = parts.last, parts.count <= defaults.count, last == defaults[parts.count - 1] {
            parts.removeLast()
        }
        return ([form.rawValue] + parts).joined(separator: ":")
    }
}
