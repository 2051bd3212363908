import Colors
import Raster

/// The attribution in a corner, on a translucent background: small, legible on any map, and never more than two lines.
struct AttributionBox {
    /// CSS pixels of an em, the first that fits.
    private static let sizes = [11.0, 10, 9, 8, 7]
    /// CSS pixels between the side of the background and the text.
    private static let padding = (x: 5.0, y: 2.0)
    /// CSS pixels between the background and the sides of the picture.
    private static let margin = 4.0
    private static let font = "Noto Sans Regular"

    /// What it covers, in CSS pixels of the picture.
    let zone: Box
    private let text: TextRun

    /// The attribution of `lines` in a corner. Of what does not fit, what names OpenStreetMap is kept; nil where not even that fits.
    init?(_ lines: [String], _ corner: AttributionCorner, _ frame: Frame) {
        guard !lines.isEmpty, let text = Self.text(lines, frame) else { return nil }
        self.text = text
        let camera = frame.view.camera
        let margin = Self.margin(camera)
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
        // On whole pixels the sides are sharp.
        func snapped(_ value: Double) -> Double { (value * ratio).rounded() }
        let box = Box(
            left: snapped(zone.left), top: snapped(zone.top), right: snapped(zone.right), bottom: snapped(zone.bottom))
        var path = Path()
        path.addRing(Self.ring(box, radius: 3 * ratio).lazy.map(frame.fixed))
        let color = isDark ? Color(rgb: 0x14171c, alpha: 0xa8) : Color(rgb: 0xffffff, alpha: 0xbe)
        frame.list.fill(path, .nonZero, .color(color))
        text.paint(
            at: ScreenPoint(x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2),
            color: Color(rgb: isDark ? 0xd9dee5 : 0x33363b))
    }

    private static func margin(_ camera: Camera) -> Double { min(camera.width, camera.height) < 100 ? 1 : margin }

    /// The longest wording in the largest size that fits.
    private static func text(_ lines: [String], _ frame: Frame) -> TextRun? {
        let camera = frame.view.camera
        let margin = margin(camera)
        let width = camera.width - (margin + padding.x) * 2
        let height = min(camera.height - (margin + padding.y) * 2, max(camera.height * 0.3, 12))
        guard width > 0, height > 0 else { return nil }
        func fitting(_ wording: String, _ sizes: some Sequence<Double>, maxWidth: Double = .infinity) -> TextRun? {
            for size in sizes {
                guard let text = TextRun(wording, font: font, size: size, maxWidth: maxWidth, frame) else {
                    return nil
                }
                if text.width <= width, text.height <= height, text.lineCount <= 2 { return text }
            }
            return nil
        }
        for wording in wordings(lines) {
            // Rather a second line than the smallest letters.
            let found =
                fitting(wording, sizes.prefix(3)) ?? fitting(wording, sizes.prefix(3), maxWidth: width)
                ?? fitting(wording, sizes.dropFirst(3))
            if let found { return found }
        }
        return nil
    }

    /// What may be said, from all of it to the least.
    private static func wordings(_ lines: [String]) -> [String] {
        var wordings = [lines.joined(separator: " · ")]
        guard let map = lines.first(where: { $0.lowercased().contains("openstreetmap") }) else {
            return wordings + lines.prefix(1)
        }
        wordings += [map, "© OpenStreetMap", "© OSM"]
        return wordings
    }

    /// A rectangle with round corners, in device pixels.
    private static func ring(_ box: Box, radius: Double) -> [ScreenPoint] {
        let radius = min(radius, box.width / 2, box.height / 2)
        let inner = box.grown(by: -radius)
        let steps = 6
        var ring: [ScreenPoint] = []
        for (quarter, x, y) in [
            (0.0, inner.right, inner.bottom), (1, inner.left, inner.bottom), (2, inner.left, inner.top),
            (3, inner.right, inner.top),
        ] {
            for step in 0...steps {
                let angle = (quarter + Double(step) / Double(steps)) * .pi / 2
                let (sine, cosine) = Trigonometry.sineAndCosine(angle)
                ring.append(ScreenPoint(x: x + cosine * radius, y: y + sine * radius))
            }
        }
        return ring
    }
}
