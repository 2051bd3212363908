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
    private let box: SIMD4<Double>

    var reach: Double { max(-box.x, box.z, -box.y, box.w) + Self.gap + max(right.width, right.height) }

    init?(_ marker: DrawnMarker, _ frame: Frame) {
        guard let title = marker.title, !title.text.isEmpty else { return nil }
        func textRun(_ anchor: SymbolAnchor) -> TextRun? {
            TextRun(
                String(title.text.prefix(DrawnTitle.lengthLimit)), font: TextRun.font, size: Self.size,
                maxWidth: Self.maxWidth, anchor: anchor, frame)
        }
        guard let right = textRun(.left), let left = textRun(.right) else { return nil }
        (self.right, self.left) = (right, left)
        box = title.box
        self.frame = frame
    }

    /// Not for markers beside the picture: their names would mislead.
    func isShown(at anchor: ScreenPoint) -> Bool {
        let camera = frame.view.camera
        return anchor.x >= 0 && anchor.y >= 0 && anchor.x <= Double(camera.widthPx)
            && anchor.y <= Double(camera.heightPx)
    }

    private func isRight(_ anchor: ScreenPoint) -> Bool {
        let end = anchor.x / frame.pixelRatio + box.z + Self.gap + right.width
        let start = anchor.x / frame.pixelRatio + box.x - Self.gap - left.width
        return end <= frame.view.camera.width || start < 0
    }

    private func place(_ anchor: ScreenPoint) -> ScreenPoint {
        let x = isRight(anchor) ? box.z + Self.gap : box.x - Self.gap
        return anchor + ScreenPoint(x: x, y: (box.y + box.w) / 2) * frame.pixelRatio
    }

    /// What the name of a marker at `anchor` covers, in CSS pixels of the picture.
    func zone(at anchor: ScreenPoint) -> Box {
        let place = place(anchor) * (1 / frame.pixelRatio)
        let x = isRight(anchor) ? place.x : place.x - left.width
        return Box(
            left: x - 2, top: place.y - right.height / 2 - 1, right: x + right.width + 2,
            bottom: place.y + right.height / 2 + 1)
    }

    /// Paints the name of a marker at `anchor` if it is shown and `titlesLeft`, which counts down, is above 0. Throws `cancelled`.
    func paint(at anchor: ScreenPoint, titlesLeft: inout Int) throws(MapError) {
        guard titlesLeft > 0, isShown(at: anchor) else { return }
        titlesLeft -= 1
        if titlesLeft % 64 == 0, frame.shouldStop() { throw .cancelled }
        let isDark = frame.isDark
        (isRight(anchor) ? right : left).paint(
            at: place(anchor), color: Color(rgb: isDark ? 0xf2f4f7 : 0x26282d),
            halo: (Color(rgb: isDark ? 0x101216 : 0xffffff, alpha: 0xe6), 1.6))
    }
}

extension OverlayPainter {
    /// What names of markers cover, in CSS pixels, up to ``DrawnTitle/countLimit``. Throws `cancelled`.
    static func exclusionZones(_ drawings: [MapDrawing], _ frame: Frame) throws(MapError) -> [Box] {
        let titled = drawings.compactMap { drawing -> DrawnMarker? in
            if case .marker(let marker) = drawing, marker.title != nil { marker } else { nil }
        }
        guard !titled.isEmpty, let painter = OverlayPainter(frame) else { return [] }
        var zones: [Box] = []
        for marker in titled {
            if frame.shouldStop() { throw .cancelled }
            let left = DrawnTitle.countLimit - zones.count
            guard left > 0 else { break }
            guard let title = TitleLayout(marker, frame) else { continue }
            let shown = MarkerPainter(painter).anchors(marker, reach: title.reach).lazy.filter(title.isShown)
            zones += shown.prefix(left).map(title.zone)
        }
        return zones
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
