import MapStyle

/// How much of the ground that a picture shows its sources have.
package enum MapCoverage: String, Sendable, CaseIterable {
    /// All of it.
    case full
    /// Some of it.
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

/// The ground of a view, parted into what a set of tiles covers and what it leaves to others: upright rectangles of the
/// Mercator plane that touch at their sides at most.
struct GroundSplit {
    /// What the bounds of the tiles hold, on each copy of the world.
    private(set) var covered: [WorldBounds] = []
    /// The rest; empty where ``coverage`` is full.
    private(set) var uncovered: [WorldBounds] = []
    /// What the tiles have of the picture itself, without the margin around it.
    private(set) var coverage = MapCoverage.full

    /// The ground of `view`, of which the tiles within `bounds` cover what they can; nil: there are none.
    init(_ bounds: TileBounds?, _ cover: TileCover?, _ view: View) {
        guard let picture = Self.ground(GroundArea(view)), let all = Self.ground(GroundArea(view, margin: view.margin))
        else { return }
        guard let area = bounds?.area, let cover, min(cover.wantedZoom(view), cover.maxZoom) >= cover.minZoom else {
            coverage = .none
            uncovered = [all]
            return
        }
        let copies = Self.copies(of: area, in: all)
        if copies.contains(where: { $0.contains(picture) }) { return }
        let seen = GroundArea(view)
        coverage = copies.contains(where: seen.touches) ? .partial : .none
        covered = copies.compactMap { $0.common(all) }
        uncovered = Self.rest(of: all, without: covered)
    }

    /// What of an area lies on the world; nil for nothing.
    private static func ground(_ area: GroundArea) -> WorldBounds? {
        guard let bounds = area.bounds else { return nil }
        return WorldBounds(x: bounds.x, y: bounds.y).common(
            WorldBounds(x: bounds.x, y: 0...1))
    }

    /// Where an area lies on the copies of the world that a picture shows, from west to east.
    private static func copies(of area: WorldBounds, in all: WorldBounds) -> [WorldBounds] {
        if area.x.upperBound - area.x.lowerBound >= 1 { return [WorldBounds(x: all.x, y: area.y)] }
        return (-TileCover.copyCount...TileCover.copyCount).compactMap { copy in
            let shift = Double(copy)
            let moved = WorldBounds(x: area.x.lowerBound + shift...area.x.upperBound + shift, y: area.y)
            return moved.common(all) == nil ? nil : moved
        }
    }

    /// What is left of `all` beside areas of the same rows: above them, below them, and between them from west to east.
    private static func rest(of all: WorldBounds, without areas: [WorldBounds]) -> [WorldBounds] {
        guard let rows = areas.first?.y else { return [all] }
        var rest: [WorldBounds] = []
        func add(_ left: Double, _ right: Double, _ top: Double, _ bottom: Double) {
            if left < right, top < bottom { rest.append(WorldBounds(x: left...right, y: top...bottom)) }
        }
        add(all.x.lowerBound, all.x.upperBound, all.y.lowerBound, rows.lowerBound)
        var left = all.x.lowerBound
        for area in areas {
            add(left, area.x.lowerBound, rows.lowerBound, rows.upperBound)
            left = area.x.upperBound
        }
        add(left, all.x.upperBound, rows.lowerBound, rows.upperBound)
        add(all.x.lowerBound, all.x.upperBound, rows.upperBound, all.y.upperBound)
        return rest
    }
}

extension WorldBounds {
    /// What both have; nil where they touch at most.
    func common(_ other: WorldBounds) -> WorldBounds? {
        let (left, right) = (max(x.lowerBound, other.x.lowerBound), min(x.upperBound, other.x.upperBound))
        let (top, bottom) = (max(y.lowerBound, other.y.lowerBound), min(y.upperBound, other.y.upperBound))
        return left < right && top < bottom ? WorldBounds(x: left...right, y: top...bottom) : nil
    }

    /// Whether the other lies within, but for what arithmetic loses.
    func contains(_ other: WorldBounds) -> Bool {
        let slack = 1e-12
        return other.x.lowerBound >= x.lowerBound - slack && other.x.upperBound <= x.upperBound + slack
            && other.y.lowerBound >= y.lowerBound - slack && other.y.upperBound <= y.upperBound + slack
    }

    /// The square of a tile.
    init(_ tile: PlacedTile) {
        let side = 1 / Trigonometry.powerOfTwo(Double(tile.id.z))
        let (left, top) = (Double(tile.id.x) * side + Double(tile.wrap), Double(tile.id.y) * side)
        self.init(x: left...left + side, y: top...top + side)
    }
}
