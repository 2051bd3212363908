/// Where the world lies on the canvas: the one place where a projected point becomes a pixel.
package struct ViewTransform: Sendable {
    /// The width of the world in units of 1/256 device pixel.
    let worldUnits: Double
    /// The north-west corner of the canvas in the world, in whole units, so that equal shapes have equal pixels wherever
    /// the map is moved to by whole pixels.
    let originX: Double
    let originY: Double
    /// The canvas in units.
    let canvas: UnitRect

    /// The transform of a viewport.
    package init(_ viewport: Viewport) {
        worldUnits = WebMercator.worldSize(zoom: viewport.zoom) * viewport.scale * 256
        let centre = WebMercator.project(viewport.centre)
        let width = Double(viewport.outputWidthPx * 256)
        let height = Double(viewport.outputHeightPx * 256)
        originX = (centre.x * worldUnits - width / 2).rounded()
        originY = (centre.y * worldUnits - height / 2).rounded()
        canvas = UnitRect(left: 0, top: 0, right: width, bottom: height)
    }

    /// Where `place` is drawn, in device pixels from the top left; the copy of the world nearest to the middle counts.
    package func position(of place: LonLat) -> (x: Double, y: Double) {
        let point = WebMercator.project(place)
        var x = point.x * worldUnits - originX
        x -= ((x - canvas.right / 2) / worldUnits).rounded() * worldUnits
        return (x / 256, (point.y * worldUnits - originY) / 256)
    }

    /// The square of the tile in column `column` (any copy of the world) and row `row` of level `zoom`, in whole units.
    func square(zoom: Int, column: Int, row: Int) -> UnitRect {
        let size = worldUnits / Double(1 << zoom)
        return UnitRect(
            left: (Double(column) * size).rounded() - originX, top: (Double(row) * size).rounded() - originY,
            right: (Double(column + 1) * size).rounded() - originX, bottom: (Double(row + 1) * size).rounded() - originY
        )
    }
}

/// A place in units of 1/256 device pixel.
struct UnitPoint: Equatable {
    var x: Double
    var y: Double
}

/// A rectangle in units of 1/256 device pixel.
struct UnitRect: Equatable, Sendable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var isEmpty: Bool { left >= right || top >= bottom }

    /// Larger by `margin` on each side.
    func expanded(by margin: Double) -> UnitRect {
        UnitRect(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

    /// The same size elsewhere.
    func moved(byX x: Double, y: Double) -> UnitRect {
        UnitRect(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
    }

    /// Whether `point` lies in it or on its sides.
    func contains(_ point: UnitPoint) -> Bool {
        point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
    }

    /// What both cover.
    func intersection(_ other: UnitRect) -> UnitRect {
        UnitRect(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }
}
