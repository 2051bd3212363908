import Colors
import Parameters

extension ImageFilter.Look {
    /// What the look consists of, in order; none of it is a look.
    package var filters: [ImageFilter] {
        switch self {
        case .noir: [.grayscale, .contrast(25), .shadows(-30), .vignette(percent: 40)]
        case .vintage:
            [.contrast(-18), .brightness(5), .saturation(-20), .sepia(percent: 35), .vignette(percent: 35)]
        case .vivid: [.vibrance(45), .saturation(15), .contrast(12)]
        case .cool: [.temperature(-40), .saturation(-15)]
        case .warm: [.temperature(35), .saturation(10), .brightness(2)]
        case .bleach: [.saturation(-60), .contrast(35), .highlights(15)]
        case .cinema:
            [
                .contrast(10),
                .duotone(
                    dark: Color(red: 8, green: 34, blue: 56), light: Color(red: 255, green: 196, blue: 128),
                    percent: 40
                ),
                .saturation(25), .vignette(percent: 25),
            ]
        case .dream: [.blur(sigma: 1.2), .exposure(ev: 0.3), .shadows(25), .vibrance(25)]
        }
    }
}
