import MapRender

enum Curves {
    /// Around the origin; smooth at `pixelRatio` device pixels per CSS pixel.
    static func circle(radius: Double, pixelRatio: Double) -> [ScreenPoint] {
        arc(center: ScreenPoint(x: 0, y: 0), radius: radius, from: 0, to: 2 * .pi, pixelRatio: pixelRatio).dropLast()
    }

    /// Angles are clockwise from the right; includes both ends.
    static func arc(
        center: ScreenPoint, radius: Double, from start: Double, to end: Double, pixelRatio: Double
    ) -> [ScreenPoint] {
        // The error of a chord is about radius · angle² / 8: here 1/50 of a device pixel.
        let step = (0.16 / max(0.1, radius * pixelRatio)).squareRoot()
        let count = max(4, min(512, Int((abs(end - start) / step).rounded(.up))))
        return (0...count).map { index in
            let turn = Trigonometry.sineAndCosine(start + (end - start) * Double(index) / Double(count))
            return ScreenPoint(x: center.x + radius * turn.cosine, y: center.y + radius * turn.sine)
        }
    }

    static func cubic(
        from start: ScreenPoint, _ control1: ScreenPoint, _ control2: ScreenPoint, to end: ScreenPoint, count: Int
    ) -> [ScreenPoint] {
        (1...max(1, count)).map { index in
            let t = Double(index) / Double(max(1, count))
            let s = 1 - t
            let (a, b, c, d) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
            return ScreenPoint(
                x: a * start.x + b * control1.x + c * control2.x + d * end.x,
                y: a * start.y + b * control1.y + c * control2.y + d * end.y)
        }
    }
}
