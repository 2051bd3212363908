import Colors
import Raster

/// An arrow to the north with an upright N before it, on a translucent disc.
struct NorthArrowBox {
    /// CSS pixels; a quarter of the shorter side of a small picture, and nothing below ``leastSide``.
    private static let side = 36.0
    private static let leastSide = 20.0

    /// In CSS pixels of the picture.
    let zone: Box
    private let frame: Frame

    /// nil in pictures without room for it.
    init?(_ corner: DrawnCorner, in corners: inout CornerLayout, _ frame: Frame) {
        let camera = frame.view.camera
        let side = min(Self.side, min(camera.width, camera.height) / 4)
        guard side >= Self.leastSide, let zone = corners.place(width: side, height: side, corner) else { return nil }
        (self.zone, self.frame) = (zone, frame)
        corners.add(zone)
    }

    func paint() {
        frame.list.setClip(nil)
        let ratio = frame.pixelRatio
        let unit = zone.width / Self.side
        let middle = ScreenPoint(x: (zone.left + zone.right) / 2, y: (zone.top + zone.bottom) / 2)
        let north = Self.north(frame.view.camera)
        /// A place of the arrow, across and along it.
        func point(_ across: Double, _ along: Double) -> ScreenPoint {
            let (across, along) = (across * unit, along * unit)
            return ScreenPoint(
                x: middle.x + north.x * along - north.y * across, y: middle.y + north.y * along + north.x * across)
                * ratio
        }
        func fill(_ ring: [ScreenPoint], _ color: Color) { frame.list.fill(frame.path(ring), .nonZero, .color(color)) }
        let disc = Box(
            left: zone.left * ratio, top: zone.top * ratio, right: zone.right * ratio, bottom: zone.bottom * ratio)
        fill(disc.rounded(radius: zone.width * ratio / 2), frame.plate)
        let ink = frame.ink
        let (tip, notch) = (point(0, 5), point(0, -8.5))
        fill([tip, point(6.5, -13), notch, point(-6.5, -13)], ink)
        // The right half is hollow.
        fill([point(0, 0.6), point(4.5, -11), point(0, -7.4)], ink.halo)
        TextRun("N", font: TextRun.boldFont, size: 10.5 * unit, frame)?.paint(at: point(0, 10.5), color: ink)
    }

    /// Of length 1, as north appears in the middle of the picture.
    private static func north(_ camera: Camera) -> ScreenPoint {
        let bearing = Trigonometry.sineAndCosine(Trigonometry.radians(camera.bearing + camera.roll))
        let pitch = Trigonometry.sineAndCosine(Trigonometry.radians(camera.pitch))
        let (x, y) = (-bearing.sine, -bearing.cosine * pitch.cosine)
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? ScreenPoint(x: x / length, y: y / length) : ScreenPoint(x: 0, y: -1)
    }
}
