extension Box {
    /// The outline with corners of `radius`, clockwise.
    func rounded(radius: Double) -> [ScreenPoint] {
        let radius = min(radius, width / 2, height / 2)
        let inner = grown(by: -radius)
        let steps = radius > 12 ? 24 : 6
        var ring: [ScreenPoint] = []
        for (quarter, x, y) in [
            (0.0, inner.right, inner.bottom), (1, inner.left, inner.bottom), (2, inner.left, inner.top),
            (3, inner.right, inner.top),
        ] {
            for step in 0...steps {
                let angle = (quarter + Double(step) / Double(steps)) * .pi / 2
                let (sine, cosine) = Trigonometry.sineAndCosine(angle)
                ring.append(ScreenPoint(x: x + cosine * radius, y: y + sine * radius))
            }
        }
        return ring
    }
}
