import MapStyle

package struct WorldBounds: Hashable, Sendable {
    /// From west to east.
    package var x: ClosedRange<Double>
    package var y: ClosedRange<Double>
}

extension WorldBounds {
    var corners: [ScreenPoint] {
        [
            ScreenPoint(x: x.lowerBound, y: y.lowerBound), ScreenPoint(x: x.upperBound, y: y.lowerBound),
            ScreenPoint(x: x.upperBound, y: y.upperBound), ScreenPoint(x: x.lowerBound, y: y.upperBound),
        ]
    }

    /// What both cover; nil when they touch at most.
    func common(_ other: WorldBounds) -> WorldBounds? {
        let (left, right) = (max(x.lowerBound, other.x.lowerBound), min(x.upperBound, other.x.upperBound))
        let (top, bottom) = (max(y.lowerBound, other.y.lowerBound), min(y.upperBound, other.y.upperBound))
        return left < right && top < bottom ? WorldBounds(x: left...right, y: top...bottom) : nil
    }

    func contains(_ other: WorldBounds, slack: Double) -> Bool {
        other.x.lowerBound >= x.lowerBound - slack && other.x.upperBound <= x.upperBound + slack
            && other.y.lowerBound >= y.lowerBound - slack && other.y.upperBound <= y.upperBound + slack
    }

    init(_ tile: PlacedTile) {
        let side = 1 / Trigonometry.powerOfTwo(Double(tile.id.z))
        let (left, top) = (Double(tile.id.x) * side + Double(tile.wrap), Double(tile.id.y) * side)
        self.init(x: left...left + side, y: top...top + side)
    }

    /// What others leave uncovered: from north to south by the rows in which these begin and end, each from west to east.
    func without(_ others: [WorldBounds]) -> [WorldBounds] {
        let others = others.compactMap { common($0) }
        let ends = others.flatMap { [$0.y.lowerBound, $0.y.upperBound] } + [y.lowerBound, y.upperBound]
        let rows = Set(ends).sorted()
        var rest: [WorldBounds] = []
        // Rectangles that end at the row, by width: one goes on below.
        var open: [ClosedRange<Double>: Int] = [:]
        for (top, bottom) in zip(rows, rows.dropFirst()) {
            let areas = others.filter { $0.y.lowerBound <= top && $0.y.upperBound >= bottom }
            var next: [ClosedRange<Double>: Int] = [:]
            for gap in gaps(between: areas.map(\.x)) {
                if let known = open[gap] {
                    rest[known].y = rest[known].y.lowerBound...bottom
                    next[gap] = known
                } else {
                    next[gap] = rest.count
                    rest.append(WorldBounds(x: gap, y: top...bottom))
                }
            }
            open = next
        }
        return rest
    }

    private func gaps(between ranges: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
        var gaps: [ClosedRange<Double>] = []
        var left = x.lowerBound
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if left < range.lowerBound { gaps.append(left...range.lowerBound) }
            left = max(left, range.upperBound)
        }
        if left < x.upperBound { gaps.append(left...x.upperBound) }
        return gaps
    }

    /// Larger on each side by `share` of its size.
    func grown(by share: Double) -> WorldBounds {
        let width = (x.upperBound - x.lowerBound) * share, height = (y.upperBound - y.lowerBound) * share
        return WorldBounds(
            x: x.lowerBound - width...x.upperBound + width, y: y.lowerBound - height...y.upperBound + height)
    }
}
