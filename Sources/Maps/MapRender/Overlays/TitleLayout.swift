import Colors
import MapStyle
import Raster

struct TitleLayout {
    /// CSS pixels of an em.
    private static let size = 12.5
    private static let maxWidth = 130.0
    private static let gap = 4.0

    private let frame: Frame
    private let right, left: TextRun
    private let title: DrawnTitle
    private var box: SIMD4<Double> { title.box }
    private var padding: Double { title.plate?.padding ?? 0 }

    var text: String { String(title.text.prefix(DrawnTitle.lengthLimit)) }

    var reach: Double { max(-box.x, box.z, -box.y, box.w) + Self.gap + max(right.width, right.height) + padding * 2 }

    init?(_ marker: DrawnMarker, _ frame: Frame) {
        guard let title = marker.title, !title.text.isEmpty else { return nil }
        func textRun(_ anchor: SymbolAnchor) -> TextRun? {
            TextRun(
                String(title.text.prefix(DrawnTitle.lengthLimit)), font: TextRun.font, size: Self.size,
                maxWidth: Self.maxWidth, anchor: anchor, frame)
        }
        guard let right = textRun(.left), let left = textRun(.right) else { return nil }
        (self.right, self.left) = (right, left)
        (self.title, self.frame) = (title, frame)
    }

    /// Not for markers beside the picture: their names would mislead.
    func isShown(at anchor: ScreenPoint) -> Bool {
        let camera = frame.view.camera
        return anchor.x >= 0 && anchor.y >= 0 && anchor.x <= Double(camera.widthPx)
            && anchor.y <= Double(camera.heightPx)
    }

    private func isRight(_ anchor: ScreenPoint) -> Bool {
        let end = anchor.x / frame.pixelRatio + box.z + Self.gap + right.width + padding * 2
        let start = anchor.x / frame.pixelRatio + box.x - Self.gap - left.width - padding * 2
        return end <= frame.view.camera.width || start < 0
    }

    private func place(_ anchor: ScreenPoint) -> ScreenPoint {
        let x = isRight(anchor) ? box.z + Self.gap + padding : box.x - Self.gap - padding
        return anchor + ScreenPoint(x: x, y: (box.y + box.w) / 2) * frame.pixelRatio
    }

    /// What the name of a marker at `anchor` covers, in CSS pixels of the picture.
    func zone(at anchor: ScreenPoint) -> Box {
        let box = plateBox(at: anchor)
        return Box(left: box.left - 2, top: box.top - 1, right: box.right + 2, bottom: box.bottom + 1)
    }

    /// The letters with their padding, in CSS pixels of the picture.
    func plateBox(at anchor: ScreenPoint) -> Box {
        let place = place(anchor) * (1 / frame.pixelRatio)
        let x = isRight(anchor) ? place.x : place.x - left.width
        return Box(
            left: x - padding, top: place.y - right.height / 2 - padding / 2, right: x + right.width + padding,
            bottom: place.y + right.height / 2 + padding / 2)
    }

    /// Paints the name of a marker at `anchor` if it is shown and `titlesLeft`, which counts down, is above 0. Throws `cancelled`.
    func paint(at anchor: ScreenPoint, titlesLeft: inout Int) throws(MapError) {
        guard titlesLeft > 0, isShown(at: anchor) else { return }
        titlesLeft -= 1
        if titlesLeft % 64 == 0, frame.shouldStop() { throw .cancelled }
        let run = isRight(anchor) ? right : left
        guard let plate = title.plate else {
            let color = title.color ?? frame.ink
            return run.paint(at: place(anchor), color: color, halo: (color.halo, 1.6))
        }
        paint(plate, plateBox(at: anchor))
        let ground = plate.color.over(Color(rgb: frame.isDark ? 0x101216 : 0xffffff))
        let color = title.color ?? ground.readableInk
        // What shines through a thin plate is unknown.
        run.paint(at: place(anchor), color: color, halo: plate.color.alpha < 0x99 ? (color.halo, 1.6) : nil)
    }

    private func paint(_ plate: DrawnTitle.Plate, _ box: Box) {
        let ratio = frame.pixelRatio
        func snapped(_ value: Double) -> Double { (value * ratio).rounded() }
        let box = Box(
            left: snapped(box.left), top: snapped(box.top), right: snapped(box.right), bottom: snapped(box.bottom))
        let ring = box.rounded(radius: plate.radius * ratio)
        frame.list.setClip(nil)
        // A faint edge, which tells a white plate from a white map; nothing of it lies under the plate.
        let edge = box.grown(by: max(1, ratio * 0.75)).rounded(radius: plate.radius * ratio + max(1, ratio * 0.75))
        var path = Path()
        path.addRing(edge.lazy.map(frame.fixed))
        path.addRing(ring.reversed().lazy.map(frame.fixed))
        frame.list.fill(path, .nonZero, .color(Color(rgb: 0, alpha: 0x30).faded(Double(plate.color.alpha) / 255)))
        frame.list.fill(frame.path(ring), .nonZero, .color(plate.color))
    }
}

extension OverlayPainter {
    /// What names of markers cover, in CSS pixels, up to ``DrawnTitle/countLimit``. Throws `cancelled`.
    static func exclusionZones(_ drawings: [MapDrawing], _ frame: Frame) throws(MapError) -> [Box] {
        try shownTitles(drawings, frame) { $0.zone(at: $1) }
    }

    /// The names themselves, up to ``DrawnTitle/countLimit``. Throws `cancelled`.
    static func titles(_ drawings: [MapDrawing], _ frame: Frame) throws(MapError) -> [MapBoxes.Title] {
        try shownTitles(drawings, frame) { MapBoxes.Title(text: $0.text, box: $0.plateBox(at: $1)) }
    }

    private static func shownTitles<Value>(
        _ drawings: [MapDrawing], _ frame: Frame, _ value: (TitleLayout, ScreenPoint) -> Value
    ) throws(MapError) -> [Value] {
        let titled = drawings.compactMap { drawing -> DrawnMarker? in
            if case .marker(let marker) = drawing, marker.title != nil { marker } else { nil }
        }
        guard !titled.isEmpty, let painter = OverlayPainter(frame) else { return [] }
        var values: [Value] = []
        for marker in titled {
            if frame.shouldStop() { throw .cancelled }
            let left = DrawnTitle.countLimit - values.count
            guard left > 0 else { break }
            guard let title = TitleLayout(marker, frame) else { continue }
            let shown = MarkerPainter(painter).anchors(marker, reach: title.reach).lazy.filter(title.isShown)
            values += shown.prefix(left).map { value(title, $0) }
        }
        return values
    }
}

extension Frame {
    var isDark: Bool {
        let context = layerContext()
        guard let layer = style.layers.first(where: { $0.kind == .background && $0.isDrawn(context) }) else {
            return false
        }
        let color = layer[.backgroundColor].color(context)
        return color.alpha > 0.5 && 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue < 0.4
    }
}
