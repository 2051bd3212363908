import Bytes
import Raster

/// How much of lines a view shows, by the projection that draws them: the cost of drawing depends on it.
package struct LineMeasure {
    package struct Seen: Equatable, Sendable {
        package var sideCount = 0.0
        /// Of these sides, in device pixels.
        package var length = 0.0

        package init() {}

        mutating func add(_ side: (ScreenPoint, ScreenPoint)?) {
            guard let (start, end) = side else { return }
            sideCount += 1
            length += (end - start).length
        }
    }

    private let view: View
    private let bounds: WorldBounds
    private let copyCount: Int

    package init?(_ view: View) {
        guard let bounds = view.worldBounds else { return nil }
        (self.view, self.bounds, copyCount) = (view, bounds, view.copyCount)
    }

    /// Of lines with strokes of `width` device pixels. O(places · copies of the world).
    package func seen(_ parts: [DrawnLine.Part], width: Double) -> Seen {
        let margin = Self.margin(width)
        let builder = GroundPathBuilder(view, margin: margin)
        var seen = Seen()
        for part in parts {
            let (west, east) = WorldBounds.sides(part.places)
            let slack = margin / view.pixelRatio / view.worldSize
            for copy in bounds.copies(west, east, slack: slack, count: copyCount) {
                let more = builder.seen(part, copy: copy)
                seen.sideCount += more.sideCount
                seen.length += more.length
            }
        }
        return seen
    }

    /// Of an upright circle of `radius` device pixels at a place. O(copies of the world).
    package func seen(around place: WorldPlace, radius: Double, width: Double) -> Seen {
        let margin = Self.margin(width)
        let slack = (radius + margin) / view.pixelRatio / view.worldSize
        let canvas = view.canvas.grown(by: margin)
        var seen = Seen()
        for copy in bounds.copies(place.x, place.x, slack: slack, count: copyCount) {
            guard let middle = view.point(place, copy: copy, view.worldProjection) else { continue }
            for (start, end) in zip(Self.circle, Self.circle.dropFirst()) {
                seen.add(PolylineClip.cut(middle + start * radius, middle + end * radius, to: canvas))
            }
        }
        return seen
    }

    private static let circle = (0...64).map { ScreenPoint(x: 1, y: 0).turned(by: Double($0) * .pi / 32) }

    /// Device pixels around the picture within which a stroke is made.
    static func margin(_ width: Double) -> Double { width + 2 }

    /// Dashes that begin on a device pixel of a line with this pattern, on average; 0 when it is drawn solid. Device pixels.
    package static func dashesPerPixel(_ lengths: [Double], width: Double) -> Double {
        let repeats = lengths.count % 2 == 0 ? 1.0 : 2
        let period = lengths.reduce(0, +) * repeats
        guard period >= max(StrokeStyle.leastPeriod, width / 64) else { return 0 }
        return Double(lengths.count) * repeats / 2 / period
    }
}

extension WorldBounds {
    static func sides(_ places: some Sequence<WorldPlace>) -> (west: Double, east: Double) {
        var (west, east) = (Double.infinity, -Double.infinity)
        for place in places {
            west = min(west, place.x)
            east = max(east, place.x)
        }
        return (west, east)
    }

    private static let copyLimit = 256

    /// The copies of something between two meridians that are seen, with `slack` worlds around, of a map that has `count`
    /// copies of the world on each side.
    func copies(_ least: Double, _ most: Double, slack: Double, count: Int) -> Range<Int> {
        let west = max(-Double(count), x.lowerBound) - slack
        let east = min(Double(count + 1), x.upperBound) + slack
        guard least <= most, most - least < 1e6, west <= east else { return 0..<0 }
        let worlds = -1_000_000...1_000_000
        let first = Int(held: (west - most).rounded(.up), in: worlds)
        let last = Int(held: (east - least).rounded(.down), in: worlds)
        return first..<max(first, min(first + Self.copyLimit, last + 1))
    }
}
