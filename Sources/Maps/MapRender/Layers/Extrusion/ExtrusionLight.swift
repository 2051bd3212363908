import MapStyle

struct ExtrusionLight {
    private let direction: SIMD3<Double>
    private let color: SIMD3<Double>
    private let intensity: Double

    init(_ frame: Frame) {
        let context = frame.layerContext()
        let light = frame.style.light
        intensity = light[.lightIntensity]?.number(context) ?? 0.5
        let value = light[.lightColor]?.color(context) ?? StyleColor(red: 1, green: 1, blue: 1)
        color = SIMD3(value.red, value.green, value.blue)
        var position = [1.15, 210, 30]
        switch light[.lightPosition]?.value(context) {
        case .array(let elements) where elements.count == 3: position = elements.map { $0.number ?? 0 }
        case .numbers(let numbers) where numbers.count == 3: position = numbers
        default: break
        }
        let azimuth = Trigonometry.sineAndCosine(Trigonometry.radians(position[1] + 90))
        let polar = Trigonometry.sineAndCosine(Trigonometry.radians(position[2]))
        let flat = ScreenPoint(x: position[0] * azimuth.cosine * polar.sine, y: position[0] * azimuth.sine * polar.sine)
        let isMap = light[.lightAnchor]?.value(context) == .string("map")
        let turned = isMap ? flat : flat.turned(by: Trigonometry.radians(frame.view.camera.bearing))
        direction = SIMD3(turned.x, turned.y, position[0] * polar.cosine)
    }

    struct Surface {
        /// Of length 1, pointing inwards as in MapLibre.
        var normal: SIMD3<Double>
        var hasGradient: Bool
        /// Metres.
        var base: Double, height: Double
    }

    func color(_ color: StyleColor, _ surface: Surface, isTop: Bool) -> SIMD4<Float> {
        let base = SIMD3(color.red, color.green, color.blue) * color.alpha
        let luminance = (base * SIMD3(0.2126, 0.7152, 0.0722)).sum()
        let strength = strength(surface, highest: max(1 - luminance + intensity, 1), isTop: isTop)
        return lit((base + 0.03) * strength)
    }

    func shade(_ surface: Surface, isTop: Bool) -> SIMD4<Float> {
        lit(SIMD3(repeating: strength(surface, highest: max(0.5 + intensity, 1), isTop: isTop)))
    }

    private func strength(_ surface: Surface, highest: Double, isTop: Bool) -> Double {
        let facing = max(0, min(1, (surface.normal * direction).sum()))
        var strength = 1 - intensity + (highest - 1 + intensity) * facing
        // MapLibre's normals have 14 bits, and sides without a share in y no gradient.
        if surface.hasGradient, abs(surface.normal.y) * 16384 >= 1 {
            let least = 0.7 + 0.28 * (1 - intensity)
            let rise = ((isTop ? 1 : 0) + surface.base) * (surface.height / 150).squareRoot()
            strength *= max(least, min(1, rise))
        }
        return strength
    }

    private func lit(_ value: SIMD3<Double>) -> SIMD4<Float> {
        let least = (1 - color) * 0.3
        let held = (value * color).clamped(lowerBound: least, upperBound: SIMD3(repeating: 1))
        return SIMD4<Float>(SIMD4(held, 1))
    }
}
