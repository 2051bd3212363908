import Raster

/// Paints signs: what stands upright at places of the map.
struct SignPainter {
    private let painter: DrawingPainter
    private let frame: Frame
    private let projection: TileProjection

    init(_ painter: DrawingPainter) {
        self.painter = painter
        frame = painter.frame
        projection = painter.frame.view.worldProjection
    }

    /// Where on the canvas the copies of a sign's places lie that may be seen, in the order of the places.
    func anchors(_ sign: DrawnSign, reach: Double) -> [ScreenPoint] {
        let view = frame.view
        let offset = sign.offset * frame.pixelRatio
        let margin = max(0, min(4096, reach + abs(sign.offset.x) + abs(sign.offset.y)))
        let slack = reach * frame.pixelRatio
        let (width, height) = (Double(view.camera.widthPx), Double(view.camera.heightPx))
        var anchors: [ScreenPoint] = []
        for place in sign.places {
            for copy in painter.copies(place.x, place.x, margin: margin) {
                guard let point = view.point(place, copy: copy, projection) else { continue }
                let anchor = point + offset
                if anchor.x > -slack, anchor.y > -slack, anchor.x < width + slack, anchor.y < height + slack {
                    anchors.append(anchor)
                }
            }
        }
        return anchors
    }

    /// Paints a sign at all of its places, and its name beside as many of them as `titleRoom` says, which counts down.
    /// Throws `cancelled`.
    func paint(_ sign: DrawnSign, titleRoom: inout Int) throws(MapError) {
        let title = titleRoom > 0 ? TitleSetter(sign, frame) : nil
        let turn = Trigonometry.sineAndCosine(Trigonometry.radians(sign.rotation))
        let anchors = anchors(sign, reach: max(sign.reach, title?.reach ?? 0))
        var stamp = anchors.count >= SignStamp.least ? SignStamp(reach: sign.reach * frame.pixelRatio) : nil
        for (index, anchor) in anchors.enumerated() {
            if index % 256 == 255, frame.shouldStop() { throw .cancelled }
            func paintParts(at anchor: ScreenPoint) {
                let stand = Stand(anchor: anchor, turn: turn, scale: frame.pixelRatio)
                for part in sign.parts { paint(part, stand, opacity: sign.opacity) }
            }
            guard stamp != nil else {
                paintParts(at: anchor)
                try title?.paint(at: anchor, room: &titleRoom)
                continue
            }
            try stamp?.add(at: anchor, frame, paint: paintParts)
        }
        guard stamp != nil else { return }
        frame.list.paint(frame.list.takeQuads(), .picture(opacity: 255, isSmooth: false))
        guard let title else { return }
        for (index, anchor) in anchors.enumerated() where titleRoom > 0 {
            if index % 4096 == 4095, frame.shouldStop() { throw .cancelled }
            try title.paint(at: anchor, room: &titleRoom)
        }
    }

    /// Where a sign stands and how it is turned.
    private struct Stand {
        var anchor: ScreenPoint
        var turn: (sine: Double, cosine: Double)
        /// Device pixels of a CSS pixel.
        var scale: Double

        var isUpright: Bool { turn.sine == 0 && turn.cosine == 1 }

        func callAsFunction(_ point: ScreenPoint) -> ScreenPoint {
            ScreenPoint(
                x: anchor.x + (point.x * turn.cosine - point.y * turn.sine) * scale,
                y: anchor.y + (point.x * turn.sine + point.y * turn.cosine) * scale)
        }
    }

    private func paint(_ part: DrawnSign.Part, _ stand: Stand, opacity: Double) {
        switch part {
        case .shape(let rings, let color):
            for ring in rings { frame.list.addRing(ring.map { frame.fixed(stand($0)) }) }
            frame.list.fill(frame.list.takeParts(), .nonZero, .color(color.faded(opacity)))
        case .outline(let ring, let stroke):
            frame.list.addRing(ring.map { frame.fixed(stand($0)) })
            frame.list.stroke(
                frame.list.takeParts(), painter.style(stroke), color: stroke.color.faded(opacity))
        case .text(let text): paint(text, stand, opacity: opacity)
        case .picture(let picture): paint(picture, stand, opacity: opacity)
        case .sprite(let sprite): paint(sprite, stand, opacity: opacity)
        }
    }

    private func paint(_ text: DrawnText, _ stand: Stand, opacity: Double) {
        guard var lettering = Lettering(text.text, font: Lettering.boldFont, size: text.size, frame) else { return }
        if lettering.width > text.maxWidth, lettering.width > 0 {
            lettering.size *= max(0.2, text.maxWidth / lettering.width)
        }
        lettering.paint(at: stand(text.center), turn: stand.turn, color: text.color.faded(opacity))
    }

    private func paint(_ picture: DrawnPicture, _ stand: Stand, opacity: Double) {
        let corner = ScreenPoint(x: picture.left, y: picture.top)
        var topLeft = stand(corner)
        // A picture that has the size of its place on the canvas keeps its pixels.
        let isExact =
            stand.isUpright && (picture.width * stand.scale - Double(picture.texture.widthPx)).magnitude < 0.01
            && (picture.height * stand.scale - Double(picture.texture.heightPx)).magnitude < 0.01
        if isExact { topLeft = ScreenPoint(x: topLeft.x.rounded(), y: topLeft.y.rounded()) }
        let shift = topLeft - stand(corner)
        func place(_ x: Double, _ y: Double) -> FixedPoint {
            frame.fixed(stand(ScreenPoint(x: picture.left + x, y: picture.top + y)) + shift)
        }
        // One texel more around fades out: edges of turned pictures are smooth.
        let (marginX, marginY) =
            isExact
            ? (0.0, 0.0)
            : (picture.width / Double(picture.texture.widthPx), picture.height / Double(picture.texture.heightPx))
        let rim: Float = isExact ? 0 : 1
        frame.list.addQuad(
            TexturedQuad(
                topLeft: place(-marginX, -marginY), topRight: place(picture.width + marginX, -marginY),
                bottomLeft: place(-marginX, picture.height + marginY),
                bottomRight: place(picture.width + marginX, picture.height + marginY),
                piece: SIMD4(
                    -rim, -rim, Float(picture.texture.widthPx) + rim, Float(picture.texture.heightPx) + rim),
                texture: frame.list.addTexture(picture.texture)))
        frame.list.paint(
            frame.list.takeQuads(), .picture(opacity: Frame.byte(max(0, min(1, opacity))), isSmooth: !isExact))
    }

    private func paint(_ sprite: DrawnSprite, _ stand: Stand, opacity: Double) {
        guard let image = frame.images[sprite.name] else {
            for part in sprite.standIn { paint(part, stand, opacity: opacity) }
            return
        }
        let scale = sprite.side / max(image.width, image.height, 0.01)
        let (width, height) = (image.width * scale, image.height * scale)
        guard image.isSDF else {
            let picture = DrawnPicture(
                image.texture, left: sprite.center.x - width / 2, top: sprite.center.y - height / 2, width: width,
                height: height)
            paint(picture, stand, opacity: opacity)
            return
        }
        func place(_ x: Double, _ y: Double) -> FixedPoint {
            frame.fixed(stand(ScreenPoint(x: sprite.center.x + x * width / 2, y: sprite.center.y + y * height / 2)))
        }
        frame.list.addQuad(
            TexturedQuad(
                topLeft: place(-1, -1), topRight: place(1, -1), bottomLeft: place(-1, 1), bottomRight: place(1, 1),
                piece: SIMD4(0, 0, Float(image.texture.widthPx), Float(image.texture.heightPx)),
                texture: frame.list.addTexture(image.texture)))
        frame.list.paint(
            frame.list.takeQuads(),
            .distance(
                DistanceRamp(fontScale: scale, pixelRatio: frame.pixelRatio), color: sprite.color.faded(opacity)))
    }
}

extension View {
    /// Where a place is on the canvas; nil when it lies behind the eye or too near to it.
    func point(_ place: WorldPlace, copy: Int, _ projection: TileProjection) -> ScreenPoint? {
        let extent = Double(FeatureLayer.extent)
        let (x, y) = ((place.x + Double(copy)) * extent, place.y * extent)
        if projection.isFlat { return projection.point(x, y) }
        let (point, distance) = projection.perspectivePoint(x, y, 0)
        return distance >= nearDistance ? point : nil
    }
}
