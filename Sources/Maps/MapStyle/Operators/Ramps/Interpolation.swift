import Glibc
import JSON

package enum Interpolation: Hashable, Sendable {
    case linear
    case exponential(base: Double)
    /// Along a Bézier curve from (0, 0) to (1, 1) with two control points.
    case cubicBezier(x1: Double, y1: Double, x2: Double, y2: Double)

    static func parse(_ curve: [JSONValue], _ context: ParseContext) throws(ExpressionFailure) -> Interpolation {
        switch curve[0] {
        case "linear": return .linear
        case "exponential":
            guard curve.count > 1, let base = curve[1].number else { throw context.failure(.base, at: 1, 1) }
            return .exponential(base: base)
        case "cubic-bezier":
            let points = curve.dropFirst().compactMap(\.number).filter { (0...1).contains($0) }
            guard curve.count == 5, points.count == 4 else { throw context.failure(.controlPoints, at: 1) }
            return .cubicBezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3])
        default: throw context.failure(.unknownInterpolation(Value(curve[0]).text), at: 1, 0)
        }
    }

    /// How far `input` is on the way from `low` to `high`, `0...1`.
    package func fraction(_ input: Double, from low: Double, to high: Double) -> Double {
        let span = high - low
        guard span != 0 else { return 0 }
        switch self {
        case .linear, .exponential(base: 1): return (input - low) / span
        case .exponential(let base): return (pow(base, input - low) - 1) / (pow(base, span) - 1)
        case .cubicBezier(let x1, let y1, let x2, let y2):
            return Self.bezier((input - low) / span, x1: x1, y1: y1, x2: x2, y2: y2)
        }
    }

    /// The curve's y at `x`; bisection finds its parameter.
    private static func bezier(_ x: Double, x1: Double, y1: Double, x2: Double, y2: Double) -> Double {
        func coordinate(_ t: Double, _ first: Double, _ second: Double) -> Double {
            let u = 1 - t
            return 3 * u * u * t * first + 3 * u * t * t * second + t * t * t
        }
        var low = 0.0
        var high = 1.0
        for _ in 0..<52 {
            let middle = (low + high) / 2
            if coordinate(middle, x1, x2) < x { low = middle } else { high = middle }
        }
        return coordinate((low + high) / 2, y1, y2)
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension Value {
    /// The value `fraction` of the way to `other`; nil if their lengths differ.
    func mixed(with other: Value, fraction: Double, in space: ColorSpace) -> Value? {
        switch (self, other) {
        case (.number(let low), .number(let high)): return .number(mix(low, high, fraction))
        case (.color(let low), .color(let high)): return .color(low.mixed(with: high, fraction: fraction, in: space))
        case (.array(let low), .array(let high)):
            guard low.count == high.count else { return nil }
            let parts = zip(low, high).compactMap { $0.mixed(with: $1, fraction: fraction, in: space) }
            return parts.count == low.count ? .array(parts) : nil
        case (.numbers(let low), .numbers(let high)):
            guard low.count == high.count else { return nil }
            return .numbers(zip(low, high).map { mix($0, $1, fraction) })
        case (.padding(let low), .padding(let high)):
            return Padding(zip(low.values, high.values).map { mix($0, $1, fraction) }).map(Value.padding)
        case (.colors(let low), .colors(let high)):
            guard low.count == high.count else { return nil }
            return .colors(zip(low, high).map { $0.mixed(with: $1, fraction: fraction, in: space) })
        case (.projection(let low), .projection(let high)):
            return .projection(ProjectionDefinition(from: low.to, to: high.to, transition: fraction))
        case (.anchorOffsets(let low), .anchorOffsets(let high)):
            guard low.map(\.anchor) == high.map(\.anchor) else { return nil }
            return .anchorOffsets(
                zip(low, high).map {
                    AnchorOffset(anchor: $0.anchor, x: mix($0.x, $1.x, fraction), y: mix($0.y, $1.y, fraction))
                })
        default: return nil
        }
    }
}
