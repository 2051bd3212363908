import Raster

struct GlyphQuads {
    struct Style {
        /// 1/24 em, for texts that do not follow lines.
        var offset: SymbolVector
        var rotation: Double
        var followsLine: Bool
        var allowsVerticalPlacement: Bool
    }

    let text: ShapedText
    let style: Style
    let images: ImageSet

    private struct Part {
        var texture: Texture
        /// Texels per unit of the metrics.
        var resolution: Double
        /// What the quad has around the measured glyph, in units of the metrics.
        var border: Double
        var isSDF, isImage: Bool
    }

    /// In the order of glyphs; `index` numbers textures, `color` the colors of sections.
    func make(index: (Texture) -> Int32, color: (Int) -> Int32) -> [SymbolQuad] {
        var quads: [SymbolQuad] = []
        quads.reserveCapacity(text.lines.reduce(0) { $0 + $1.glyphs.count })
        let turn = Trigonometry.sineAndCosine(Trigonometry.radians(style.rotation))
        for line in text.lines {
            for glyph in line.glyphs {
                guard let part = part(glyph) else { continue }
                var quad = quad(glyph, part, lineOffset: line.lineOffset, index(part.texture))
                quad.sectionColor = color(glyph.sectionIndex)
                if style.rotation != 0 { quad.turn(sine: turn.sine, cosine: turn.cosine) }
                let across = style.followsLine ? glyph.y : 0
                quad.mapCorners { SymbolVector(x: $0.x, y: $0.y + across).packed }
                quads.append(quad)
            }
        }
        return quads
    }

    private func part(_ glyph: PositionedGlyph) -> Part? {
        if let name = glyph.imageName {
            guard let image = images[name] else { return nil }
            return Part(
                texture: image.texture, resolution: image.pixelRatio, border: 1 / image.pixelRatio,
                isSDF: image.isSDF, isImage: true)
        }
        guard let drawn = glyph.glyph, let texture = drawn.texture else { return nil }
        let resolution = drawn.isDoubleResolution ? 2.0 : 1
        let border = (Double(texture.widthPx) / resolution - drawn.metrics.width) / 2 + 1 / resolution
        return Part(texture: texture, resolution: resolution, border: border, isSDF: true, isImage: false)
    }

    private func quad(_ glyph: PositionedGlyph, _ part: Part, lineOffset: Double, _ texture: Int32) -> SymbolQuad {
        let metrics = glyph.metrics
        let halfAdvance = metrics.advance * glyph.scale / 2
        var builtIn = SymbolVector.zero
        if !style.followsLine {
            builtIn = SymbolVector(
                x: glyph.x + halfAdvance + style.offset.x,
                y: glyph.y + style.offset.y - verticalShift(glyph, part, lineOffset))
        }
        let isTurned = glyph.isVertical && (style.followsLine || style.allowsVerticalPlacement)
        let shift = isTurned ? SymbolVector.zero : builtIn
        let left = (metrics.left - part.border) * glyph.scale - halfAdvance + shift.x
        let top = (-metrics.top - part.border) * glyph.scale + shift.y
        let (width, height) = (Double(part.texture.widthPx), Double(part.texture.heightPx))
        let right = left + (width + 2) / part.resolution * glyph.scale
        let bottom = top + (height + 2) / part.resolution * glyph.scale
        var quad = SymbolQuad(
            topLeft: SymbolVector(x: left, y: top), topRight: SymbolVector(x: right, y: top),
            bottomLeft: SymbolVector(x: left, y: bottom), bottomRight: SymbolVector(x: right, y: bottom),
            texture: texture, u0: -1, v0: -1, u1: width + 1, v1: height + 1, isSDF: part.isSDF)
        if isTurned { turnUpright(&quad, halfAdvance: halfAdvance, isImage: part.isImage, to: builtIn) }
        if style.followsLine { quad.glyphOffset = glyph.x + halfAdvance }
        return quad
    }

    private func verticalShift(_ glyph: PositionedGlyph, _ part: Part, _ lineOffset: Double) -> Double {
        guard style.allowsVerticalPlacement, text.isVerticalizable else { return 0 }
        if part.isImage { return lineOffset / 2 + (GlyphImage.em - glyph.metrics.width * glyph.scale) / 2 }
        return lineOffset / 2 - (glyph.scale - 1) * GlyphImage.em
    }

    /// Turns a glyph of a vertical line a quarter back, about the middle of its em's left side, and centres it.
    private func turnUpright(_ quad: inout SymbolQuad, halfAdvance: Double, isImage: Bool, to place: SymbolVector) {
        let center = SymbolVector(x: -halfAdvance, y: halfAdvance - TextShaper.baselineOffset)
        let narrowness = GlyphImage.em / 2 - halfAdvance
        let correction = SymbolVector(
            x: 5 - TextShaper.baselineOffset - narrowness + place.x, y: (isImage ? -narrowness : 0) + place.y)
        quad.mapCorners { corner in
            SymbolVector(
                x: center.x + (corner.y - center.y) + correction.x, y: center.y - (corner.x - center.x) + correction.y)
        }
    }
}

extension SymbolQuad {
    mutating func mapCorners(_ move: (SymbolVector) -> SymbolVector) {
        topLeft = move(topLeft)
        topRight = move(topRight)
        bottomLeft = move(bottomLeft)
        bottomRight = move(bottomRight)
    }

    mutating func turn(sine: Double, cosine: Double) {
        mapCorners { SymbolVector(x: $0.x * cosine - $0.y * sine, y: $0.x * sine + $0.y * cosine) }
    }
}
