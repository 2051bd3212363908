enum Polygon {
    /// By the even-odd rule; `onBoundary` is the result for points on an edge.
    static func contains(_ point: PlanePoint, _ rings: [[PlanePoint]], onBoundary: Bool) -> Bool {
        var isInside = false
        for ring in rings where ring.count > 1 {
            for index in 1..<ring.count {
                let (start, end) = (ring[index - 1], ring[index])
                if isOnSegment(point, start, end) { return onBoundary }
                let crosses = (start.y > point.y) != (end.y > point.y)
                if crosses, point.x < (end.x - start.x) * (point.y - start.y) / (end.y - start.y) + start.x {
                    isInside.toggle()
                }
            }
        }
        return isInside
    }

    /// Whether the whole of `line` is inside `rings` and touches no edge with a vertex.
    static func contains(line: [PlanePoint], _ rings: [[PlanePoint]]) -> Bool {
        guard line.allSatisfy({ contains($0, rings, onBoundary: false) }) else { return false }
        for index in 1..<max(1, line.count) {
            if rings.contains(where: { crosses(line[index - 1], line[index], $0) }) { return false }
        }
        return true
    }

    static func crosses(_ start: PlanePoint, _ end: PlanePoint, _ line: [PlanePoint]) -> Bool {
        let segment = Segment(start: start, end: end)
        return (1..<max(1, line.count)).contains { segment.crosses(Segment(start: line[$0 - 1], end: line[$0])) }
    }

    private static func isOnSegment(_ point: PlanePoint, _ start: PlanePoint, _ end: PlanePoint) -> Bool {
        Segment(start: start, end: end).side(of: point) == 0 && (point.x - start.x) * (point.x - end.x) <= 0
            && (point.y - start.y) * (point.y - end.y) <= 0
    }
}

struct Segment {
    var start: PlanePoint
    var end: PlanePoint

    /// At an inner point of both; parallel segments do not cross.
    func crosses(_ other: Segment) -> Bool { hasEndsOnBothSides(of: other) && other.hasEndsOnBothSides(of: self) }

    private func hasEndsOnBothSides(of other: Segment) -> Bool {
        let (first, second) = (other.side(of: start), other.side(of: end))
        return (first > 0 && second < 0) || (first < 0 && second > 0)
    }

    /// Positive on one side of the line, negative on the other, 0 on it.
    func side(of point: PlanePoint) -> Double {
        (point.x - start.x) * (end.y - start.y) - (end.x - start.x) * (point.y - start.y)
    }
}

struct Bounds: Sendable {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity

    init(_ points: some Sequence<PlanePoint>) { for point in points { extend(point) } }

    mutating func extend(_ point: PlanePoint) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    func isInside(_ other: Bounds) -> Bool {
        minX > other.minX && maxX < other.maxX && minY > other.minY && maxY < other.maxY
    }
}
