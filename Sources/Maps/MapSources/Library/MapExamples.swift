import MapRender
import MapStyle

/// Example maps of a place that a source covers, for links to try.
package struct MapExamples: Sendable {
    private let latitude: Double
    private let longitude: Double
    private let maxZoom: Int
    private let isWorld: Bool

    /// Around the middle of the archive's bounds; the world if it has none.
    package init(_ archive: any SourceArchive) { self.init(bounds: archive.bounds, maxZoom: archive.zooms.upperBound) }

    /// `bounds`: west, south, east and north in degrees; a west greater than the east crosses the date line.
    package init(bounds: [Double]?, maxZoom: Int) {
        let bounds = bounds.flatMap { $0.count == 4 ? $0 : nil } ?? [-180, -85, 180, 85]
        let area = GroundBounds(west: bounds[0], south: bounds[1], east: bounds[2], north: bounds[3])
        (longitude, latitude) = (area.middle.longitude, area.middle.latitude)
        isWorld = area.width > 180
        self.maxZoom = maxZoom
    }

    /// Queries of `/map` with a few words each.
    package var queries: [(query: String, words: String)] {
        if isWorld {
            return [
                ("latitude=20&longitude=10&zoom=1", "The world"),
                ("latitude=59.935634&longitude=30.325935", "latitude=59.935634, longitude=30.325935"),
                ("latitude=42&longitude=13&zoom=6&width=640&height=480", "zoom=6, 640×480"),
                ("latitude=-18&longitude=179.9&zoom=5", "The date line"),
            ]
        }
        let center = "latitude=\(rounded(latitude))&longitude=\(rounded(longitude))"
        return [(1, ""), (-1, ""), (3, "&scale=2")].map { offset, more in
            let zoom = max(0, min(24, maxZoom + offset))
            return ("\(center)&zoom=\(zoom)\(more)", "zoom=\(zoom)\(more)")
        }
    }

    /// A tile with something to see, as `z/x/y`.
    package var tile: String {
        guard !isWorld else { return "1/1/0" }
        let tile = TileCoordinate(latitude: latitude, longitude: longitude, z: max(0, min(22, maxZoom - 1)))
        return "\(tile.z)/\(tile.x)/\(tile.y)"
    }

    /// Five decimals: a metre.
    private func rounded(_ degrees: Double) -> String {
        let units = Int((max(-180, min(180, degrees)) * 100_000).rounded())
        let fraction = String(units.magnitude % 100_000)
        let zeros = String(repeating: "0", count: 5 - fraction.count)
        return (units < 0 ? "-" : "") + String(units.magnitude / 100_000) + "." + zeros + fraction
    }
}
