import MapStyle

struct FeatureSymbol {
    let feature: SymbolFeature
    let parts: SymbolParts
    /// CSS pixels that the symbol may reach from its anchor.
    private let extent: Double
    private var template: SymbolTemplate?
    private let missing: [MissingGlyph]

    /// Takes the feature of the layout's context; nil when it has nothing to show.
    init?(_ feature: SymbolFeature, _ layout: SymbolLayout) {
        let (layer, context) = (layout.layer, layout.context)
        self.feature = feature
        let textSize = layout.textSize.layout(context)
        var parts = SymbolParts(layoutTextSize: textSize, layoutIconSize: layout.iconSize.layout(context))
        parts.text = feature.text.flatMap { FeatureText($0, layout, layoutSize: textSize) }
        missing = layout.frame.missing.takeNoted()
        let offset = SymbolVector(layer[.iconOffset].value(context))
        parts.iconOffset = offset
        if let image = feature.icon.flatMap({ layout.frame.images[$0] }) {
            let anchor = layer[.iconAnchor].value(context).string.flatMap(SymbolAnchor.init) ?? .center
            parts.icon = PositionedIcon(image, anchor: anchor, offset: offset)
            if image.isSDF { layout.result.hasSDFIcons = true }
            if image.pixelRatio != layout.frame.view.camera.pixelRatio || layer[.iconRotate].constant != .number(0) {
                layout.result.iconsNeedLinear = true
            }
        }
        guard parts.text != nil || parts.icon != nil else {
            if Self.mayBeSeen(feature, layout) { layout.frame.missing.add(missing) }
            return nil
        }
        let fit = layer[.iconTextFit].value(context).string.flatMap(PositionedIcon.TextFit.init) ?? .none
        if let plain = parts.icon, fit != .none {
            let padding = Self.fitPadding(layer[.iconTextFitPadding].value(context))
            let scale = textSize / GlyphImage.em
            func fitted(_ text: ShapedText?) -> PositionedIcon? {
                text.map { plain.fitted(to: $0, fit, padding: padding, offset: offset, fontScale: scale) }
            }
            if layout.settings.allowsVerticalPlacement { parts.verticalIcon = fitted(parts.text?.vertical) }
            parts.icon = fitted(parts.text?.horizontal.first?.shaped) ?? plain
        }
        let padding = max(layer[.textPadding].number(context), layout.iconPadding)
        let box = [parts.icon, parts.verticalIcon].compactMap { $0?.box }.map {
            max(abs($0.left), abs($0.right)) + max(abs($0.top), abs($0.bottom))
        }
        extent =
            padding * 2 + (parts.text?.reach(size: max(textSize, layout.textSize.drawn(context))) ?? 0)
            + (box.max() ?? 0) * max(parts.layoutIconSize, layout.iconSize.drawn(context))
        self.parts = parts
    }

    private static func mayBeSeen(_ feature: SymbolFeature, _ layout: SymbolLayout) -> Bool {
        feature.lines.joined().contains { vertex in
            layout.reach.contains(SymbolPosition(x: Double(vertex.x), y: Double(vertex.y)), extent: 0)
        }
    }

    private static func fitPadding(_ value: Value) -> Padding {
        if case .array(let sides) = value, let padding = Padding(sides.compactMap(\.number)) { return padding }
        return Padding(top: 0, right: 0, bottom: 0, left: 0)
    }

    mutating func place(_ layout: SymbolLayout) {
        switch layout.settings.placement {
        case .line: placeAlongLines(layout)
        case .lineCenter:
            for line in feature.lines where line.count > 1 {
                if let place = anchors(layout).center(line) { add(place, on: line, layout) }
            }
        case .point: placeAtPoints(layout)
        }
    }

    private mutating func placeAlongLines(_ layout: SymbolLayout) {
        let anchors = anchors(layout)
        for line in LineClipper.clip(feature.lines, extent: Double(FeatureLayer.extent)) {
            for place in anchors.spread(line) {
                if let text = parts.text?.horizontal.first?.shaped.text,
                    layout.isTooClose(text, place, distance: spacing(layout) / 2)
                {
                    continue
                }
                add(place, on: line, layout)
            }
        }
    }

    private mutating func placeAtPoints(_ layout: SymbolLayout) {
        switch feature.kind {
        case .point, .lineString:
            for vertex in feature.lines.lazy.compactMap(\.first) {
                add(SymbolPosition(x: Double(vertex.x), y: Double(vertex.y)), on: [], layout)
            }
        case .polygon:
            for polygon in PolygonRings.group(feature.lines) {
                // 16 units are one pixel.
                guard let place = PoleOfInaccessibility.find(polygon, precision: 16) else { continue }
                add(place, on: [], layout)
            }
        }
    }

    private func spacing(_ layout: SymbolLayout) -> Double {
        layout.result.tilePixelRatio * layout.layer[.symbolSpacing].number(layout.context)
    }

    private func anchors(_ layout: SymbolLayout) -> LineAnchors {
        let shaped = parts.text?.vertical ?? parts.text?.horizontal.first?.shaped
        let size = layout.textSize.reference(layout.context)
        return LineAnchors(
            spacing: spacing(layout),
            maxAngle: Trigonometry.radians(layout.layer[.textMaxAngle].number(layout.context)),
            shapedLength: max(shaped.map { $0.right - $0.left } ?? 0, parts.icon?.box.width ?? 0),
            hasText: shaped != nil,
            boxScale: layout.result.tilePixelRatio * size / GlyphImage.em, overscaling: layout.tile.overscaleFactor)
    }

    /// Skips places that belong to a neighbouring tile, which has the feature too.
    private mutating func add(_ place: SymbolPosition, on line: [TileVertex], _ layout: SymbolLayout) {
        let inside = 0..<Double(FeatureLayer.extent)
        guard inside.contains(place.x), inside.contains(place.y),
            layout.result.instances.count < SymbolLayout.instanceLimit,
            layout.reach.contains(place, extent: extent)
        else { return }
        if !missing.isEmpty { layout.result.missing[layout.result.instances.count] = missing }
        let template = self.template ?? SymbolTemplate(parts, layout)
        self.template = template
        template.add(to: &layout.result, feature, at: place, on: line)
    }
}

extension SymbolVector {
    init(_ value: Value, times factor: Double = 1) {
        let point = ScreenPoint(value).flatMap { $0.x.isFinite && $0.y.isFinite ? $0 : nil } ?? .zero
        self.init(x: point.x * factor, y: point.y * factor)
    }
}
