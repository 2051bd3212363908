import MapStyle

struct SymbolParts: Sendable {
    let featureIndex: Int
    let sortKey: Double
    var text: FeatureText?
    var icon: PositionedIcon?
    var verticalIcon: PositionedIcon?
    var iconOffset = SymbolVector.zero
    var layoutTextSize: Double
    var layoutIconSize: Double

    var isEmpty: Bool { text == nil && icon == nil }
}

/// What all instances of a feature share: placed symbols and boxes, copied to each place.
struct SymbolTemplate {
    /// Its texts are numbered from the first of ``texts``.
    private var instance: SymbolInstance
    private var texts: [PlacedSymbol] = []
    private var icons: [PlacedSymbol] = []

    init(_ parts: SymbolParts, _ layout: SymbolLayout) {
        let ratio = layout.result.tilePixelRatio
        instance = SymbolInstance(
            anchor: SymbolPosition(x: 0, y: 0), key: layout.key(of: parts.text?.horizontal.first?.shaped.text ?? ""),
            featureIndex: Int32(parts.featureIndex), sortKey: parts.sortKey,
            textBoxScale: ratio * parts.layoutTextSize / GlyphImage.em,
            anchorOffsets: 0..<0)
        if let text = parts.text {
            let first = Int32(layout.result.anchorOffsets.count)
            layout.result.anchorOffsets.append(contentsOf: text.anchorOffsets)
            instance.anchorOffsets = first..<Int32(layout.result.anchorOffsets.count)
            add(text, layout, hasIcon: parts.icon != nil, hasVerticalIcon: parts.verticalIcon != nil)
        }
        if let icon = parts.icon { add(icon, parts.verticalIcon, layout, offset: parts.iconOffset) }
        measure(parts, layout)
    }

    private mutating func add(_ text: FeatureText, _ layout: SymbolLayout, hasIcon: Bool, hasVerticalIcon: Bool) {
        let (layer, context) = (layout.layer, layout.context)
        let style = GlyphQuads.Style(
            offset: text.offset, rotation: layer[.textRotate].number(context), followsLine: layout.settings.followsLine,
            allowsVerticalPlacement: layout.settings.allowsVerticalPlacement)
        let paint = layout.paint(.text)
        let size = layout.textSize.drawn(context)
        func symbol(_ shaped: ShapedText, _ orientation: SymbolOrientation, icon: Int32) -> PlacedSymbol {
            let quads = GlyphQuads(text: shaped, style: style, images: layout.frame.images).make(
                index: layout.index(of:),
                color: { section in
                    let colors = shaped.sectionColors
                    return (colors.indices.contains(section) ? colors[section] : nil).map(layout.index(of:)) ?? -1
                })
            return PlacedSymbol(
                anchor: instance.anchor, quads: layout.add(quads), line: 0..<0, size: size, lineOffset: text.offset,
                orientation: orientation, associatedIcon: icon, paint: paint)
        }
        for justified in text.horizontal {
            let index = Int32(texts.count)
            let isOneLine = justified.shaped.lines.count == 1
            for justify in isOneLine ? text.justifications : [justified.justify] {
                switch justify {
                case .left: instance.leftJustifiedText = index
                case .center: instance.centerJustifiedText = index
                case .right: instance.rightJustifiedText = index
                }
            }
            let orientation: SymbolOrientation = text.vertical == nil ? .horizontalOnly : .horizontal
            texts.append(symbol(justified.shaped, orientation, icon: hasIcon ? 0 : -1))
            if isOneLine { break }
        }
        if let shaped = text.vertical {
            instance.verticalText = Int32(texts.count)
            texts.append(symbol(shaped, .vertical, icon: hasVerticalIcon ? 1 : -1))
        }
    }

    private mutating func add(
        _ icon: PositionedIcon, _ verticalIcon: PositionedIcon?, _ layout: SymbolLayout, offset: SymbolVector
    ) {
        let (layer, context) = (layout.layer, layout.context)
        let rotation = layer[.iconRotate].number(context)
        let paint = layout.paint(.icon)
        let size = layout.iconSize.drawn(context)
        func symbol(_ icon: PositionedIcon, _ orientation: SymbolOrientation) -> PlacedSymbol {
            let quads = IconQuads.make(
                icon, rotation: rotation, isFitted: layout.settings.fitsIconsToText,
                texture: layout.index(of: icon.image.texture))
            return PlacedSymbol(
                anchor: instance.anchor, quads: layout.add(quads), line: 0..<0, size: size, lineOffset: offset,
                orientation: orientation, associatedIcon: -1, paint: paint)
        }
        icons.append(symbol(icon, .none))
        if let verticalIcon { icons.append(symbol(verticalIcon, .vertical)) }
    }

    private mutating func measure(_ parts: SymbolParts, _ layout: SymbolLayout) {
        let (layer, context) = (layout.layer, layout.context)
        let ratio = layout.result.tilePixelRatio
        let iconScale = ratio * parts.layoutIconSize
        let unitParts = layout.tile.overscaleFactor
        let rotation = layer[.textRotate].number(context)
        let around = layer[.textPadding].number(context) * ratio
        let textPadding = Padding(top: around, right: around, bottom: around, left: around)
        var iconPadding = Padding(top: 0, right: 0, bottom: 0, left: 0)
        if case .padding(let padding) = layer[.iconPadding].value(context) {
            iconPadding = Padding(
                top: padding.top * ratio, right: padding.right * ratio, bottom: padding.bottom * ratio,
                left: padding.left * ratio)
        }
        func textBox(_ shaped: ShapedText, rotation: Double) -> Box {
            Box(shaped.box, scale: instance.textBoxScale, padding: textPadding, rotation: rotation, parts: unitParts)
        }
        func iconBox(_ icon: PositionedIcon, rotation: Double) -> Box {
            Box(icon, scale: iconScale, padding: iconPadding, rotation: rotation, parts: unitParts)
        }
        if let shaped = parts.text?.horizontal.first?.shaped {
            if !layout.settings.followsLine {
                instance.textBox = textBox(shaped, rotation: rotation)
            } else if shaped.box.height > 0 {
                // Texts along lines cover circles, never very small ones, as many would be needed.
                instance.usesCollisionCircles = true
                instance.collisionCircleDiameter = max(10, shaped.box.height) * parts.layoutTextSize / GlyphImage.em
            }
        }
        if let shaped = parts.text?.vertical, layout.settings.allowsVerticalPlacement {
            instance.verticalTextBox = textBox(shaped, rotation: rotation + 90)
        }
        instance.iconBox = parts.icon.map { iconBox($0, rotation: layer[.iconRotate].number(context)) }
        instance.verticalIconBox = parts.verticalIcon.map { iconBox($0, rotation: rotation + 90) }
    }

    func add(to tile: inout SymbolTile, at place: SymbolPosition, on line: [TileVertex]) {
        let first = Int32(tile.lineVertices.count)
        // Instances on the same line come one after the other and share it.
        var range = first..<(first + Int32(line.count))
        if let last = tile.symbols.last?.line, last.count == line.count,
            tile.lineVertices[Int(last.lowerBound)..<Int(last.upperBound)].elementsEqual(line)
        {
            range = last
        } else {
            tile.lineVertices.append(contentsOf: line)
        }
        let iconBase = Int32(tile.symbols.count)
        var copy = instance
        copy.anchor = place
        for var icon in icons {
            icon.anchor = place
            icon.line = range
            tile.symbols.append(icon)
        }
        let textBase = Int32(tile.symbols.count)
        for var text in texts {
            text.anchor = place
            text.line = range
            if text.associatedIcon >= 0 { text.associatedIcon += iconBase }
            tile.symbols.append(text)
        }
        copy.icon = icons.isEmpty ? -1 : iconBase
        copy.verticalIcon = icons.count > 1 ? iconBase + 1 : -1
        func index(_ text: Int32) -> Int32 { text < 0 ? -1 : textBase + text }
        copy.leftJustifiedText = index(copy.leftJustifiedText)
        copy.centerJustifiedText = index(copy.centerJustifiedText)
        copy.rightJustifiedText = index(copy.rightJustifiedText)
        copy.verticalText = index(copy.verticalText)
        tile.instances.append(copy)
    }
}
