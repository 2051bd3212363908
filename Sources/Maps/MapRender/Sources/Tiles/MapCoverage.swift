import MapStyle

/// How much of the ground that a picture shows its sources have.
package enum MapCoverage: String, Sendable, CaseIterable {
    case full
    case partial
    /// Nothing: it lies outside of their bounds or before their first level, or they cannot be reached.
    case none

    /// What an archive with these bounds (west, south, east, north in degrees; nil: the world) and levels has of a view.
    /// Nothing is read. `isPicture`: its tiles are pictures or heights, with sides of `tileSize` CSS pixels.
    package init(bounds: [Double]?, zooms: ClosedRange<Int>, isPicture: Bool, tileSize: Double = 512, of view: View) {
        let cover = TileCover(
            minZoom: zooms.lowerBound, maxZoom: zooms.upperBound, tileSize: isPicture ? max(1, tileSize) : 512,
            roundsZoom: isPicture)
        self = GroundSplit(TileBounds(bounds), cover, view).coverage
    }

    /// That of the source which has the most: one that has all there is to see is enough.
    static func best(of coverages: [MapCoverage]) -> MapCoverage {
        guard !coverages.isEmpty else { return .full }
        return coverages.contains(.full) ? .full : coverages.contains(.partial) ? .partial : .none
    }
}
