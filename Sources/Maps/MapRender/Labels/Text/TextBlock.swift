import MapStyle

struct TextBlock {
    private let sections: [TaggedText.Section]
    private let images: ImageSet
    private let layout: TextLayout
    private let imageScale: Double

    private var lines: [ShapedText.Line] = []
    private var y = 0.0
    private var maxLineLength = 0.0
    private var maxLineHeight = 0.0
    private var hasIcons = false
    private var isVerticalizable = false

    private struct LineSize {
        var maxScale = 0.0
        /// Across a horizontal line, and across a vertical one.
        var height = 0.0, width = 0.0
    }

    init(sections: [TaggedText.Section], images: ImageSet, layout: TextLayout) {
        (self.sections, self.images, self.layout) = (sections, images, layout)
        imageScale = GlyphImage.em / max(0.01, layout.textSizeThisZoom)
    }

    mutating func add(_ glyphs: [LineGlyph]) {
        let start = glyphs.firstIndex { !Script.isWhitespace($0.character) } ?? glyphs.count
        let end = glyphs.lastIndex { !Script.isWhitespace($0.character) }.map { $0 + 1 } ?? start
        guard start < end else {
            lines.append(ShapedText.Line(glyphs: [], lineOffset: 0))
            y += layout.lineHeight
            return
        }
        let trimmed = glyphs[start..<end]
        let size = size(of: trimmed)
        var line = ShapedText.Line(glyphs: [], lineOffset: 0)
        line.glyphs.reserveCapacity(trimmed.count)
        var x = 0.0
        var lineEnd = 0.0
        var imageOffset = 0.0
        for item in trimmed {
            let isVertical = isVertical(item.character)
            let placed: PositionedGlyph
            if let name = sections[item.sectionIndex].imageName {
                hasIcons = true
                guard let image = images[name] else { continue }
                placed = self.image(image, named: name, item, in: size, isVertical: isVertical)
                let across = isVertical ? image.width : image.height
                imageOffset = max(imageOffset, across * imageScale - GlyphImage.em * size.maxScale)
            } else {
                guard let glyph = item.glyph else { continue }
                placed = text(glyph, item, in: size, isVertical: isVertical)
            }
            isVerticalizable = isVerticalizable || isVertical
            line.glyphs.append(placed)
            line.glyphs[line.glyphs.count - 1].x += x
            lineEnd = x + placed.metrics.advance * placed.scale
            let advance = isVertical && placed.imageName == nil ? GlyphImage.em : placed.metrics.advance
            x += advance * placed.scale + (item.takesSpacing ? layout.spacing : 0)
        }
        if !line.glyphs.isEmpty {
            maxLineLength = max(maxLineLength, x - layout.spacing)
            let indent = lineEnd * layout.justify.factor
            for index in line.glyphs.indices { line.glyphs[index].x -= indent }
        }
        line.lineOffset = max(imageOffset, (size.maxScale - 1) * GlyphImage.em)
        let height = layout.lineHeight * size.maxScale + imageOffset
        y += height
        maxLineHeight = max(maxLineHeight, height)
        lines.append(line)
    }

    consuming func finish(text: String) -> ShapedText? {
        guard lines.contains(where: { !$0.glyphs.isEmpty }) else { return nil }
        let alignment = layout.anchor.alignment
        let shiftX = (layout.justify.factor - alignment.horizontal) * maxLineLength
        let shiftY =
            maxLineHeight == layout.lineHeight
            ? (0.5 - alignment.vertical * Double(lines.count)) * layout.lineHeight
            : -y * alignment.vertical - TextShaper.baselineOffset
        for line in lines.indices {
            for glyph in lines[line].glyphs.indices {
                lines[line].glyphs[glyph].x += shiftX
                lines[line].glyphs[glyph].y += shiftY
            }
        }
        let top = layout.offsetY - alignment.vertical * y
        let left = layout.offsetX - alignment.horizontal * maxLineLength
        return ShapedText(
            lines: lines, top: top, bottom: top + y, left: left, right: left + maxLineLength,
            writingMode: layout.writingMode, text: text, sectionColors: sections.map(\.color), hasIcons: hasIcons,
            isVerticalizable: isVerticalizable)
    }

    private func size(of line: ArraySlice<LineGlyph>) -> LineSize {
        var size = LineSize()
        var (width, height) = (0.0, 0.0)
        for item in line {
            size.maxScale = max(size.maxScale, sections[item.sectionIndex].scale)
            if let name = sections[item.sectionIndex].imageName, let image = images[name] {
                width = max(width, image.width)
                height = max(height, image.height)
            }
        }
        size.height = max(size.maxScale * GlyphImage.em, height * imageScale)
        size.width = max(size.maxScale * GlyphImage.em, width * imageScale)
        return size
    }

    private func isVertical(_ character: UInt32) -> Bool {
        guard layout.writingMode == .vertical else { return false }
        if layout.allowsVerticalPlacement { return !Script.isWhitespace(character) && !Script.isArabic(character) }
        return Script.isUpright(character)
    }

    private func text(_ glyph: GlyphImage, _ item: LineGlyph, in size: LineSize, isVertical: Bool) -> PositionedGlyph {
        let scale = sections[item.sectionIndex].scale
        let extent = scale * GlyphImage.em
        let offset = isVertical ? size.width - extent : (size.height - extent) * share(above: item.sectionIndex)
        var metrics = glyph.metrics
        metrics.advance = item.advance ?? metrics.advance
        return PositionedGlyph(
            glyph: glyph, imageName: nil, x: item.offsetX * scale,
            y: y + TextShaper.baselineOffset + offset + item.offsetY * scale, scale: scale,
            isVertical: isVertical, sectionIndex: item.sectionIndex, metrics: metrics)
    }

    private func image(
        _ image: StyleImage, named name: String, _ item: LineGlyph, in size: LineSize, isVertical: Bool
    ) -> PositionedGlyph {
        let extent = image.height * imageScale
        let offset = isVertical ? size.width - extent : (size.height - extent) * share(above: item.sectionIndex)
        // Quads are cut with the border of a glyph; an image has one pixel of its own.
        let metrics = GlyphMetrics(
            width: image.width, height: image.height, left: 1, top: -Double(GlyphImage.border),
            advance: isVertical ? image.height : image.width)
        return PositionedGlyph(
            glyph: nil, imageName: name, x: 0, y: y + TextShaper.baselineOffset + offset, scale: imageScale,
            isVertical: isVertical, sectionIndex: item.sectionIndex, metrics: metrics)
    }

    private func share(above section: Int) -> Double {
        switch sections[section].verticalAlign {
        case .top: 0
        case .center: 0.5
        case .bottom: 1
        }
    }
}
