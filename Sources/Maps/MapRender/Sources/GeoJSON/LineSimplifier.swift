/// Weighs vertices of a line (Douglas and Peucker) once for all levels: each takes those above its tolerance.
struct LineSimplifier {
    /// On a world of side 1: smaller distances count as none.
    let squaredTolerance: Double
    let shouldStop: () -> Bool

    private static let stepCount = 1 << 20

    /// Ends stay. Of equal distances the vertex nearest to the middle counts, as in the reference.
    func weigh(_ vertices: inout [GeoVertex]) throws(GeoJSONError) {
        guard vertices.count > 0 else { return }
        vertices[0].weight = 1
        vertices[vertices.count - 1].weight = 1
        var stack = [0..<(vertices.count - 1)]
        var steps = 0
        while let range = stack.popLast() {
            steps += range.count
            if steps > Self.stepCount {
                if shouldStop() { throw .cancelled }
                steps = 0
            }
            guard let (pivot, distance) = farthest(vertices, range) else { continue }
            vertices[pivot].weight = distance
            if pivot - range.lowerBound > 1 { stack.append(range.lowerBound..<pivot) }
            if range.upperBound - pivot > 1 { stack.append(pivot..<range.upperBound) }
        }
    }

    private func farthest(_ vertices: [GeoVertex], _ range: Range<Int>) -> (pivot: Int, distance: Double)? {
        let (a, b) = (vertices[range.lowerBound], vertices[range.upperBound])
        var greatest = squaredTolerance
        var pivot: Int?
        let middle = range.lowerBound + range.count / 2
        var leastFromMiddle = range.count
        for index in (range.lowerBound + 1)..<max(range.lowerBound + 1, range.upperBound) {
            let distance = Self.squaredDistance(vertices[index], a, b)
            if distance > greatest {
                pivot = index
                greatest = distance
            } else if distance == greatest {
                let fromMiddle = abs(index - middle)
                if fromMiddle < leastFromMiddle {
                    pivot = index
                    leastFromMiddle = fromMiddle
                }
            }
        }
        guard greatest > squaredTolerance, let pivot else { return nil }
        return (pivot, greatest)
    }

    private static func squaredDistance(_ point: GeoVertex, _ a: GeoVertex, _ b: GeoVertex) -> Double {
        var (x, y) = (a.x, a.y)
        var dx = b.x - x
        var dy = b.y - y
        if dx != 0 || dy != 0 {
            let t = ((point.x - x) * dx + (point.y - y) * dy) / (dx * dx + dy * dy)
            if t > 1 {
                (x, y) = (b.x, b.y)
            } else if t > 0 {
                x += dx * t
                y += dy * t
            }
        }
        dx = point.x - x
        dy = point.y - y
        return dx * dx + dy * dy
    }
}
