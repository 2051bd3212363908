import Colors
import Raster

/// The attribution in a corner, on a translucent background, in two lines at most.
struct AttributionBox {
    /// CSS pixels of an em; the first that fits is taken.
    private static let sizes = [11.0, 10, 9, 8, 7]
    private static let padding = (x: 5.0, y: 2.0)
    private static let font = "Noto Sans Regular"

    /// In CSS pixels of the picture.
    let zone: Box
    private let text: TextRun

    /// When not all lines fit, the one that names OpenStreetMap is kept; nil when not even that fits.
    init?(_ lines: [String], _ corner: DrawnCorner, _ frame: Frame) {
        guard !lines.isEmpty, let text = Self.text(lines, frame) else { return nil }
        self.text = text
        let camera = frame.view.camera
        let margin = CornerLayout.margin(camera)
        let width = text.width + Self.padding.x * 2
        let height = text.height + Self.padding.y * 2
        let left = corner.isLeft ? margin : camera.width - margin - width
        let top = corner.isTop ? margin : camera.height - margin - height
        zone = Box(left: left, top: top, right: left + width, bottom: top + height)
    }

    func paint(_ frame: Frame) {
        let isDark = frame.isDark
        frame.list.setClip(nil)
        let ratio = frame.pixelRatio
        func snapped(_ value: Double) -> Double { (value * ratio).rounded() }
        let box = Box(
            left: snapped(zone.left), top: snapped(zone.top), right: snapped(zone.right), bottom: snapped(zone.bottom))
        frame.list.fill(frame.path(box.rounded(radius: 3 * ratio)), .nonZero, .color(frame.plate))
        text.paint(
            at: ScreenPoint(x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2),
            color: Color(rgb: isDark ? 0xd9dee5 : 0x33363b))
    }

    private static func text(_ lines: [String], _ frame: Frame) -> TextRun? {
        let camera = frame.view.camera
        let margin = CornerLayout.margin(camera)
        let width = camera.width - (margin + padding.x) * 2
        let height = min(camera.height - (margin + padding.y) * 2, max(camera.height * 0.3, 12))
        guard width > 0, height > 0 else { return nil }
        func fitting(_ wording: String, _ sizes: some Sequence<Double>, maxWidth: Double = .infinity) -> TextRun? {
            for size in sizes {
                guard let text = TextRun(wording, font: font, size: size, maxWidth: maxWidth, frame) else { return nil }
                if text.width <= width, text.height <= height, text.lineCount <= 2 { return text }
            }
            return nil
        }
        for wording in wordings(lines) {
            // A second line comes before the smallest letters.
            let found =
                fitting(wording, sizes.prefix(3)) ?? fitting(wording, sizes.prefix(3), maxWidth: width)
                ?? fitting(wording, sizes.dropFirst(3))
            if let found { return found }
        }
        return nil
    }

    private static func wordings(_ lines: [String]) -> [String] {
        let map = lines.first { $0.lowercased().contains("openstreetmap") }
        return [lines.joined(separator: " · ")]
            + (map.map { [$0, "© OpenStreetMap", "© OSM"] } ?? Array(lines.prefix(1)))
    }
}
