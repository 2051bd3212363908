import Colors
import Raster

/// A scale bar: a line with its length above it, or with one above and one below for two units. The length holds at the middle
/// of the line, also on a tilted map.
struct ScaleBarBox {
    private struct Row {
        var length: Double
        var text: TextRun
    }

    /// CSS pixels of an em; the first that fits is taken.
    private static let sizes = [11.0, 10, 9, 8]
    /// CSS pixels of a side below which a picture has no scale bar.
    private static let leastSide = 64.0
    private static let tick = 5.0
    private static let weight = 2.0
    /// Around everything.
    private static let halo = 1.6
    /// Of the space between the letters and the line that ticks may reach into.
    private static let overlap = 1.5

    /// In CSS pixels of the picture.
    let zone: Box
    private let rows: [Row]
    private let lineY: Double
    private let isLeft: Bool
    private let frame: Frame

    /// nil in pictures without room for it, and without fonts.
    init?(_ bar: DrawnScaleBar, in corners: inout CornerLayout, _ frame: Frame) {
        let camera = frame.view.camera
        // Longer than half of the world, a distance would have no meaning.
        let most = min(camera.width / 3, frame.view.worldSize / 2 + Self.halo * 2)
        guard min(camera.width, camera.height) >= Self.leastSide, !bar.units.isEmpty,
            let sample = TextRun("0", font: TextRun.font, size: Self.sizes[0], frame)
        else { return nil }
        let above = Self.halo + sample.height - Self.overlap + Self.tick
        let height = bar.units.count > 1 ? above * 2 - Self.weight : above + Self.halo
        guard height <= camera.height / 2, var box = corners.place(width: most, height: height, bar.corner) else {
            return nil
        }
        let lineY = box.top + above - Self.weight / 2
        let room = most - Self.halo * 2
        let (start, end) = (box.left + Self.halo, box.right - Self.halo)
        func middle(_ length: Double) -> ScreenPoint {
            ScreenPoint(x: bar.corner.isLeft ? start + length / 2 : end - length / 2, y: lineY)
        }
        var rows: [Row] = []
        for units in bar.units {
            guard let row = Self.row(units, room: room, frame, middle: middle) else { return nil }
            rows.append(row)
        }
        self.rows = rows
        let width = rows.reduce(0) { max($0, $1.length, $1.text.width) } + Self.halo * 2
        if bar.corner.isLeft { box.right = box.left + width } else { box.left = box.right - width }
        (zone, isLeft, self.frame, self.lineY) = (box, bar.corner.isLeft, frame, lineY)
        corners.add(box)
    }

    private static func row(
        _ units: DrawnScaleBar.Units, room: Double, _ frame: Frame, middle: (Double) -> ScreenPoint
    ) -> Row? {
        var room = room
        // On a turned map the middle of a shorter line is at another latitude, where the line may come out too long.
        for _ in 0..<3 {
            guard let scale = frame.view.metresPerPixel(at: middle(room)),
                let length = ScaleLength(units, within: scale * room),
                let exact = frame.view.metresPerPixel(at: middle(length.metres / scale))
            else { return nil }
            let pixels = length.metres / exact
            guard pixels <= room else {
                room *= 0.9
                continue
            }
            for size in sizes {
                guard let text = TextRun(length.text, font: TextRun.font, size: size, frame) else { return nil }
                if text.width <= room { return Row(length: pixels, text: text) }
            }
            return nil
        }
        return nil
    }

    func paint() {
        frame.list.setClip(nil)
        let ink = frame.ink
        let halo = ink.halo
        let boxes = rows.enumerated().flatMap { index, row in line(row, isAbove: index == 0) }
        fill(boxes.map { $0.grown(by: Self.halo) }, halo)
        for (index, row) in rows.enumerated() {
            let half = row.text.height / 2
            let middle = isLeft ? zone.left + Self.halo + row.length / 2 : zone.right - Self.halo - row.length / 2
            // Words longer than the line begin with it, or end with it.
            let shift = max(0, row.text.width - row.length) / 2
            let reach = Self.tick - Self.weight / 2 - Self.overlap + half
            let place = ScreenPoint(x: middle + (isLeft ? shift : -shift), y: lineY + (index == 0 ? -reach : reach))
            row.text.paint(at: place * frame.pixelRatio, color: ink, halo: (halo, Self.halo))
        }
        fill(boxes, ink)
    }

    /// The line with a tick at each end, which are within its length.
    private func line(_ row: Row, isAbove: Bool) -> [Box] {
        let ratio = frame.pixelRatio
        func snapped(_ value: Double) -> Double { (value * ratio).rounded() / ratio }
        let start = snapped(isLeft ? zone.left + Self.halo : zone.right - Self.halo - row.length)
        let end = start + row.length
        let top = snapped(lineY - Self.weight / 2)
        let bottom = top + Self.weight
        let (tickTop, tickBottom) =
            isAbove ? (snapped(bottom - Self.tick), bottom) : (top, snapped(top + Self.tick))
        let line = Box(left: start, top: top, right: end, bottom: bottom)
        let ticks = [start, end - Self.weight].map {
            Box(left: $0, top: tickTop, right: $0 + Self.weight, bottom: tickBottom)
        }
        return [line] + ticks
    }

    /// As one shape, so that where boxes overlap nothing is painted twice.
    private func fill(_ boxes: [Box], _ color: Color) {
        var path = Path()
        for box in boxes { path.addRing(box.corners.lazy.map { frame.fixed($0 * frame.pixelRatio) }) }
        frame.list.fill(path, .nonZero, .color(color))
    }
}

extension View {
    /// Of ground along the row of a point in CSS pixels of the picture; where the world ends before, in the middle of the picture.
    func metresPerPixel(at point: ScreenPoint) -> Double? {
        let place = point * pixelRatio
        guard let ground = self.place(at: place) else { return metresPerPixel }
        let half = ScreenPoint(x: pixelRatio / 2, y: 0)
        guard let start = groundOffset(at: place - half), let end = groundOffset(at: place + half) else { return nil }
        let (x, y) = (end.x - start.x, end.y - start.y)
        let latitude = Trigonometry.sineAndCosine(Trigonometry.radians(ground.latitude))
        return (x * x + y * y).squareRoot() * Mercator.circumference * latitude.cosine / worldSize
    }
}
