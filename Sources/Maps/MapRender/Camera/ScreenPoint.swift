import MapStyle

/// A place on the picture, or a vector: device pixels, to the right and down.
package struct ScreenPoint: Hashable, Sendable {
    package var x, y: Double

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    static let zero = ScreenPoint(x: 0, y: 0)

    init?(_ value: Value) {
        guard case .array(let elements) = value, elements.count == 2, let x = elements[0].number,
            let y = elements[1].number
        else { return nil }
        self.init(x: x, y: y)
    }

    static func + (a: ScreenPoint, b: ScreenPoint) -> ScreenPoint { ScreenPoint(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: ScreenPoint, b: ScreenPoint) -> ScreenPoint { ScreenPoint(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: ScreenPoint, factor: Double) -> ScreenPoint { ScreenPoint(x: a.x * factor, y: a.y * factor) }

    func snapped(to parts: Double) -> ScreenPoint {
        ScreenPoint(x: (x * parts).rounded() / parts, y: (y * parts).rounded() / parts)
    }

    var length: Double { (x * x + y * y).squareRoot() }

    /// Clockwise, as y points down; in radians.
    func turned(by angle: Double) -> ScreenPoint {
        let (sine, cosine) = Trigonometry.sineAndCosine(angle)
        return ScreenPoint(x: x * cosine - y * sine, y: x * sine + y * cosine)
    }
}

extension [ScreenPoint] {
    /// The part of a closed ring whose depth is 0 or more. Depths are linear; cuts run along depth 0.
    func part(_ depth: (ScreenPoint) -> Double) -> [ScreenPoint] {
        guard var previous = last else { return [] }
        var previousDepth = depth(previous)
        var result: [ScreenPoint] = []
        for point in self {
            let pointDepth = depth(point)
            if (pointDepth < 0) != (previousDepth < 0) {
                result.append(previous + (point - previous) * (previousDepth / (previousDepth - pointDepth)))
            }
            if pointDepth >= 0 { result.append(point) }
            previous = point
            previousDepth = pointDepth
        }
        return result
    }
}
