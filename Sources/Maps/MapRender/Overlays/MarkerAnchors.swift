/// The points of the canvas at which a marker is drawn. Drawing and the measuring of its cost share them.
package struct MarkerAnchors {
    private let view: View
    private let projection: TileProjection
    private let copies: WorldCopies
    /// Device pixels.
    private let offset: ScreenPoint
    private let reach: Double
    /// CSS pixels.
    private let margin: Double

    /// `offset` and `reach` are those of ``DrawnMarker``.
    package init(_ view: View, _ copies: WorldCopies, offset: ScreenPoint, reach: Double) {
        (self.view, self.copies) = (view, copies)
        projection = view.worldProjection
        self.offset = offset * view.pixelRatio
        self.reach = reach * view.pixelRatio
        margin = max(0, min(4096, reach + abs(offset.x) + abs(offset.y)))
    }

    /// Adds the anchors of a place, one for each copy of the world on which it may be seen. O(copies).
    package func add(_ place: WorldPlace, to anchors: inout [ScreenPoint]) {
        let (width, height) = (Double(view.camera.widthPx), Double(view.camera.heightPx))
        for copy in copies(place.x, place.x, margin: margin) {
            guard let point = view.point(place, copy: copy, projection) else { continue }
            let anchor = point + offset
            if anchor.x > -reach, anchor.y > -reach, anchor.x < width + reach, anchor.y < height + reach {
                anchors.append(anchor)
            }
        }
    }
}
