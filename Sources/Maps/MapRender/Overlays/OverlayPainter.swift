import Colors
import Raster

struct OverlayPainter {
    /// Lines with a common opacity for several strokes; further ones are stroked one by one, since each takes a canvas.
    private static let groupLimit = 8
    private static let widthLimit = 512.0
    private static let miterLimit = 4.0

    let frame: Frame
    let worldCopies: WorldCopies
    private var groupCount = 0
    private var vertexCount = 0
    private var dashCount = 0.0

    static func paint(_ drawings: [MapDrawing], _ frame: Frame) throws(MapError) {
        guard !drawings.isEmpty, var painter = OverlayPainter(frame) else { return }
        frame.list.setClip(nil)
        var titlesLeft = DrawnTitle.countLimit
        for drawing in drawings {
            if frame.shouldStop() { throw .cancelled }
            switch drawing {
            case .area(let area): try painter.paint(area)
            case .line(let line): try painter.paint(line)
            case .marker(let marker): try MarkerPainter(painter).paint(marker, titlesLeft: &titlesLeft)
            }
        }
    }

    init?(_ frame: Frame) {
        guard let worldCopies = WorldCopies(frame.view) else { return nil }
        (self.frame, self.worldCopies) = (frame, worldCopies)
    }

    /// The copies of something between two meridians that are seen, with `margin` CSS pixels around: as many as the map has.
    func copies(_ least: Double, _ most: Double, margin: Double) -> Range<Int> {
        worldCopies(least, most, margin: margin)
    }

    private func copies(_ places: some Sequence<WorldPlace>, margin: Double) -> Range<Int> {
        let (west, east) = WorldBounds.sides(places)
        return copies(west, east, margin: margin)
    }

    private mutating func count(_ vertices: Int) throws(MapError) {
        vertexCount += vertices
        guard vertexCount >= 4096 else { return }
        vertexCount = 0
        if frame.shouldStop() { throw .cancelled }
    }

    private mutating func paint(_ area: DrawnArea) throws(MapError) {
        let view = frame.view
        let projection = view.worldProjection
        let extent = Double(FeatureLayer.extent)
        let window = TileWindow(frame, projection, translation: .zero, isClipped: false)
        var perspective = PerspectiveRing(projection, near: view.nearDistance)
        var path = Path()
        for copy in copies(area.rings.joined(), margin: 2) {
            for ring in area.rings where ring.count > 2 {
                try count(ring.count)
                let units = ring.map { ScreenPoint(x: ($0.x + Double(copy)) * extent, y: $0.y * extent) }
                let points: [ScreenPoint]
                if projection.isFlat {
                    points = window.cut(units).map { projection.point($0.x, $0.y) }
                } else {
                    for unit in units { perspective.add(projection.homogeneous(SIMD4(unit.x, unit.y, 0, 1))) }
                    points = perspective.finish().ring
                }
                if points.count > 2 { path.addRing(points.lazy.map(frame.fixed)) }
            }
        }
        frame.list.fill(path, .nonZero, .color(area.color))
    }

    private mutating func paint(_ line: DrawnLine) throws(MapError) {
        let opacity = max(0, min(1, line.opacity))
        guard opacity > 0 else { return }
        let isGroup = opacity < 1 && line.strokes.count > 1 && groupCount < Self.groupLimit
        if isGroup {
            groupCount += 1
            frame.list.beginGroup()
        }
        for stroke in line.strokes {
            var stroke = stroke
            if !isGroup { stroke.color = stroke.color.faded(opacity) }
            try paint(line.parts, stroke)
        }
        if isGroup { frame.list.endGroup(opacity: Frame.byte(opacity)) }
    }

    private mutating func paint(_ parts: [DrawnLine.Part], _ stroke: DrawnStroke) throws(MapError) {
        let style = style(stroke)
        let reach = Double(style.width) / 512 * Self.miterLimit + 2
        let builder = GroundPathBuilder(frame.view, margin: reach, shouldStop: frame.shouldStop)
        let width = Double(style.width) / 256
        let dashRate = LineMeasure.dashesPerPixel(style.dashes.map { Double($0) / 256 }, width: width)
        let seen = GroundPathBuilder(frame.view, margin: LineMeasure.margin(width))
        var path = Path()
        for part in parts {
            for copy in copies(part.places, margin: reach / frame.pixelRatio) {
                try count(part.places.count)
                if dashRate > 0 {
                    dashCount += seen.seen(part, copy: copy).length * dashRate
                    guard dashCount <= Double(DrawnStroke.dashCountLimit) else { throw .tooManyDashes }
                }
                for piece in try builder.pieces(part, copy: copy) {
                    for point in piece.points { path.add(frame.fixed(point)) }
                    path.endPart(closed: piece.isClosed, cuts: piece.cuts, phase: piece.phase * 256)
                }
            }
        }
        frame.list.stroke(path, style, color: stroke.color)
    }

    func style(_ stroke: DrawnStroke) -> StrokeStyle {
        func length(_ value: Double) -> Int32 { Frame.fixed(max(0, min(Self.widthLimit, value)) * frame.pixelRatio) }
        return StrokeStyle(
            width: length(stroke.width), cap: stroke.cap, join: stroke.join, miterLimit: Self.miterLimit,
            dashes: stroke.dashes.map(length))
    }
}

extension Color {
    /// `opacity` is `0...1`, on top of its own.
    func faded(_ opacity: Double) -> Color {
        var color = self
        color.alpha = UInt8(max(0, min(255, (Double(alpha) * opacity).rounded())))
        return color
    }
}
