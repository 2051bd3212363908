import Raster

struct MarkerPainter {
    private let painter: OverlayPainter
    private let frame: Frame

    init(_ painter: OverlayPainter) {
        self.painter = painter
        frame = painter.frame
    }

    func anchors(_ marker: DrawnMarker, reach: Double) -> [ScreenPoint] {
        let found = MarkerAnchors(frame.view, painter.worldCopies, offset: marker.offset, reach: reach)
        var anchors: [ScreenPoint] = []
        for place in marker.places { found.add(place, to: &anchors) }
        return anchors
    }

    /// Paints a marker at all its places, with its name at the first of them; `titlesLeft` counts down. Throws `cancelled`.
    func paint(_ marker: DrawnMarker, titlesLeft: inout Int) throws(MapError) {
        let title = titlesLeft > 0 ? TitleLayout(marker, frame) : nil
        let turn = Trigonometry.sineAndCosine(Trigonometry.radians(marker.rotation))
        let anchors = anchors(marker, reach: max(marker.reach, title?.reach ?? 0))
        func paintParts(at anchor: ScreenPoint) {
            let anchor = MarkerAnchor(place: anchor, turn: turn, scale: frame.pixelRatio)
            for part in marker.parts { paint(part, anchor, opacity: marker.opacity) }
        }
        if anchors.count >= MarkerSpriteCache.least,
            var sprites = MarkerSpriteCache(reach: marker.reach * frame.pixelRatio)
        {
            var quads: [TexturedQuad] = []
            for (index, anchor) in anchors.enumerated() {
                if index % 256 == 255, frame.shouldStop() { throw .cancelled }
                if let quad = try sprites.quad(at: anchor, frame, paint: paintParts) { quads.append(quad) }
            }
            frame.list.quads(quads, .picture(opacity: 255, isSmooth: false))
            guard let title else { return }
            for (index, anchor) in anchors.enumerated() where titlesLeft > 0 {
                if index % 4096 == 4095, frame.shouldStop() { throw .cancelled }
                try title.paint(at: anchor, titlesLeft: &titlesLeft)
            }
        } else {
            for (index, anchor) in anchors.enumerated() {
                if index % 256 == 255, frame.shouldStop() { throw .cancelled }
                paintParts(at: anchor)
                try title?.paint(at: anchor, titlesLeft: &titlesLeft)
            }
        }
    }

    private struct MarkerAnchor {
        var place: ScreenPoint
        var turn: (sine: Double, cosine: Double)
        var scale: Double

        var isUpright: Bool { turn.sine == 0 && turn.cosine == 1 }

        func callAsFunction(_ point: ScreenPoint) -> ScreenPoint {
            ScreenPoint(
                x: place.x + (point.x * turn.cosine - point.y * turn.sine) * scale,
                y: place.y + (point.x * turn.sine + point.y * turn.cosine) * scale)
        }
    }

    private func paint(_ part: DrawnMarker.Part, _ anchor: MarkerAnchor, opacity: Double) {
        func path(_ rings: [[ScreenPoint]]) -> Path {
            var path = Path()
            for ring in rings { path.addRing(ring.lazy.map { frame.fixed(anchor($0)) }) }
            return path
        }
        switch part {
        case .shape(let rings, let color): frame.list.fill(path(rings), .nonZero, .color(color.faded(opacity)))
        case .outline(let ring, let stroke):
            frame.list.stroke(path([ring]), painter.style(stroke), color: stroke.color.faded(opacity))
        case .text(let text): paint(text, anchor, opacity: opacity)
        case .picture(let picture): paint(picture, anchor, opacity: opacity)
        case .sprite(let sprite): paint(sprite, anchor, opacity: opacity)
        }
    }

    private func paint(_ text: DrawnText, _ anchor: MarkerAnchor, opacity: Double) {
        guard var textRun = TextRun(text.text, font: TextRun.boldFont, size: text.size, frame) else { return }
        if textRun.width > text.maxWidth, textRun.width > 0 { textRun.size *= max(0.2, text.maxWidth / textRun.width) }
        textRun.paint(at: anchor(text.center), turn: anchor.turn, color: text.color.faded(opacity))
    }

    private func paint(_ picture: DrawnPicture, _ anchor: MarkerAnchor, opacity: Double) {
        let corner = ScreenPoint(x: picture.left, y: picture.top)
        var topLeft = anchor(corner)
        // A picture as large as its place on the canvas keeps its pixels.
        let isExact =
            anchor.isUpright && (picture.width * anchor.scale - Double(picture.texture.widthPx)).magnitude < 0.01
            && (picture.height * anchor.scale - Double(picture.texture.heightPx)).magnitude < 0.01
        if isExact { topLeft = ScreenPoint(x: topLeft.x.rounded(), y: topLeft.y.rounded()) }
        let shift = topLeft - anchor(corner)
        func place(_ x: Double, _ y: Double) -> FixedPoint {
            frame.fixed(anchor(ScreenPoint(x: picture.left + x, y: picture.top + y)) + shift)
        }
        // One more texel around fades out: edges of turned pictures are smooth.
        let (marginX, marginY) =
            isExact
            ? (0.0, 0.0)
            : (picture.width / Double(picture.texture.widthPx), picture.height / Double(picture.texture.heightPx))
        let rim: Float = isExact ? 0 : 1
        let quad = TexturedQuad(
            topLeft: place(-marginX, -marginY), topRight: place(picture.width + marginX, -marginY),
            bottomLeft: place(-marginX, picture.height + marginY),
            bottomRight: place(picture.width + marginX, picture.height + marginY),
            piece: SIMD4(-rim, -rim, Float(picture.texture.widthPx) + rim, Float(picture.texture.heightPx) + rim),
            texture: frame.list.addTexture(picture.texture))
        frame.list.quads([quad], .picture(opacity: Frame.byte(max(0, min(1, opacity))), isSmooth: !isExact))
    }

    private func paint(_ sprite: DrawnSprite, _ anchor: MarkerAnchor, opacity: Double) {
        guard let image = frame.images[sprite.name] else {
            for part in sprite.fallback { paint(part, anchor, opacity: opacity) }
            return
        }
        let scale = sprite.side / max(image.width, image.height, 0.01)
        let (width, height) = (image.width * scale, image.height * scale)
        guard image.isSDF else {
            let picture = DrawnPicture(
                image.texture, left: sprite.center.x - width / 2, top: sprite.center.y - height / 2, width: width,
                height: height)
            paint(picture, anchor, opacity: opacity)
            return
        }
        func place(_ x: Double, _ y: Double) -> FixedPoint {
            frame.fixed(anchor(ScreenPoint(x: sprite.center.x + x * width / 2, y: sprite.center.y + y * height / 2)))
        }
        let quad = TexturedQuad(
            topLeft: place(-1, -1), topRight: place(1, -1), bottomLeft: place(-1, 1), bottomRight: place(1, 1),
            piece: SIMD4(0, 0, Float(image.texture.widthPx), Float(image.texture.heightPx)),
            texture: frame.list.addTexture(image.texture))
        let ramp = DistanceRamp(fontScale: scale, pixelRatio: frame.pixelRatio)
        frame.list.quads([quad], .distance(ramp, color: sprite.color.faded(opacity)))
    }
}

extension View {
    /// nil behind the eye or too near to it.
    func point(_ place: WorldPlace, copy: Int, _ projection: TileProjection) -> ScreenPoint? {
        let extent = Double(FeatureLayer.extent)
        let (x, y) = ((place.x + Double(copy)) * extent, place.y * extent)
        if projection.isFlat { return projection.point(x, y) }
        let (point, distance) = projection.perspectivePoint(x, y, 0)
        return distance >= nearDistance ? point : nil
    }
}
