import MapStyle
import Raster

/// Sets the name of a sign: to its right, or to its left where the picture ends there.
struct TitleSetter {
    /// CSS pixels of an em.
    private static let size = 12.5
    /// Lines are broken from this width on, in CSS pixels.
    private static let maxWidth = 130.0
    /// CSS pixels between a sign and its name.
    private static let gap = 4.0

    private let frame: Frame
    private let right: Lettering
    private let left: Lettering
    private let box: SIMD4<Double>

    /// CSS pixels from the sign's place within which it lies.
    var reach: Double { max(-box.x, box.z, -box.y, box.w) + Self.gap + max(right.width, right.height) }

    /// Sets the name of `sign`; nil when it has none that can be set.
    init?(_ sign: DrawnSign, _ frame: Frame) {
        guard let title = sign.title, !title.text.isEmpty else { return nil }
        func lettering(_ anchor: SymbolAnchor) -> Lettering? {
            Lettering(
                String(title.text.prefix(DrawnTitle.lengthLimit)), font: Lettering.font, size: Self.size,
                maxWidth: Self.maxWidth, anchor: anchor, frame)
        }
        guard let right = lettering(.left), let left = lettering(.right) else { return nil }
        self.right = right
        self.left = left
        box = title.box
        self.frame = frame
    }

    /// Whether a sign at `anchor` is named: where itself lies beside the picture, its name would mislead.
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

    /// What the name of a sign at `anchor` covers, in CSS pixels of the picture.
    func room(at anchor: ScreenPoint) -> CollisionGrid.Box {
        let place = place(anchor) * (1 / frame.pixelRatio)
        let x = isRight(anchor) ? place.x : place.x - left.width
        return CollisionGrid.Box(
            x1: x - 2, y1: place.y - right.height / 2 - 1, x2: x + right.width + 2, y2: place.y + right.height / 2 + 1)
    }

    /// Paints it beside a sign at `anchor`, if it is shown there and `room`, the names that there may be yet, is left. Asks now
    /// and then whether to stop; throws `cancelled`.
    func paint(at anchor: ScreenPoint, room: inout Int) throws(MapError) {
        guard room > 0, isShown(at: anchor) else { return }
        room -= 1
        if room % 64 == 0, frame.shouldStop() { throw .cancelled }
        let isDark = frame.isDark
        (isRight(anchor) ? right : left).paint(
            at: place(anchor), color: PaintColor(rgb: isDark ? 0xf2f4f7 : 0x26282d),
            halo: (PaintColor(rgb: isDark ? 0x101216 : 0xffffff, alpha: 0xe6), 1.6))
    }
}

extension DrawingPainter {
    /// What the names of signs cover, in CSS pixels of the picture; labels keep clear of it. As many
    /// as are painted, ``DrawnTitle/countLimit``. Throws `cancelled`.
    static func rooms(_ drawings: [MapDrawing], _ frame: Frame) throws(MapError) -> [CollisionGrid.Box] {
        let titled = drawings.compactMap { drawing -> DrawnSign? in
            if case .sign(let sign) = drawing, sign.title != nil { sign } else { nil }
        }
        guard !titled.isEmpty, let painter = DrawingPainter(frame) else { return [] }
        var rooms: [CollisionGrid.Box] = []
        for sign in titled {
            if frame.shouldStop() { throw .cancelled }
            let left = DrawnTitle.countLimit - rooms.count
            guard left > 0 else { break }
            guard let title = TitleSetter(sign, frame) else { continue }
            let shown = SignPainter(painter).anchors(sign, reach: title.reach).lazy.filter(title.isShown)
            rooms += shown.prefix(left).map(title.room)
        }
        return rooms
    }
}

extension Frame {
    /// Whether the style's background is dark, so that what is added should be light.
    var isDark: Bool {
        let context = layerContext()
        guard let layer = style.layers.first(where: { $0.kind == .background && $0.isDrawn(context) }) else {
            return false
        }
        let color = layer[.backgroundColor].color(context)
        return color.alpha > 0.5 && 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue < 0.4
    }
}
