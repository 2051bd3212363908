struct CollisionIndex {
    /// CSS pixels around the picture in which symbols are placed too, for those the side cuts.
    static let padding = 100.0
    /// In pictures that are put together, shapes snap to 1/64 CSS pixel, so that all find the same overlaps.
    private static let parts = 64.0
    private static let perspectiveLimit = 0.6
    private static let circleLimit = 512

    struct Trial<Shape> {
        var shape: Shape
        var isFree: Bool
    }

    /// CSS pixels around the picture that the index knows.
    let padding: Double
    private let view: View
    private let isSnapped: Bool
    private let keepsInside: Bool
    private var grid: CollisionGrid
    private let width, height: Double

    init(_ view: View, keepsInside: Bool = false) {
        (self.view, self.keepsInside) = (view, keepsInside)
        isSnapped = view.margin > 0
        padding = isSnapped ? PlacementGrid.indexPadding : Self.padding
        width = view.camera.width + padding * 2
        height = view.camera.height + padding * 2
        grid = CollisionGrid(width: width, height: height)
    }

    /// Where a box lies: at a position of a plane, with `scale` pixels for a unit of the box.
    struct Anchor {
        var plane: LabelPlane
        var position: SymbolPosition
        var scale: Double
        var turnsWithMap, liesOnMap: Bool
    }

    /// `shift`, in units of the box, moves it.
    func attempt(_ box: Box, _ anchor: Anchor, shift: SymbolVector?, overlap: SymbolSettings.Overlap) -> Trial<Box> {
        let middle = place(anchor.position.x, anchor.position.y, anchor.plane)
        let ratio = anchor.plane.perspectiveRatio(distance: middle.distance)
        var placed = bounds(box, anchor, middle, ratio: ratio, shift: shift)
        if isSnapped { placed = placed.snapped(to: Self.parts) }
        let isFree = ratio >= Self.perspectiveLimit && mayLie(placed) && !grid.collides(placed, overlap: overlap)
        return Trial(shape: placed, isFree: isFree)
    }

    mutating func insert(_ box: Box, overlap: SymbolSettings.Overlap) { grid.insert(box, overlap: overlap) }

    /// Covers a box, in CSS pixels of the picture, before any symbol is placed.
    mutating func reserve(_ zone: Box) {
        let box = zone.moved(padding, padding)
        if isInside(box) { grid.insert(box, overlap: .never) }
    }

    mutating func insert(_ circles: [CollisionGrid.Circle], overlap: SymbolSettings.Overlap) {
        for circle in circles { grid.insert(circle, overlap: overlap) }
    }

    /// Symbols often touch exactly, and the last bit decides: this follows the reference step by step.
    private func place(_ x: Double, _ y: Double, _ plane: LabelPlane) -> LabelPlane.Place {
        let clip = plane.projection.matrix.apply(SIMD4(x + plane.translation.x, y + plane.translation.y, 0, 1))
        return LabelPlane.Place(
            point: ScreenPoint(
                x: (clip.x / clip.w + 1) / 2 * view.camera.width + padding,
                y: (-clip.y / clip.w + 1) / 2 * view.camera.height + padding),
            distance: clip.w)
    }

    private func mayLie(_ box: Box) -> Bool {
        guard keepsInside else { return isInside(box) }
        return Box(left: padding, top: padding, right: width - padding, bottom: height - padding).contains(box)
    }

    private func isInside(_ box: Box) -> Bool {
        box.right >= 0 && box.left < width && box.bottom >= 0 && box.top < height
    }

    private func bounds(
        _ box: Box, _ anchor: Anchor, _ middle: LabelPlane.Place, ratio: Double, shift: SymbolVector?
    ) -> Box {
        let plane = anchor.plane
        var east = ScreenPoint(x: 1, y: 0)
        var south = ScreenPoint(x: 0, y: 1)
        var base = middle.point
        var scale = anchor.scale * ratio
        if anchor.liesOnMap {
            base = ScreenPoint(x: anchor.position.x, y: anchor.position.y)
            let zoom = view.camera.zoom
            scale = Trigonometry.powerOfTwo(zoom.rounded(.down) - zoom)
            if shift == nil, middle.distance > 0 {
                scale *= max(0, min(4, 0.5 + 0.5 * middle.distance / view.cameraToCenterDistance))
            }
            if !anchor.turnsWithMap { (east, south) = (plane.east, plane.south) }
        } else if anchor.turnsWithMap {
            let direction = place(anchor.position.x + 1, anchor.position.y, plane).point - middle.point
            let length = direction.length
            if length > 0 { east = direction * (1 / length) }
            south = ScreenPoint(x: -east.y, y: east.x)
        }
        if let shift { base = base + east * (shift.x * scale) + south * (shift.y * scale) }
        let (x1, x2, y1, y2) = (box.left * scale, box.right * scale, box.top * scale, box.bottom * scale)
        var bounds = Box(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
        for (x, y) in [
            (x1, y1), ((x1 + x2) / 2, y1), (x2, y1), (x2, (y1 + y2) / 2), (x2, y2), ((x1 + x2) / 2, y2), (x1, y2),
            (x1, (y1 + y2) / 2),
        ] {
            var point = base + east * x + south * y
            if anchor.liesOnMap { point = place(point.x, point.y, plane).point }
            bounds.left = min(bounds.left, point.x)
            bounds.top = min(bounds.top, point.y)
            bounds.right = max(bounds.right, point.x)
            bounds.bottom = max(bounds.bottom, point.y)
        }
        return bounds
    }

    /// Tests circles along a label's line, sizes in CSS pixels; nil without room on the line, or when it is off the grid.
    func attempt(
        _ label: inout LineLabel, _ plane: LabelPlane, anchor: SymbolPosition, diameter: Double, margin: Double,
        overlap: SymbolSettings.Overlap
    ) -> Trial<[CollisionGrid.Circle]>? {
        let distance = plane.onPicture(anchor.x, anchor.y).distance
        let ratio = plane.perspectiveRatio(distance: distance)
        guard ratio >= Self.perspectiveLimit, var path = label.path() else { return nil }
        if plane.isGround {
            let places = path.map(plane.picture)
            guard places.allSatisfy({ $0.distance > 0 }) else { return nil }
            path = places.map(\.point)
        }
        let radius = diameter * 0.5 * ratio + margin
        var circles: [CollisionGrid.Circle] = []
        var isInGrid = false
        let known = Box(left: 0, top: 0, right: view.camera.width, bottom: view.camera.height).grown(by: padding)
        for run in PolylineClip.clip(path, to: known) {
            let track = Track(run, margin: radius * 0.25)
            var count = 1
            if track.length > 0.5 * radius, radius > 0 {
                count = Int(min(Double(Self.circleLimit), (track.usedLength / (radius * 2.5)).rounded(.up) + 1))
            }
            for index in 0..<count {
                let point = track.point(Double(index) / Double(max(count - 1, 1)))
                var circle = CollisionGrid.Circle(x: point.x + padding, y: point.y + padding, radius: radius)
                if isSnapped { circle = circle.snapped(to: Self.parts) }
                circles.append(circle)
                isInGrid = isInGrid || isInside(circle.box)
                if keepsInside && !mayLie(circle.box) || grid.collides(circle, overlap: overlap) {
                    return Trial(shape: [], isFree: false)
                }
            }
        }
        return isInGrid ? Trial(shape: circles, isFree: true) : nil
    }
}

private struct Track {
    let length: Double
    private let points: [ScreenPoint]
    private let distances: [Double]
    private let margin: Double

    /// One or more points; leaves `margin` at both ends if there is room.
    init(_ points: [ScreenPoint], margin: Double) {
        self.points = points
        var distances = [0.0]
        for (from, to) in zip(points, points.dropFirst()) {
            distances.append((distances.last ?? 0) + (to - from).length)
        }
        self.distances = distances
        length = distances.last ?? 0
        self.margin = min(margin, length * 0.5)
    }

    var usedLength: Double { length - margin * 2 }

    func point(_ share: Double) -> ScreenPoint {
        guard points.count > 1 else { return points.first ?? .zero }
        let target = share * usedLength + margin
        var index = 1
        while index < points.count - 1, distances[index] < target { index += 1 }
        let segment = distances[index] - distances[index - 1]
        let part = segment > 0 ? (target - distances[index - 1]) / segment : 0
        return points[index - 1] * (1 - part) + points[index] * part
    }
}
