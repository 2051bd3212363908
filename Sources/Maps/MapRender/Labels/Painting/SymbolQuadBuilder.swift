import MapStyle
import Raster

struct SymbolRun {
    var quads: QuadRange?
    var paint: SymbolPaint
    var color: StyleColor?
    /// CSS pixels of a unit of the quads.
    var fontScale: Double
    /// How much wider edges are than face to face.
    var gammaScale: Double
    var isSDF: Bool
}

struct SymbolSegment {
    var sortKey: Double
    var runs: [SymbolRun] = []
    var isSDF: Bool
    var isSmooth: Bool
}

struct SymbolQuadBuilder {
    /// CSS pixels around the picture beyond which nothing is set along lines.
    private static let margin = 256.0

    private let tile: SymbolTile
    private let part: SymbolPart
    private let frame: Frame
    private let plane: LabelPlane
    private let alignment: SymbolSettings.Part
    private let followsLine: Bool
    private let corner: ScreenPoint
    private let splitsBySortKey, isSmooth, hasTexts: Bool
    /// Whether coverage comes from signed distances.
    private let hasDistances: Bool
    private var segments: [SymbolSegment] = []
    private var open: SymbolRun?
    private var quads: [TexturedQuad] = []
    private var openPaint: Int32 = -1
    private var openColor: Int32 = -1
    private var references: [TextureReference?]

    init(_ part: SymbolPart, of tile: SymbolTile, _ layer: StyleLayer, _ frame: Frame) {
        (self.tile, self.part, self.frame) = (tile, part, frame)
        let isText = part == .text
        let settings = tile.settings
        alignment = isText ? settings.text : settings.icon
        followsLine = isText ? settings.followsLine : settings.iconFollowsLine
        let projection = frame.view.projection(of: tile.tile)
        plane = LabelPlane(
            frame.view, projection, pitchAlignment: alignment.pitchAlignment,
            rotationAlignment: alignment.rotationAlignment,
            translation: LabelPlane.translation(of: part, layer, frame, projection))
        corner = ScreenPoint(x: Double(frame.view.camera.widthPx), y: Double(frame.view.camera.heightPx))
        splitsBySortKey = layer.variesSortKey && settings.canOverlap
        let isTransformed = alignment.pitchAlignment == .map || !frame.view.camera.isFlat
        if isText {
            isSmooth = isTransformed || !layer[.textSize].isZoomConstant
        } else {
            let size = layer[.iconSize]
            let isScaled = !size.isFeatureConstant || size.number(frame.layerContext()) != 1
            isSmooth = isTransformed || isScaled || tile.iconsNeedLinear
        }
        hasTexts = tile.instances.contains(where: \.hasText)
        hasDistances = isText || tile.hasSDFIcons
        references = Array(repeating: nil, count: tile.textures.count)
    }

    mutating func build(_ placements: [InstancePlacement]) -> [SymbolSegment] {
        let order: [Int] =
            tile.settings.sortsByY && !splitsBySortKey
            ? SymbolScene.orderByY(tile.instances, bearing: frame.view.camera.bearing)
            : Array(tile.instances.indices)
        for index in order where placements.indices.contains(index) {
            let (instance, placement) = (tile.instances[index], placements[index])
            guard part == .text ? placement.showsText : placement.showsIcon else { continue }
            if segments.isEmpty || (splitsBySortKey && segments[segments.count - 1].sortKey != instance.sortKey) {
                closeRun()
                let key = splitsBySortKey ? instance.sortKey : 0
                segments.append(SymbolSegment(sortKey: key, isSDF: hasDistances, isSmooth: isSmooth))
            }
            if part == .text { setText(instance, placement) } else { setIcon(instance, placement) }
        }
        closeRun()
        return segments
    }

    private mutating func setText(_ instance: SymbolInstance, _ placement: InstancePlacement) {
        if followsLine {
            guard instance.centerJustifiedText >= 0 else { return }
            let needsVertical = setAlongLine(tile.symbols[Int(instance.centerJustifiedText)])
            if needsVertical, instance.verticalText >= 0 { _ = setAlongLine(tile.symbols[Int(instance.verticalText)]) }
            return
        }
        for index in instance.texts(placement, tile.settings) {
            setUpright(index, placement.moved, isVertical: index == instance.verticalText)
        }
    }

    private mutating func setIcon(_ instance: SymbolInstance, _ placement: InstancePlacement) {
        let settings = tile.settings
        let isVertical = settings.fitsIconsToText && instance.verticalIcon >= 0 && placement.orientation == .vertical
        let index = isVertical ? instance.verticalIcon : instance.icon
        guard index >= 0 else { return }
        if settings.fitsIconsToText, settings.hasVariableAnchors, hasTexts {
            // The icon goes where its text has gone, or nowhere.
            let texts = placement.showsText ? instance.texts(placement, settings) : []
            guard let text = texts.first(where: { tile.symbols[Int($0)].associatedIcon == index }) else { return }
            let symbol = tile.symbols[Int(text)]
            let textScale = symbol.size / 24 * pictureRatio(symbol)
            setUpright(index, placement.moved, movedBy: textScale, isVertical: text == instance.verticalText)
        } else if followsLine {
            _ = setAlongLine(tile.symbols[Int(index)])
        } else {
            setUpright(index, nil, isVertical: isVertical)
        }
    }

    private func pictureRatio(_ symbol: PlacedSymbol) -> Double {
        plane.perspectiveRatio(distance: plane.onPicture(symbol.anchor.x, symbol.anchor.y).distance)
    }

    private mutating func setUpright(
        _ index: Int32, _ moved: MovedText?, movedBy unit: Double? = nil, isVertical: Bool
    ) {
        let symbol = tile.symbols[Int(index)]
        let distance = plane.onPicture(symbol.anchor.x, symbol.anchor.y).distance
        guard distance > 0 else { return }
        var angle =
            alignment.rotationAlignment == .map && !followsLine ? plane.eastAngle(symbol.anchor.x, symbol.anchor.y) : 0
        var point = plane.place(symbol.anchor.x, symbol.anchor.y).point
        if let moved {
            let unit = unit ?? symbol.size / 24 * pictureRatio(symbol)
            let shift = ScreenPoint(x: moved.shift.x * unit, y: moved.shift.y * unit)
            point = point + shift.turned(by: angle)
        }
        if isVertical, tile.settings.allowsVerticalPlacement { angle += .pi / 2 }
        let fontScale = fontScale(symbol, distance)
        guard begin(symbol, fontScale, distance) else { return }
        let rotation = Trigonometry.sineAndCosine(angle)
        for quad in symbol.quads { add(tile.quads[Int(quad)], at: point, rotation, fontScale) }
    }

    /// Returns whether the symbol is steep and wants its vertical text instead.
    private mutating func setAlongLine(_ symbol: PlacedSymbol) -> Bool {
        let anchor = plane.onPicture(symbol.anchor.x, symbol.anchor.y)
        let camera = frame.view.camera
        guard anchor.distance > 0, anchor.point.x >= -Self.margin, anchor.point.y >= -Self.margin,
            anchor.point.x <= camera.width + Self.margin, anchor.point.y <= camera.height + Self.margin
        else { return false }
        let ratio = plane.perspectiveRatio(distance: anchor.distance)
        let lineScale = (plane.isGround ? symbol.size / ratio : symbol.size * ratio) / 24
        var label = LineLabel(symbol, tile, plane, fontScale: lineScale)
        let places: [LineWalker.Place]
        switch label.place(keepsUpright: alignment.keepsUpright) {
        case .noRoom: return false
        case .needsVertical: return true
        case .placed(let found): places = found
        }
        let fontScale = fontScale(symbol, anchor.distance)
        guard begin(symbol, fontScale, anchor.distance) else { return false }
        let turns = tile.settings.text.rotationAlignment == .map
        for (quad, place) in zip(symbol.quads, places) {
            let rotation = Trigonometry.sineAndCosine(turns ? place.angle : 0)
            add(tile.quads[Int(quad)], at: place.point, rotation, fontScale)
        }
        return false
    }

    private func fontScale(_ symbol: PlacedSymbol, _ distance: Double) -> Double {
        (part == .text ? symbol.size / 24 : symbol.size) * plane.sizeRatio(distance: distance)
    }

    private mutating func begin(_ symbol: PlacedSymbol, _ fontScale: Double, _ distance: Double) -> Bool {
        let paint = tile.paints[Int(symbol.paint)]
        guard fontScale > 0, fontScale.isFinite, paint.opacity > 0 else { return false }
        if let open, openPaint == symbol.paint, open.fontScale == fontScale, openColor == -1 { return true }
        closeRun()
        let pitch = Trigonometry.radians(frame.view.camera.pitch)
        let straight = Trigonometry.sineAndCosine(pitch).cosine * frame.view.cameraToCenterDistance
        open = SymbolRun(
            paint: paint, fontScale: fontScale, gammaScale: plane.isGround && straight > 0 ? distance / straight : 1,
            isSDF: hasDistances)
        openPaint = symbol.paint
        openColor = -1
        return true
    }

    private mutating func closeRun() {
        if var run = open, !quads.isEmpty, !segments.isEmpty {
            run.quads = frame.list.add(quads)
            segments[segments.count - 1].runs.append(run)
        }
        open = nil
        quads.removeAll(keepingCapacity: true)
    }

    private mutating func add(
        _ quad: SymbolQuad, at point: ScreenPoint, _ rotation: (sine: Double, cosine: Double), _ fontScale: Double
    ) {
        let isSDF = part == .text ? quad.isSDF : tile.hasSDFIcons
        if isSDF != open?.isSDF || quad.sectionColor != openColor {
            guard var run = open else { return }
            closeRun()
            run.isSDF = isSDF
            run.color = quad.sectionColor >= 0 ? tile.sectionColors[Int(quad.sectionColor)] : nil
            openColor = quad.sectionColor
            open = run
        }
        let scaleX = max(quad.minFontScaleX, fontScale)
        let scaleY = max(quad.minFontScaleY, fontScale)
        let (start, end) = (quad.pixelOffsetTopLeft, quad.pixelOffsetBottomRight)
        var isSeen = true
        func place(_ vector: SymbolVector, _ x: Double, _ y: Double) -> ScreenPoint {
            let x = vector.x * scaleX + x
            let y = vector.y * scaleY + y
            let turned = ScreenPoint(
                x: point.x + x * rotation.cosine - y * rotation.sine,
                y: point.y + x * rotation.sine + y * rotation.cosine)
            let place = plane.picture(turned)
            if !(place.distance > 0) { isSeen = false }
            return place.point * frame.pixelRatio
        }
        let topLeft = place(quad.topLeft, start.x, start.y)
        let topRight = place(quad.topRight, end.x, start.y)
        let bottomLeft = place(quad.bottomLeft, start.x, end.y)
        let bottomRight = place(quad.bottomRight, end.x, end.y)
        guard isSeen, max(topLeft.x, topRight.x, bottomLeft.x, bottomRight.x) >= 0,
            max(topLeft.y, topRight.y, bottomLeft.y, bottomRight.y) >= 0,
            min(topLeft.x, topRight.x, bottomLeft.x, bottomRight.x) <= corner.x,
            min(topLeft.y, topRight.y, bottomLeft.y, bottomRight.y) <= corner.y
        else { return }
        quads.append(
            TexturedQuad(
                topLeft: frame.fixed(topLeft), topRight: frame.fixed(topRight), bottomLeft: frame.fixed(bottomLeft),
                bottomRight: frame.fixed(bottomRight), piece: quad.piece, texture: reference(quad.texture)))
    }

    private mutating func reference(_ texture: Int32) -> TextureReference {
        if let known = references[Int(texture)] { return known }
        let made = frame.list.addTexture(tile.textures[Int(texture)])
        references[Int(texture)] = made
        return made
    }
}

extension SymbolInstance {
    fileprivate func texts(_ placement: InstancePlacement, _ settings: SymbolSettings) -> [Int32] {
        let isVertical = settings.allowsVerticalPlacement && placement.orientation == .vertical
        if settings.hasVariableAnchors {
            guard let moved = placement.moved else { return [] }
            let chosen = isVertical ? verticalText : justified(settings.allowsVerticalPlacement ? .left : moved.anchor)
            if chosen >= 0 { return [chosen] }
        }
        if isVertical, verticalText >= 0 { return [verticalText] }
        var result: [Int32] = []
        for text in [rightJustifiedText, centerJustifiedText, leftJustifiedText] where text >= 0 {
            if !result.contains(text) { result.append(text) }
        }
        return result
    }

    private func justified(_ anchor: SymbolAnchor) -> Int32 {
        let side = anchor.alignment.horizontal
        return side == 0 ? leftJustifiedText : side == 1 ? rightJustifiedText : centerJustifiedText
    }
}
