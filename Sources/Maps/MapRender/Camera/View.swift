import MapStyle

package struct View: Sendable {
    package let camera: Camera
    package let worldSize: Double
    /// In CSS pixels of the world.
    package let center: ScreenPoint
    /// In CSS pixels.
    package let cameraToCenterDistance: Double
    /// CSS pixels around the picture whose features count too: 0 without a ``PlacementGrid``.
    let margin: Double
    /// Device pixels per CSS pixel as drawn: the view is spread over the whole pixels of the canvas.
    package let pixelRatio: Double
    /// From world pixels (x, y, z in CSS pixels) to clip coordinates.
    let matrix: Matrix4

    /// With a `grid`, and north up, the view of one of many pictures that are put together.
    package init(_ camera: Camera, grid: PlacementGrid? = nil) {
        self.camera = camera
        pixelRatio = camera.width > 0 ? Double(camera.widthPx) / camera.width : camera.pixelRatio
        worldSize = 512 * Trigonometry.powerOfTwo(camera.zoom)
        let latitude = max(-Mercator.latitudeLimit, min(Mercator.latitudeLimit, camera.latitude))
        let center = ScreenPoint(
            x: (180 + camera.longitude) / 360 * worldSize, y: Mercator.y(latitude: latitude) * worldSize)
        let isTile = grid != nil && camera.isFlat && camera.bearing == 0 && camera.roll == 0
        margin = isTile ? PlacementGrid.margin : 0
        // What degrees lose must not tell neighbours apart.
        self.center = isTile ? center.snapped(to: 256) : center
        let halfFieldOfView = Trigonometry.radians(camera.fieldOfView) / 2
        cameraToCenterDistance = 0.5 / Trigonometry.tangent(halfFieldOfView) * camera.height
        let near = camera.height / 50
        let pitch = Trigonometry.radians(camera.pitch)
        // Far enough for the horizon at 60 degrees of tilt; only depth depends on it.
        let far = cameraToCenterDistance * 20 / max(0.05, Trigonometry.sineAndCosine(.pi / 2 - pitch).sine)
        matrix = Matrix4.perspective(
            fieldOfView: halfFieldOfView * 2, aspect: camera.width / camera.height, near: near, far: far
        )
        .scaled(1, -1, 1)
        .translated(0, 0, -cameraToCenterDistance)
        .rotatedZ(-Trigonometry.radians(camera.roll))
        .rotatedX(pitch)
        .rotatedZ(-Trigonometry.radians(camera.bearing))
        .translated(-self.center.x, -self.center.y, 0)
    }

    /// CSS pixels of the world that align its pixels with the picture's, so that tiles are not smoothed without need.
    var pixelShift: ScreenPoint {
        let odd = ScreenPoint(
            x: camera.width.truncatingRemainder(dividingBy: 2) / 2,
            y: camera.height.truncatingRemainder(dividingBy: 2) / 2)
        let (sine, cosine) = Trigonometry.sineAndCosine(-Trigonometry.radians(camera.bearing))
        let x = center.x - (center.x + 0.5).rounded(.down) + cosine * odd.x + sine * odd.y
        let y = center.y - (center.y + 0.5).rounded(.down) + cosine * odd.y + sine * odd.x
        return ScreenPoint(x: x > 0.5 ? x - 1 : x, y: y > 0.5 ? y - 1 : y)
    }

    func projection(of tile: PlacedTile, shift: ScreenPoint = .zero) -> TileProjection {
        let scale = worldSize / Trigonometry.powerOfTwo(Double(tile.id.z))
        let x = (Double(tile.id.x) + Double(tile.wrap) * Trigonometry.powerOfTwo(Double(tile.id.z))) * scale
        let y = Double(tile.id.y) * scale
        return TileProjection(
            view: self, originX: x + shift.x, originY: y + shift.y, scale: scale / Double(FeatureLayer.extent))
    }
}

/// From units of one tile (8192 to its side) to device pixels.
struct TileProjection: Sendable {
    let scale: Double
    let isFlat: Bool
    // A flat view is an affine map, apart from the matrix for speed and exactness.
    let a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double
    /// From units of the tile to clip coordinates; z in CSS pixels.
    let matrix: Matrix4
    let halfWidth: Double, halfHeight: Double
    private let nearest: Double

    init(view: View, originX: Double, originY: Double, scale: Double) {
        let camera = view.camera
        self.scale = scale
        isFlat = camera.isFlat
        let angle = -Trigonometry.radians(camera.bearing + camera.roll)
        let (sine, cosine) = Trigonometry.sineAndCosine(angle)
        let ratio = view.pixelRatio
        let unit = scale * ratio
        a = cosine * unit
        b = sine * unit
        c = -sine * unit
        d = cosine * unit
        let x = (originX - view.center.x) * ratio
        let y = (originY - view.center.y) * ratio
        halfWidth = Double(camera.widthPx) / 2
        halfHeight = Double(camera.heightPx) / 2
        nearest = camera.height / 50
        tx = x * cosine - y * sine + halfWidth
        ty = x * sine + y * cosine + halfHeight
        matrix = view.matrix.translated(originX, originY, 0).scaled(scale, scale, 1)
    }

    @inline(__always) func point(_ x: Double, _ y: Double) -> ScreenPoint {
        if isFlat { return ScreenPoint(x: a * x + c * y + tx, y: b * x + d * y + ty) }
        return perspectivePoint(x, y, 0).place
    }

    /// The place of the tile at `x` and `y` device pixels from its corner, in a flat view.
    func flatOffset(_ x: Double, _ y: Double) -> ScreenPoint {
        let determinant = a * d - b * c
        return ScreenPoint(x: (d * x - c * y) / determinant, y: (a * y - b * x) / determinant)
    }

    /// The box around what a rectangle of the canvas shows of the tile, in a flat view.
    func flatBox(_ canvas: Box) -> Box {
        var box = Box(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
        for corner in canvas.corners.map({ flatOffset($0.x - tx, $0.y - ty) }) {
            box = box.union(Box(left: corner.x, top: corner.y, right: corner.x, bottom: corner.y))
        }
        return box
    }

    /// A convex shape of the tile on the picture, cut off where it comes too near to the eye. Edges carry `values` along.
    func polygon(
        _ places: [(x: Double, y: Double, value: SIMD2<Double>)]
    ) -> [(place: ScreenPoint, depth: Double, value: SIMD2<Double>)] {
        if isFlat { return places.map { (point($0.x, $0.y), 1, $0.value) } }
        var result: [(place: ScreenPoint, depth: Double, value: SIMD2<Double>)] = []
        for index in places.indices {
            let from = places[index]
            let to = places[(index + 1) % places.count]
            let start = perspectivePoint(from.x, from.y, 0)
            let end = perspectivePoint(to.x, to.y, 0)
            if start.w >= nearest { result.append((start.place, start.w, from.value)) }
            if (start.w < nearest) != (end.w < nearest) {
                let share = (nearest - start.w) / (end.w - start.w)
                let cut = perspectivePoint(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, 0)
                result.append((cut.place, cut.w, from.value + (to.value - from.value) * share))
            }
        }
        return result
    }

    /// A place `z` CSS pixels above the ground; `w` is its distance from the eye in CSS pixels, 0 or less behind it.
    func perspectivePoint(_ x: Double, _ y: Double, _ z: Double) -> (place: ScreenPoint, w: Double) {
        let clip = matrix.apply(SIMD4(x, y, z, 1))
        let inverse = 1 / clip.w
        return (ScreenPoint(x: (clip.x * inverse + 1) * halfWidth, y: (1 - clip.y * inverse) * halfHeight), clip.w)
    }
}
