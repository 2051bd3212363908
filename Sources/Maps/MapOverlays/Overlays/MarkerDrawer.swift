import Bytes
import Colors
import MapGrammar
import MapRender
import Raster

struct MarkerDrawer {
    private static let sizes = 4.0...256.0
    private static let textLimit = 8

    private let icons: [ExactText: Texture]
    private let pixelRatio: Double
    /// Icons at the size in which they are drawn.
    private var sized: [SizedIcon: Texture] = [:]

    private struct SizedIcon: Hashable {
        var id: ExactText
        var side: Int
    }

    init(icons: [ExactText: Texture], pixelRatio: Double) {
        self.icons = icons
        self.pixelRatio = pixelRatio
    }

    mutating func drawn(_ marker: MapMarker) -> DrawnMarker {
        let size = max(Self.sizes.lowerBound, min(Self.sizes.upperBound, marker.size))
        let places = marker.places.map { WorldPlace($0) }
        var drawn: DrawnMarker
        var box: SIMD4<Double>
        switch marker.look {
        case .icon(let id):
            if let icon = icon(id, size: size) {
                (drawn, box) = self.drawn(icon, marker, places)
            } else {
                var pin = marker
                pin.look = .pin(.dot)
                // The usual anchor of icons; a pin points with its tip.
                if pin.anchor == .center { pin.anchor = .bottom }
                (drawn, box) = self.pin(.dot, pin, size: size, places)
            }
        case .pin(let content): (drawn, box) = pin(content, marker, size: size, places)
        }
        drawn.offset = ScreenPoint(x: Self.held(marker.offsetX), y: Self.held(marker.offsetY))
        drawn.rotation = marker.rotation.isFinite ? marker.rotation.truncatingRemainder(dividingBy: 360) : 0
        if let title = marker.title, !title.isEmpty {
            var name = DrawnTitle(title, beside: box)
            name.color = marker.titleLook.color
            name.plate = marker.titleLook.plate.map {
                DrawnTitle.Plate($0.color, padding: Self.held($0.padding), radius: Self.held($0.radius))
            }
            drawn.title = name
        }
        return drawn
    }

    private static func held(_ offset: Double) -> Double { max(-4096, min(4096, offset.isFinite ? offset : 0)) }

    private func pin(
        _ content: MapMarker.Content, _ marker: MapMarker, size: Double, _ places: [WorldPlace]
    ) -> (DrawnMarker, SIMD4<Double>) {
        let shape = PinShape(height: size, pixelRatio: pixelRatio)
        let color = marker.color
        let shift = marker.anchor.point(of: shape.box)
        let parts = shape.body(color) + self.parts(of: content, shape, color.contrast.withAlpha(color.alpha))
        let drawn = DrawnMarker(
            places: places, parts: parts.map { $0.moved(-shift.x, -shift.y) },
            reach: size * 1.3 + abs(shift.x) + abs(shift.y) + 4)
        let head = shape.head
        let box = SIMD4(
            -shape.radius - shift.x, head.y - shape.radius - shift.y, shape.radius - shift.x,
            head.y + shape.radius - shift.y)
        return (drawn, box)
    }

    private func parts(of content: MapMarker.Content, _ shape: PinShape, _ color: Color) -> [DrawnMarker.Part] {
        let radius = shape.radius
        let dot = Curves.circle(radius: radius * 0.4, pixelRatio: pixelRatio).map {
            ScreenPoint(x: $0.x + shape.head.x, y: $0.y + shape.head.y)
        }
        switch content {
        case .dot: return [.shape([dot], color)]
        case .text(let text):
            let short = String(text.prefix(Self.textLimit))
            let letters = radius * (short.count < 2 ? 1.3 : short.count < 3 ? 1.12 : 0.95)
            return [.text(DrawnText(short, center: shape.head, size: letters, maxWidth: radius * 1.6, color: color))]
        case .glyph(let name):
            return [
                .sprite(
                    DrawnSprite(
                        name, center: shape.head, side: radius * 1.25, color: color, fallback: [.shape([dot], color)]))
            ]
        }
    }

    private func drawn(_ icon: Texture, _ marker: MapMarker, _ places: [WorldPlace]) -> (DrawnMarker, SIMD4<Double>) {
        let size = max(Self.sizes.lowerBound, min(Self.sizes.upperBound, marker.size))
        let longer = Double(max(icon.widthPx, icon.heightPx))
        // An icon that was reduced has the right size in pixels; a smaller one is stretched.
        let scale = longer * 1.02 < size * pixelRatio ? size / longer : 1 / pixelRatio
        let (width, height) = (Double(icon.widthPx) * scale, Double(icon.heightPx) * scale)
        let shift = marker.anchor.point(of: SIMD4(-width / 2, -height / 2, width / 2, height / 2))
        let box = SIMD4(-width / 2 - shift.x, -height / 2 - shift.y, width / 2 - shift.x, height / 2 - shift.y)
        let picture = DrawnPicture(icon, left: box.x, top: box.y, width: width, height: height)
        return (DrawnMarker(places: places, parts: [.picture(picture)], reach: (width + height) * 1.5 + 2), box)
    }

    /// The icon, reduced to the size in which it is drawn.
    private mutating func icon(_ id: String, size: Double) -> Texture? {
        guard let icon = icons[ExactText(id)] else { return nil }
        let key = SizedIcon(id: ExactText(id), side: max(1, Int((size * pixelRatio).rounded())))
        if let known = sized[key] { return known }
        let made = icon.shrunk(toSide: key.side)
        sized[key] = made
        return made
    }
}

extension MapMarker.Anchor {
    /// The anchor point of a box of left, top, right and bottom.
    fileprivate func point(of box: SIMD4<Double>) -> ScreenPoint {
        let x =
            switch self {
            case .left, .topLeft, .bottomLeft: box.x
            case .right, .topRight, .bottomRight: box.z
            case .center, .top, .bottom: (box.x + box.z) / 2
            }
        let y =
            switch self {
            case .top, .topLeft, .topRight: box.y
            case .bottom, .bottomLeft, .bottomRight: box.w
            case .center, .left, .right: (box.y + box.w) / 2
            }
        return ScreenPoint(x: x, y: y)
    }
}

extension DrawnMarker.Part {
    fileprivate func moved(_ x: Double, _ y: Double) -> DrawnMarker.Part {
        if x == 0, y == 0 { return self }
        func move(_ point: ScreenPoint) -> ScreenPoint { ScreenPoint(x: point.x + x, y: point.y + y) }
        switch self {
        case .shape(let rings, let color): return .shape(rings.map { $0.map(move) }, color)
        case .outline(let ring, let stroke): return .outline(ring.map(move), stroke)
        case .text(var text):
            text.center = move(text.center)
            return .text(text)
        case .picture(var picture):
            picture.left += x
            picture.top += y
            return .picture(picture)
        case .sprite(var sprite):
            sprite.center = move(sprite.center)
            sprite.fallback = sprite.fallback.map { $0.moved(x, y) }
            return .sprite(sprite)
        }
    }
}
