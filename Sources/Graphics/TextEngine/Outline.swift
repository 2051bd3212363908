/// In a glyph, in 1/24 em: to the right of the pen, down from the baseline.
package struct OutlinePoint: Equatable, Sendable { package var x, y: Double }

/// A glyph's outline as straight lines, off the ideal curves by far less than a step of a distance field.
package struct Outline: Sendable {
    package struct Edge: Sendable { package var start, end: OutlinePoint }

    static let edgeLimit = 8000
    static let reach = 240.0

    /// Contour by contour; each ends where it began.
    package private(set) var edges: [Edge] = []
    private(set) var contourCount = 0
    private var first = OutlinePoint(x: 0, y: 0)
    private var current = OutlinePoint(x: 0, y: 0)

    mutating func move(to point: OutlinePoint) {
        close()
        contourCount += 1
        first = point
        current = point
    }

    mutating func line(to point: OutlinePoint) {
        guard point != current else { return }
        edges.append(Edge(start: current, end: point))
        current = point
    }

    mutating func curve(to end: OutlinePoint, by control: OutlinePoint) {
        let start = current
        let steps = Self.steps(start, control, end)
        for step in 1...steps {
            let t = Double(step) / Double(steps)
            let (a, b, c) = ((1 - t) * (1 - t), 2 * t * (1 - t), t * t)
            line(
                to: OutlinePoint(
                    x: a * start.x + b * control.x + c * end.x, y: a * start.y + b * control.y + c * end.y))
        }
    }

    mutating func curve(to end: OutlinePoint, by control1: OutlinePoint, and control2: OutlinePoint) {
        let start = current
        let steps = Self.steps(start, control1, control2, end)
        for step in 1...steps {
            let t = Double(step) / Double(steps)
            let s = 1 - t
            let (a, b, c, d) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
            line(
                to: OutlinePoint(
                    x: a * start.x + b * control1.x + c * control2.x + d * end.x,
                    y: a * start.y + b * control1.y + c * control2.y + d * end.y))
        }
    }

    mutating func close() { line(to: first) }

    /// As many lines for a curve that none is off by more than about 1/100 pixel.
    private static func steps(_ points: OutlinePoint...) -> Int {
        var bend = 0.0
        for index in 1..<(points.count - 1) {
            bend = max(
                bend, abs(points[index - 1].x - 2 * points[index].x + points[index + 1].x),
                abs(points[index - 1].y - 2 * points[index].y + points[index + 1].y))
        }
        guard bend.isFinite else { return 1 }
        return max(1, min(64, Int((bend * 40).squareRoot().rounded(.up))))
    }
}
