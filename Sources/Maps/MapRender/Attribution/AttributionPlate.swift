import Raster

/// Where the attribution is set.
package enum AttributionCorner: Sendable {
    /// A corner of the picture.
    case bottomRight, bottomLeft, topRight, topLeft

    /// Whether it is one of the upper two.
    var isTop: Bool { self == .topRight || self == .topLeft }
    /// Whether it is one of the left two.
    var isLeft: Bool { self == .bottomLeft || self == .topLeft }
}

/// Sets the attribution on a translucent plate in a corner: small, legible on any map, and never more than two lines.
struct AttributionPlate {
    /// CSS pixels of an em, the first that fits.
    private static let sizes = [11.0, 10, 9, 8, 7]
    /// CSS pixels between the plate's side and the text.
    private static let padding = (x: 5.0, y: 2.0)
    /// CSS pixels between the plate and the sides of the picture.
    private static let margin = 4.0
    private static let font = "Noto Sans Regular"

    /// What the plate covers, in CSS pixels of the picture.
    let room: CollisionGrid.Box
    private let lettering: Lettering

    /// The plate of `lines` in a corner. Of what does not fit, what names OpenStreetMap is kept; nil where not even that fits.
    init?(_ lines: [String], _ corner: AttributionCorner, _ frame: Frame) {
        guard !lines.isEmpty, let lettering = Self.lettering(lines, frame) else { return nil }
        self.lettering = lettering
        let camera = frame.view.camera
        let margin = Self.margin(camera)
        let width = lettering.width + Self.padding.x * 2
        let height = lettering.height + Self.padding.y * 2
        let left = corner.isLeft ? margin : camera.width - margin - width
        let top = corner.isTop ? margin : camera.height - margin - height
        room = CollisionGrid.Box(x1: left, y1: top, x2: left + width, y2: top + height)
    }

    func paint(_ frame: Frame) {
        let isDark = frame.isDark
        frame.list.setClip(nil)
        let ratio = frame.pixelRatio
        // On whole pixels the plate's sides are sharp.
        func snapped(_ value: Double) -> Double { (value * ratio).rounded() }
        let (x1, x2, y1, y2) = (snapped(room.x1), snapped(room.x2), snapped(room.y1), snapped(room.y2))
        frame.list.addRing(Self.ring(x1, y1, x2, y2, radius: 3 * ratio).map(frame.fixed))
        frame.list.fill(
            .nonZero,
            color: isDark ? PaintColor(rgb: 0x14171c, alpha: 0xa8) : PaintColor(rgb: 0xffffff, alpha: 0xbe))
        lettering.paint(
            at: ScreenPoint(x: (x1 + x2) / 2, y: (y1 + y2) / 2),
            color: PaintColor(rgb: isDark ? 0xd9dee5 : 0x33363b))
    }

    private static func margin(_ camera: Camera) -> Double { min(camera.width, camera.height) < 100 ? 1 : margin }

    /// The longest wording in the largest size that fits.
    private static func lettering(_ lines: [String], _ frame: Frame) -> Lettering? {
        let camera = frame.view.camera
        let margin = margin(camera)
        let width = camera.width - (margin + padding.x) * 2
        let height = min(camera.height - (margin + padding.y) * 2, max(camera.height * 0.3, 12))
        guard width > 0, height > 0 else { return nil }
        func fitting(_ wording: String, _ sizes: some Sequence<Double>, maxWidth: Double = .infinity) -> Lettering? {
            for size in sizes {
                guard let lettering = Lettering(wording, font: font, size: size, maxWidth: maxWidth, frame) else {
                    return nil
                }
                if lettering.width <= width, lettering.height <= height, lettering.lineCount <= 2 { return lettering }
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
    private static func ring(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, radius: Double
    ) -> [ScreenPoint] {
        let radius = min(radius, (x2 - x1) / 2, (y2 - y1) / 2)
        let steps = 6
        var ring: [ScreenPoint] = []
        for (quarter, x, y) in [
            (0.0, x2 - radius, y2 - radius), (1, x1 + radius, y2 - radius), (2, x1 + radius, y1 + radius),
            (3, x2 - radius, y1 + radius),
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
