import Bytes
import Raster

/// How much of lines a view shows, by the projection that draws them: the cost of drawing depends on it.
package struct LineMeasure {
    package struct Seen: Equatable, Sendable {
        package var sideCount = 0.0
        /// Of these sides, in device pixels.
        package var length = 0.0
        /// Sides that were projected, on all copies of the world.
        package var projectedCount = 0
        /// Sides of the lines, seen or not.
        package var wholeCount = 0
        /// Vertices that drawing projects on the second and further copies of the world.
        package var copiedCount = 0

        package init() {}

        mutating func add(_ side: (ScreenPoint, ScreenPoint)?) {
            guard let (start, end) = side else { return }
            sideCount += 1
            length += (end - start).length
        }
    }

    /// Sides after which `shouldStop` is asked again.
    package static let sidesPerQuestion = 1024

    private let view: View
    private let copies: WorldCopies
    private let shouldStop: () -> Bool

    /// nil where the view shows no ground. `shouldStop` is asked every ``sidesPerQuestion`` sides.
    package init?(_ view: View, shouldStop: @escaping () -> Bool = { false }) {
        guard let copies = WorldCopies(view) else { return nil }
        (self.view, self.copies, self.shouldStop) = (view, copies, shouldStop)
    }

    /// Of lines with strokes of `width` device pixels. Projects a side only on the copies of the world that may show it.
    /// Ends early once the length is over `limit`, or when it should stop.
    package func seen(_ parts: [DrawnLine.Part], width: Double, upTo limit: Double = .infinity) -> Seen {
        let margin = Self.margin(width)
        let slack = margin / view.pixelRatio
        let builder = GroundPathBuilder(view, margin: margin)
        var seen = Seen()
        for part in parts {
            let (west, east) = WorldBounds.sides(part.places)
            let all = copies(west, east, margin: slack)
            seen.wholeCount += part.places.count
            seen.copiedCount += max(0, all.count - 1) * part.places.count
            if all.isEmpty { continue }
            var previous = part.isClosed ? part.places.last : nil
            for place in part.places {
                defer { previous = place }
                guard let start = previous else { continue }
                // A turned canvas reaches further at its corners.
                for copy in copies.showing(start, place, margin: slack * 1.5, of: all) {
                    seen.projectedCount += 1
                    seen.add(builder.shown(start, place, copy: copy))
                    guard seen.length <= limit else { return seen }
                    if seen.projectedCount % Self.sidesPerQuestion == 0, shouldStop() { return seen }
                }
            }
        }
        return seen
    }

    /// Of upright circles of `radius` device pixels around `anchors`. O(anchors).
    package func seen(around anchors: [ScreenPoint], radius: Double, width: Double) -> Seen {
        let canvas = view.canvas.grown(by: Self.margin(width))
        var seen = Seen()
        for anchor in anchors {
            for (start, end) in zip(Self.circle, Self.circle.dropFirst()) {
                seen.projectedCount += 1
                seen.add(PolylineClip.cut(anchor + start * radius, anchor + end * radius, to: canvas))
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
