import MapStyle

/// The plane on which glyphs are set, in CSS pixels: the picture, or in tilted views the ground for what lies on it.
struct LabelPlane {
    /// `distance`: from the eye, in CSS pixels.
    struct Place {
        var point: ScreenPoint
        var distance: Double
    }

    let projection: TileProjection
    let isGround: Bool
    /// The layer's translation, in units of the tile.
    let translation: ScreenPoint
    let pixelRatio: Double
    private let cameraDistance: Double
    let east, south: ScreenPoint

    init(
        _ view: View, _ projection: TileProjection, pitchAlignment: SymbolSettings.Alignment,
        rotationAlignment: SymbolSettings.Alignment, translation: ScreenPoint
    ) {
        (self.projection, self.translation) = (projection, translation)
        pixelRatio = view.pixelRatio
        cameraDistance = view.cameraToCenterDistance
        isGround = pitchAlignment == .map && !view.camera.isFlat
        (east, south) =
            rotationAlignment == .map ? (ScreenPoint(x: 1, y: 0), ScreenPoint(x: 0, y: 1)) : Self.axes(view.camera)
    }

    /// The directions on the ground that are seen as to the right and as down.
    private static func axes(_ camera: Camera) -> (east: ScreenPoint, south: ScreenPoint) {
        let bearing = Trigonometry.sineAndCosine(Trigonometry.radians(camera.bearing))
        let roll = Trigonometry.sineAndCosine(Trigonometry.radians(camera.roll))
        let tilt = Trigonometry.sineAndCosine(Trigonometry.radians(camera.pitch)).cosine
        func unit(_ x: Double, _ y: Double) -> ScreenPoint {
            let point = ScreenPoint(x: x, y: y)
            let length = point.length
            return length > 1e-9 ? point * (1 / length) : .zero
        }
        return (
            unit(
                bearing.cosine * tilt * roll.cosine - bearing.sine * roll.sine,
                bearing.sine * tilt * roll.cosine + bearing.cosine * roll.sine),
            unit(
                -bearing.cosine * tilt * roll.sine - bearing.sine * roll.cosine,
                -bearing.sine * tilt * roll.sine + bearing.cosine * roll.cosine)
        )
    }

    func onPicture(_ x: Double, _ y: Double) -> Place {
        if projection.isFlat {
            let point = projection.point(x + translation.x, y + translation.y)
            return Place(point: point * (1 / pixelRatio), distance: cameraDistance)
        }
        let (point, distance) = projection.perspectivePoint(x + translation.x, y + translation.y, 0)
        return Place(point: point * (1 / pixelRatio), distance: distance)
    }

    func place(_ x: Double, _ y: Double) -> Place {
        guard isGround else { return onPicture(x, y) }
        let (mapX, mapY) = ((x + translation.x) * projection.scale, (y + translation.y) * projection.scale)
        let area = east.x * south.y - east.y * south.x
        guard area != 0 else { return Place(point: .zero, distance: 0) }
        return Place(
            point: ScreenPoint(x: (mapX * south.y - mapY * south.x) / area, y: (mapY * east.x - mapX * east.y) / area),
            distance: 1)
    }

    func picture(_ point: ScreenPoint) -> Place {
        guard isGround else { return Place(point: point, distance: 1) }
        let x = (east.x * point.x + south.x * point.y) / projection.scale
        let y = (east.y * point.x + south.y * point.y) / projection.scale
        let (place, distance) = projection.perspectivePoint(x, y, 0)
        return Place(point: place * (1 / pixelRatio), distance: distance)
    }

    func perspectiveRatio(distance: Double) -> Double { distance > 0 ? 0.5 + 0.5 * cameraDistance / distance : 0 }

    func sizeRatio(distance: Double) -> Double {
        guard distance > 0 else { return 0 }
        let ratio = isGround ? distance / cameraDistance : cameraDistance / distance
        return max(0, min(4, 0.5 + 0.5 * ratio))
    }

    func eastAngle(_ x: Double, _ y: Double) -> Double {
        if isGround { return 0 }
        let here = onPicture(x, y).point
        let east = onPicture(x + 1, y).point - here
        return Trigonometry.angle(x: east.x, y: east.y)
    }

    static func translation(
        of part: SymbolPart, _ layer: StyleLayer, _ frame: Frame, _ projection: TileProjection
    ) -> ScreenPoint {
        let context = frame.layerContext()
        let isText = part == .text
        guard let shift = ScreenPoint(layer[isText ? .textTranslate : .iconTranslate].value(context)), shift != .zero
        else { return .zero }
        let anchor = layer[isText ? .textTranslateAnchor : .iconTranslateAnchor].value(context)
        let isViewport = anchor == .string("viewport")
        let turned = isViewport ? shift.turned(by: Trigonometry.radians(frame.view.camera.bearing)) : shift
        return turned * (1 / projection.scale)
    }
}
