struct LineWalker {
    struct Place {
        var point: ScreenPoint
        var angle: Double
    }

    private static let vertexLimit = 4096

    private let plane: LabelPlane
    private let vertices: [TileVertex]
    private let line: Range<Int>
    private let anchor: SymbolPosition
    private let anchorPoint: ScreenPoint
    private let offset: ScreenPoint
    private var projected: [Int: ScreenPoint] = [:]
    private var shifted: [Int: ScreenPoint] = [:]

    /// The way to the last place asked for, from the anchor.
    private(set) var path: [ScreenPoint] = []
    init(_ symbol: PlacedSymbol, _ vertices: [TileVertex], _ plane: LabelPlane, fontScale: Double) {
        (self.plane, self.vertices) = (plane, vertices)
        line = Int(symbol.line.lowerBound)..<Int(symbol.line.upperBound)
        anchor = symbol.anchor
        anchorPoint = plane.place(anchor.x, anchor.y).point
        offset = ScreenPoint(x: symbol.lineOffset.x * fontScale, y: symbol.lineOffset.y * fontScale)
    }

    var segmentEnd: ScreenPoint? {
        let index = line.lowerBound + Int(anchor.segment) + 1
        guard line.contains(index) else { return nil }
        return ScreenPoint(x: Double(vertices[index].x), y: Double(vertices[index].y))
    }

    /// The place `distance` along the line from the anchor; nil beyond its end. Flipped texts run backwards.
    mutating func place(at distance: Double, isFlipped: Bool) -> Place? {
        let wanted = isFlipped ? distance - offset.x : distance + offset.x
        let direction = (wanted > 0) != isFlipped ? 1 : -1
        let angle = (isFlipped ? .pi : 0.0) + (direction < 0 ? .pi : 0.0)
        let reach = abs(wanted)
        var index = line.lowerBound + Int(anchor.segment) + (direction > 0 ? 0 : 1)
        var current = anchorPoint
        var previous = anchorPoint
        var shiftedCurrent: ScreenPoint?
        var shiftedPrevious: ScreenPoint?
        var walked = 0.0
        var segment = ScreenPoint.zero
        var segmentLength = 0.0
        path.removeAll(keepingCapacity: true)
        while walked + segmentLength <= reach {
            index += direction
            guard line.contains(index), path.count < Self.vertexLimit else { return nil }
            walked += segmentLength
            previous = current
            shiftedPrevious = shiftedCurrent
            let step = Step(direction: direction, walked: walked, reach: reach)
            current = vertex(index, after: previous, step)
            if offset.y == 0 {
                path.append(previous)
                segment = current - previous
            } else {
                let normal = normal(index, from: previous, to: current, step)
                let start = shiftedPrevious ?? previous + normal
                shiftedPrevious = start
                let end = corner(index, at: current, normal, from: start, step)
                shiftedCurrent = end
                path.append(start)
                segment = end - start
            }
            segmentLength = segment.length
            guard segmentLength.isFinite else { return nil }
        }
        let point = segment * ((reach - walked) / segmentLength) + (shiftedPrevious ?? previous)
        path.append(point)
        let along = current - previous
        return Place(point: point, angle: angle + Trigonometry.angle(x: along.x, y: along.y))
    }

    private struct Step {
        var direction: Int
        var walked, reach: Double
    }

    private mutating func vertex(_ index: Int, after previous: ScreenPoint, _ step: Step) -> ScreenPoint {
        if let known = projected[index] { return known }
        let vertex = vertices[index]
        let place = plane.place(Double(vertex.x), Double(vertex.y))
        if place.distance > 0 {
            projected[index] = place.point
            return place.point
        }
        var from = (x: anchor.x, y: anchor.y)
        if step.walked != 0, line.contains(index - step.direction) {
            let vertex = vertices[index - step.direction]
            from = (Double(vertex.x), Double(vertex.y))
        }
        let away = ScreenPoint(x: from.x - Double(vertex.x), y: from.y - Double(vertex.y))
        let length = away.length
        guard length > 0 else { return previous }
        let unit = plane.place(from.x + away.x / length, from.y + away.y / length).point
        let back = previous - unit
        let backLength = back.length
        guard backLength > 0 else { return previous }
        return previous + back * ((step.reach - step.walked + 1) / backLength)
    }

    private mutating func normal(
        _ index: Int, from previous: ScreenPoint, to current: ScreenPoint, _ step: Step
    ) -> ScreenPoint {
        var along = current - previous
        if along.length == 0, line.contains(index + step.direction) {
            along = vertex(index + step.direction, after: current, step) - current
        }
        return shift(along, step)
    }

    private func shift(_ along: ScreenPoint, _ step: Step) -> ScreenPoint {
        let length = along.length
        guard length > 0 else { return .zero }
        let factor = offset.y * Double(step.direction) / length
        return ScreenPoint(x: -along.y * factor, y: along.x * factor)
    }

    private mutating func corner(
        _ index: Int, at current: ScreenPoint, _ normal: ScreenPoint, from start: ScreenPoint, _ step: Step
    ) -> ScreenPoint {
        if let known = shifted[index] { return known }
        let end = current + normal
        guard line.contains(index + step.direction) else {
            shifted[index] = end
            return end
        }
        let next = vertex(index + step.direction, after: current, step)
        let nextNormal = shift(next - current, step)
        let point = Self.crossing((start, end), (current + nextNormal, next + nextNormal)) ?? end
        shifted[index] = point
        return point
    }

    private static func crossing(
        _ first: (ScreenPoint, ScreenPoint), _ second: (ScreenPoint, ScreenPoint)
    ) -> ScreenPoint? {
        let (a, b, between) = (first.1 - first.0, second.1 - second.0, first.0 - second.0)
        let scale = b.y * a.x - b.x * a.y
        guard scale != 0 else { return nil }
        return first.0 + a * ((b.x * between.y - b.y * between.x) / scale)
    }
}
