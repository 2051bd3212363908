import MapStyle

/// Where a feature's symbol stands: on one line, or at points.
struct SymbolPlaces: Sendable {
    /// Empty for points.
    let line: [TileVertex]
    let positions: [SymbolPosition]

    private init(_ positions: [SymbolPosition], on line: [TileVertex] = []) {
        (self.positions, self.line) = (positions, line)
    }

    var byteCount: Int {
        96 + line.count * MemoryLayout<TileVertex>.stride + positions.count * MemoryLayout<SymbolPosition>.stride
    }

    /// Calls `body` with the places of each line, or with all points. Without those that belong to a neighbouring tile, which
    /// has the feature too; where there is nothing to show, with all that the feature has. The layout's context is at the feature.
    static func forEach(
        of feature: SymbolFeature, _ parts: SymbolParts, _ layout: SymbolLayout, _ body: (SymbolPlaces) -> Void
    ) {
        if parts.isEmpty {
            body(SymbolPlaces(feature.lines.joined().map(position)))
            return
        }
        let inside = 0..<Double(FeatureLayer.extent)
        func add(_ positions: [SymbolPosition], on line: [TileVertex] = []) {
            let own = positions.filter { inside.contains($0.x) && inside.contains($0.y) }
            if !own.isEmpty { body(SymbolPlaces(own, on: line)) }
        }
        switch layout.settings.placement {
        case .line:
            let anchors = anchors(parts, layout)
            let text = parts.text?.horizontal.first?.shaped.text
            for line in LineClipper.clip(feature.lines, extent: Double(FeatureLayer.extent)) {
                let places = anchors.spread(line).filter { place in
                    text.map { !layout.isTooClose($0, place, distance: anchors.spacing / 2) } ?? true
                }
                add(places, on: line)
            }
        case .lineCenter:
            let anchors = anchors(parts, layout)
            for line in feature.lines where line.count > 1 {
                if let place = anchors.center(line) { add([place], on: line) }
            }
        case .point: add(points(of: feature))
        }
    }

    private static func points(of feature: SymbolFeature) -> [SymbolPosition] {
        switch feature.kind {
        case .point, .lineString: feature.lines.compactMap(\.first).map(position)
        // 16 units are one pixel.
        case .polygon: PolygonRings.group(feature.lines).compactMap { PoleOfInaccessibility.find($0, precision: 16) }
        }
    }

    private static func position(_ vertex: TileVertex) -> SymbolPosition {
        SymbolPosition(x: Double(vertex.x), y: Double(vertex.y))
    }

    private static func anchors(_ parts: SymbolParts, _ layout: SymbolLayout) -> LineAnchors {
        let (layer, context) = (layout.layer, layout.context)
        let ratio = layout.result.tilePixelRatio
        let shaped = parts.text?.vertical ?? parts.text?.horizontal.first?.shaped
        return LineAnchors(
            spacing: ratio * layer[.symbolSpacing].number(context),
            maxAngle: Trigonometry.radians(layer[.textMaxAngle].number(context)),
            shapedLength: max(shaped.map { $0.right - $0.left } ?? 0, parts.icon?.box.width ?? 0),
            hasText: shaped != nil, boxScale: ratio * layout.textSize.reference(context) / GlyphImage.em,
            overscaling: layout.tile.overscaleFactor)
    }
}
