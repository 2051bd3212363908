/// How much of the ground in a picture its sources cover.
package enum MapCoverage: String, Sendable, CaseIterable {
    case full, partial, none

    /// What an archive with these bounds (west, south, east, north in degrees; nil is the world) and levels covers of a
    /// view. Reads nothing. `isPicture`: tiles are pictures or heights, with sides of `tileSize` CSS pixels.
    package init(bounds: [Double]?, zooms: ClosedRange<Int>, isPicture: Bool, tileSize: Double = 512, of view: View) {
        let cover = TileCover(
            minZoom: zooms.lowerBound, maxZoom: zooms.upperBound, tileSize: isPicture ? max(1, tileSize) : 512,
            roundsZoom: isPicture)
        self = GroundSplit(TileBounds(bounds), cover, view).coverage
    }

    static func best(of coverages: [MapCoverage]) -> MapCoverage {
        guard !coverages.isEmpty else { return .full }
        return coverages.contains(.full) ? .full : coverages.contains(.partial) ? .partial : .none
    }
}
