/// The ground of a view, parted into what a set of tiles covers and what it leaves to others: upright rectangles of the
/// Mercator plane that touch at their sides at most.
struct GroundSplit {
    private(set) var covered: [WorldBounds] = []
    private(set) var uncovered: [WorldBounds] = []
    /// Of the picture itself, without the margin around it.
    private(set) var coverage = MapCoverage.full

    private let picture: GroundArea
    /// Around all that is drawn, with the margin; nil when nothing of the world is.
    private let all: WorldBounds?
    /// Half a CSS pixel: narrower gaps are not seen, as archives round their bounds.
    private let slack: Double

    init(_ bounds: TileBounds?, _ cover: TileCover?, _ view: View) {
        picture = GroundArea(view).onWorld
        all = (view.margin > 0 ? GroundArea(view, margin: view.margin).onWorld : picture).worldBounds
        slack = 0.5 / view.worldSize
        guard let all, let seen = picture.worldBounds else { return }
        guard let area = bounds?.area, let cover, min(cover.wantedZoom(view), cover.maxZoom) >= cover.minZoom else {
            coverage = .none
            uncovered = [all]
            return
        }
        let copies = Self.copies(of: area, in: all, count: view.copyCount)
        if copies.contains(where: { $0.contains(seen, slack: slack) }) { return }
        covered = copies.compactMap { $0.common(all) }
        uncovered = all.without(covered)
        coverage = covered.contains { picture.touches($0, slack: -slack) } ? .partial : .none
    }

    /// Parts after squares are taken away.
    private static let partLimit = 128

    /// Takes away unavailable squares. Beyond ``partLimit`` parts nothing is covered; `coverage` is that of the parts.
    mutating func uncover(_ squares: [WorldBounds]) {
        guard let all, squares.contains(where: { picture.touches($0, slack: -slack) }) else { return }
        covered = (coverage == .full ? [all] : covered).flatMap { $0.without(squares) }
        uncovered = all.without(covered)
        coverage = covered.contains { picture.touches($0, slack: -slack) } ? .partial : .none
        if covered.count + uncovered.count > Self.partLimit { (covered, uncovered) = ([], [all]) }
    }

    private static func copies(of area: WorldBounds, in all: WorldBounds, count: Int) -> [WorldBounds] {
        if area.x.upperBound - area.x.lowerBound >= 1 { return [WorldBounds(x: all.x, y: area.y)] }
        return (-count...count).compactMap { copy in
            let shift = Double(copy)
            let moved = WorldBounds(x: area.x.lowerBound + shift...area.x.upperBound + shift, y: area.y)
            return moved.common(all) == nil ? nil : moved
        }
    }
}
