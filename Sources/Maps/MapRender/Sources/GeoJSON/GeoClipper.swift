struct GeoClipper {
    enum Axis { case x, y }

    private let axis: Axis
    private let least, most: Double
    private let hasLineMetrics: Bool

    init(_ axis: Axis, from least: Double, to most: Double, scale: Double, hasLineMetrics: Bool) {
        self.axis = axis
        self.least = least / scale
        self.most = most / scale
        self.hasLineMetrics = hasLineMetrics
    }

    func clip(_ features: [GeoFeature]) -> [GeoFeature] {
        var clipped: [GeoFeature] = []
        for feature in features {
            let low = axis == .x ? feature.minX : feature.minY
            let high = axis == .x ? feature.maxX : feature.maxY
            if low >= least, high < most {
                clipped.append(feature)
            } else if !(high < least || low >= most) {
                append(feature, to: &clipped)
            }
        }
        return clipped
    }

    private func append(_ feature: GeoFeature, to clipped: inout [GeoFeature]) {
        switch feature.geometry {
        case .points(let points):
            let kept = points.filter { holds($0) }
            if !kept.isEmpty { clipped.append(GeoFeature(.points(kept), record: feature.record)) }
        case .lines(let lines):
            var kept: [GeoLine] = []
            for line in lines { clip(line, isRing: false, to: &kept) }
            if hasLineMetrics {
                clipped += kept.map { GeoFeature(.lines([$0]), record: feature.record) }
            } else if !kept.isEmpty {
                clipped.append(GeoFeature(.lines(kept), record: feature.record))
            }
        case .polygons(let polygons):
            let kept = polygons.map { polygon in
                var rings: [GeoLine] = []
                for ring in polygon { clip(ring, isRing: true, to: &rings) }
                return rings
            }.filter { !$0.isEmpty }
            if !kept.isEmpty { clipped.append(GeoFeature(.polygons(kept), record: feature.record)) }
        }
    }

    private func place(_ vertex: GeoVertex) -> Double { axis == .x ? vertex.x : vertex.y }
    private func holds(_ vertex: GeoVertex) -> Bool { place(vertex) >= least && place(vertex) <= most }

    private func clip(_ line: GeoLine, isRing: Bool, to clipped: inout [GeoLine]) {
        let vertices = line.vertices
        guard let last = vertices.last else { return }
        let empty = GeoLine(size: line.size, start: line.start, end: line.end)
        var slice = empty
        var passed = line.start
        for (a, b) in zip(vertices, vertices.dropFirst()) {
            let (from, to) = (place(a), place(b))
            let length = hasLineMetrics ? ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot() : 0
            if from < least {
                if to > least { slice.start = passed + length * cross(a, b, at: least, &slice) }
            } else if from > most {
                if to < most { slice.start = passed + length * cross(a, b, at: most, &slice) }
            } else {
                slice.vertices.append(a)
            }
            var exit: Double?
            if to < least, from >= least { exit = cross(a, b, at: least, &slice) }
            if to > most, from <= most { exit = cross(a, b, at: most, &slice) }
            if !isRing, let exit {
                slice.end = passed + length * exit
                clipped.append(slice)
                slice = empty
            }
            passed += length
        }
        if holds(last) { slice.vertices.append(last) }
        if isRing, slice.vertices.count > 1, let first = slice.vertices.first, let end = slice.vertices.last,
            first.x != end.x || first.y != end.y
        {
            slice.vertices.append(first)
        }
        if !slice.vertices.isEmpty { clipped.append(slice) }
    }

    /// Adds where a segment crosses a side of the stripe, and returns the share of the segment before.
    private func cross(_ a: GeoVertex, _ b: GeoVertex, at side: Double, _ slice: inout GeoLine) -> Double {
        switch axis {
        case .x:
            let t = (side - a.x) / (b.x - a.x)
            slice.vertices.append(GeoVertex(x: side, y: a.y + (b.y - a.y) * t, weight: 1))
            return t
        case .y:
            let t = (side - a.y) / (b.y - a.y)
            slice.vertices.append(GeoVertex(x: a.x + (b.x - a.x) * t, y: side, weight: 1))
            return t
        }
    }
}
