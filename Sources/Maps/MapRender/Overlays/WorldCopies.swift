/// The copies of the world on which a view shows something. Drawing and the measuring of its cost share them.
package struct WorldCopies {
    /// More than any view has on each side.
    private static let most = 64

    private let bounds: WorldBounds
    private let count: Int
    private let worldSize: Double

    /// nil where the view shows no ground.
    package init?(_ view: View) {
        guard let bounds = view.worldBounds else { return nil }
        (self.bounds, count, worldSize) = (bounds, view.copyCount, view.worldSize)
    }

    /// Of something between two meridians, with `margin` CSS pixels around: as many as the map has.
    func callAsFunction(_ least: Double, _ most: Double, margin: Double) -> Range<Int> {
        bounds.copies(least, most, slack: margin / worldSize, count: count)
    }

    /// Of a side of something that is drawn on `all`: those on which the side itself may be seen.
    func showing(_ from: WorldPlace, _ to: WorldPlace, margin: Double, of all: Range<Int>) -> Range<Int> {
        bounds.copies(min(from.x, to.x), max(from.x, to.x), slack: margin / worldSize, count: Self.most)
            .clamped(to: all)
    }
}
