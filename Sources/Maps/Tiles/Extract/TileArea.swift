import Bytes
import Glibc

/// A box of the globe between two zooms, as the tiles that touch it. It does not cross the antimeridian.
package struct TileArea: Equatable, Sendable {
    package let bounds: PMTilesArchive.Bounds
    package let zooms: ClosedRange<Int>

    /// The square of Web Mercator ends here.
    private static let latitudeLimit = 85.051_128_779_806_6

    /// In degrees; nil unless south is below north and west is left of east, all within the globe.
    package init?(west: Double, south: Double, east: Double, north: Double, zooms: ClosedRange<Int>) {
        guard (-180...180).contains(west), (-180...180).contains(east), (-90...90).contains(south),
            (-90...90).contains(north), west < east, south < north,
            zooms.lowerBound >= 0, zooms.upperBound <= TileID.maximumZoom
        else { return nil }
        bounds = PMTilesArchive.Bounds(west: west, south: south, east: east, north: north)
        self.zooms = zooms
    }

    /// How many tiles touch it.
    package var tileCount: Int {
        zooms.reduce(0) { count, zoom in
            let (columns, rows) = span(zoom)
            return count + columns.count * rows.count
        }
    }

    /// In the order of PMTiles. Bound ``tileCount`` first.
    package var pmtilesIDs: [UInt64] {
        var ids: [UInt64] = []
        for zoom in zooms {
            let (columns, rows) = span(zoom)
            for y in rows {
                for x in columns { if let id = TileID(z: zoom, x: x, y: y) { ids.append(id.pmtilesID) } }
            }
        }
        return ids.sorted()
    }

    private func span(_ zoom: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let side = Double(1 << zoom)
        func place(_ share: Double) -> Int { Int(held: (share * side).rounded(.down), in: 0...((1 << zoom) - 1)) }
        func row(_ latitude: Double) -> Int {
            let held = min(max(latitude, -Self.latitudeLimit), Self.latitudeLimit) * .pi / 180
            return place((1 - log(tan(held) + 1 / cos(held)) / .pi) / 2)
        }
        let columns = place((bounds.west + 180) / 360)...place((bounds.east + 180) / 360)
        return (columns, row(bounds.north)...max(row(bounds.north), row(bounds.south)))
    }
}
