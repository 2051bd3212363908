import Bytes

/// Angles are sines and cosines, and functions of the steepness tables: the same tables make the same relief.
package struct ReliefLight: Sendable {
    /// A light with its colors: premultiplied, `0...255` a channel.
    package struct Source: Sendable {
        package var shadow: SIMD4<Float>, highlight: SIMD4<Float>
        /// The direction that it comes from, in radians.
        package var azimuth: Float
        package var azimuthSine: Float, azimuthCosine: Float
        package var altitudeSine: Float, altitudeCosine: Float

        package init(
            shadow: SIMD4<Float>, highlight: SIMD4<Float>, azimuth: Float, azimuthSine: Float, azimuthCosine: Float,
            altitudeSine: Float, altitudeCosine: Float
        ) {
            (self.shadow, self.highlight, self.azimuth) = (shadow, highlight, azimuth)
            (self.azimuthSine, self.azimuthCosine) = (azimuthSine, azimuthCosine)
            (self.altitudeSine, self.altitudeCosine) = (altitudeSine, altitudeCosine)
        }
    }

    package struct SlopeTable: Sendable {
        private let values: [Float]

        /// `count` values of the function, the last for a wall.
        package init(count: Int = 1024, _ function: (Double) -> Double) {
            values = (0..<max(2, count)).map { index in
                let share = Double(index) / Double(max(2, count) - 1)
                return Float(function(share < 1 ? share / (1 - share) : 1e12))
            }
        }

        @inline(__always) func value(_ slope: Float) -> Float {
            // An infinite slope is a wall.
            let share = slope == .infinity ? 1 : slope / (1 + slope)
            let place = share.held(to: 0...1) * Float(values.count - 1)
            let index = Int(held: place, in: 0...(values.count - 2))
            let rest = place - Float(index)
            return values[index] * (1 - rest) + values[index + 1] * rest
        }
    }

    package enum Method: Sendable {
        /// By the direction of the slope, in the strength of `shade`; with an accent in that of `accent`.
        case standard(shade: SlopeTable, accent: SlopeTable, color: SIMD4<Float>)
        case igor(strength: SlopeTable)
        /// By the angle to the light times `angle` of the steepness; slopes grow by the factor.
        case combined(angle: SlopeTable, factor: Float)
        /// By the cosine of the angle to each light; slopes grow by the factor.
        case diffuse(factor: Float)
    }

    package var method: Method
    /// Only `diffuse` uses more than the first.
    package var sources: [Source]
    /// The growth of slopes by the projection, evenly spaced from the top to the bottom of the surface.
    package var scales: [Float]

    package init(method: Method, sources: [Source], scales: [Float]) {
        (self.method, self.sources, self.scales) = (method, sources, scales)
    }
}

struct ReliefShader {
    private let light: ReliefLight

    init(_ light: ReliefLight) { self.light = light }

    /// The premultiplied color for slopes of -4…4 as bytes, at a share of the way down the surface.
    @inline(__always) func color(x: Float, y: Float, down: Float) -> SIMD4<Float> {
        guard let first = light.sources.first, light.scales.count > 1 else { return SIMD4() }
        let place = max(0, min(1, down)) * Float(light.scales.count - 1)
        let index = Int(held: place, in: 0...(light.scales.count - 2))
        let scale = light.scales[index] + (light.scales[index + 1] - light.scales[index]) * (place - Float(index))
        let slope = SIMD2(x - 128, y - 128) * (8 / 255 * scale)
        let steepness = (slope * slope).sum().squareRoot()
        switch light.method {
        case .standard(let shade, let accent, let color):
            let side = Self.side(slope, first.azimuth)
            let shaded = (first.shadow + (first.highlight - first.shadow) * side) * shade.value(steepness)
            return color * (accent.value(steepness) * (1 - shaded.w * (1 / 255))) + shaded
        case .igor(let strength):
            let side = Self.side(slope, first.azimuth)
            let amount = strength.value(steepness)
            return first.shadow * (amount * (1 - side)) + first.highlight * (amount * side)
        case .combined(let angle, let growth):
            let cosine = Self.cosine(slope * growth, steepness * growth, first)
            let toLight = min(Arc.cosine(max(-1, min(1, cosine))), .pi / 2)
            let factor = angle.value(steepness) * 4 / (.pi * .pi)
            return first.shadow * (toLight * factor) + first.highlight * ((.pi / 2 - toLight) * factor)
        case .diffuse(let growth):
            var sum = SIMD4<Float>()
            for source in light.sources {
                let shade = max(0, min(1, Self.cosine(slope * growth, steepness * growth, source)))
                sum += (shade > 0.5 ? source.highlight : source.shadow) * abs(2 * shade - 1)
            }
            return sum / Float(light.sources.count)
        }
    }

    /// 1 for a slope that faces the light, 0 for one that faces away.
    @inline(__always) private static func side(_ slope: SIMD2<Float>, _ azimuth: Float) -> Float {
        let aspect = slope.x != 0 ? Arc.angle(x: -slope.x, y: slope.y) : (slope.y > 0 ? .pi / 2 : -.pi / 2)
        let turns = (aspect + azimuth) / .pi + 0.5
        return abs(turns - 2 * (turns / 2).rounded(.down) - 1)
    }

    @inline(__always)
    private static func cosine(_ slope: SIMD2<Float>, _ steepness: Float, _ source: ReliefLight.Source) -> Float {
        let across = slope.y * source.azimuthCosine - slope.x * source.azimuthSine
        return (source.altitudeSine - across * source.altitudeCosine) / (1 + steepness * steepness).squareRoot()
    }
}

/// Inverse functions of angles from sums and products, to some 1e-5.
enum Arc {
    @inline(__always) static func angle(x: Float, y: Float) -> Float {
        let absoluteX = abs(x)
        let absoluteY = abs(y)
        let ratio = min(absoluteX, absoluteY) / max(absoluteX, absoluteY, .leastNormalMagnitude)
        let s = ratio * ratio
        // The odd polynomial of least error over 0…1.
        let series =
            0.99997726 + s * (-0.33262347 + s * (0.19354346 + s * (-0.11643287 + s * (0.05265332 - s * 0.01172120))))
        var angle = series * ratio
        if absoluteY > absoluteX { angle = .pi / 2 - angle }
        if x < 0 { angle = .pi - angle }
        return y < 0 ? -angle : angle
    }

    @inline(__always)
    static func cosine(_ cosine: Float) -> Float { angle(x: cosine, y: max(0, 1 - cosine * cosine).squareRoot()) }
}
