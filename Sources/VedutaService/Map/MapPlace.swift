import Tiles

/// A place that the archive shows, for links to try.
struct MapPlace: Sendable {
    private let centre: PMTilesArchive.Centre
    private let maxZoom: Int
    private let isWorld: Bool

    init(_ archive: PMTilesArchive) {
        centre = archive.centre
        maxZoom = archive.maxZoom
        isWorld = archive.bounds.east - archive.bounds.west > 180
    }

    /// Queries of `/map` with a few words each.
    var examples: [(query: String, words: String)] {
        if isWorld {
            return [
                ("latitude=20&longitude=10&zoom=1", "The world"),
                ("latitude=59.935634&longitude=30.325935", "latitude=59.935634, longitude=30.325935"),
                ("latitude=42&longitude=13&zoom=6&width=640&height=480", "zoom=6, 640×480"),
                ("latitude=-18&longitude=179.9&zoom=5", "The date line"),
            ]
        }
        let place = "latitude=\(rounded(centre.latitude))&longitude=\(rounded(centre.longitude))"
        return [(1, ""), (-1, ""), (3, "&scale=2")].map { offset, more in
            let zoom = max(0, min(24, maxZoom + offset))
            return ("\(place)&zoom=\(zoom)\(more)", "zoom=\(zoom)\(more)")
        }
    }

    /// Five decimals: a metre.
    private func rounded(_ degrees: Double) -> String {
        let units = Int((degrees * 100_000).rounded())
        let fraction = String(units.magnitude % 100_000)
        let zeros = String(repeating: "0", count: 5 - fraction.count)
        return (units < 0 ? "-" : "") + String(units.magnitude / 100_000) + "." + zeros + fraction
    }
}
