import Raster

// An icon is one quad, or, when it is fitted to a text and may stretch, one for each part that the stretches cut it
// into. Sides of parts have a place that follows the size, and an offset in pixels that does not.

struct IconQuads {
    /// A side of a part: pixels of the image before it that stretch, and those that do not.
    private struct Cut { var fixed, stretch: Double }

    private struct Axis {
        var ranges: [StyleImage.Stretch]
        var side: Double
        var stretchSize = 0.0
        var contentStretch = 0.0, contentFixed = 0.0
        var stretchOffset = 0.0, fixedOffset = 0.0
        /// CSS pixels.
        var start: Double, length: Double

        init(
            _ stretches: [StyleImage.Stretch], sidePx: Int, content: ClosedRange<Double>?, start: Double, end: Double
        ) {
            side = Double(sidePx)
            ranges = stretches.isEmpty ? [0...side] : stretches
            self.start = start
            length = end - start
            stretchSize = ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
            contentStretch = stretchSize
            contentFixed = side - stretchSize
            guard let content else { return }
            stretchOffset = stretch(within: 0...content.lowerBound)
            contentStretch = stretch(within: content)
            fixedOffset = content.lowerBound - stretchOffset
            contentFixed = content.upperBound - content.lowerBound - contentStretch
        }

        private func stretch(within part: ClosedRange<Double>) -> Double {
            ranges.reduce(0) { $0 + $1.clamped(to: part).upperBound - $1.clamped(to: part).lowerBound }
        }

        func place(_ cut: Cut) -> Double {
            contentStretch == 0 ? start : (cut.stretch - stretchOffset) / contentStretch * length + start
        }

        func offset(_ cut: Cut) -> Double { cut.fixed - fixedOffset - contentFixed * cut.stretch / stretchSize }

        /// With a border of one pixel around all.
        var cuts: [Cut] {
            var cuts = [Cut(fixed: -1, stretch: 0)]
            var before = 0.0
            for range in ranges {
                let fixed = range.lowerBound - before
                cuts.append(Cut(fixed: fixed, stretch: before))
                before += range.upperBound - range.lowerBound
                cuts.append(Cut(fixed: fixed, stretch: before))
            }
            cuts.append(Cut(fixed: side - stretchSize + 1, stretch: stretchSize))
            return cuts
        }

        var ends: [Cut] { [Cut(fixed: 0, stretch: -1), Cut(fixed: 0, stretch: side + 1)] }
    }

    /// `rotation`: degrees, about the anchor. `texture`: the texture's index.
    static func make(_ icon: PositionedIcon, rotation: Double, isFitted: Bool, texture: Int32) -> [SymbolQuad] {
        let image = icon.image
        let content = isFitted ? image.content : nil
        let box = content == nil ? icon.box : icon.proportionedBox
        let isCut = isFitted && !(image.stretchX.isEmpty && image.stretchY.isEmpty)
        let horizontal = Axis(
            image.stretchX, sidePx: image.texture.widthPx, content: content.map { $0.left...$0.right },
            start: box.left, end: box.right)
        let vertical = Axis(
            image.stretchY, sidePx: image.texture.heightPx, content: content.map { $0.top...$0.bottom },
            start: box.top, end: box.bottom)
        let columns = isCut ? horizontal.cuts : horizontal.ends
        let rows = isCut ? vertical.cuts : vertical.ends
        let (sine, cosine) = Trigonometry.sineAndCosine(Trigonometry.radians(rotation))
        var quads: [SymbolQuad] = []
        for (left, right) in zip(columns, columns.dropFirst()) {
            for (top, bottom) in zip(rows, rows.dropFirst()) {
                func corner(_ column: Cut, _ row: Cut) -> SymbolVector {
                    let (x, y) = (horizontal.place(column), vertical.place(row))
                    return SymbolVector(x: x * cosine - y * sine, y: x * sine + y * cosine).packed
                }
                var quad = SymbolQuad(
                    topLeft: corner(left, top), topRight: corner(right, top), bottomLeft: corner(left, bottom),
                    bottomRight: corner(right, bottom), texture: texture, u0: left.fixed + left.stretch,
                    v0: top.fixed + top.stretch, u1: right.fixed + right.stretch, v1: bottom.fixed + bottom.stretch,
                    isSDF: image.isSDF)
                quad.pixelOffsetTopLeft = offset(horizontal.offset(left), vertical.offset(top), image)
                quad.pixelOffsetBottomRight = offset(horizontal.offset(right), vertical.offset(bottom), image)
                quad.minFontScaleX = scale(horizontal, image)
                quad.minFontScaleY = scale(vertical, image)
                quads.append(quad)
            }
        }
        return quads
    }

    // The reference keeps these in 16ths and 256ths.
    private static func offset(_ x: Double, _ y: Double, _ image: StyleImage) -> SymbolVector {
        SymbolVector(
            x: (x / image.pixelRatio * 16).rounded(.towardZero) / 16,
            y: (y / image.pixelRatio * 16).rounded(.towardZero) / 16)
    }

    private static func scale(_ axis: Axis, _ image: StyleImage) -> Double {
        guard axis.length != 0 else { return 0 }
        return (axis.contentFixed / image.pixelRatio / axis.length * 256).rounded(.towardZero) / 256
    }
}

extension SymbolVector {
    /// Rounded to 32nds, as corners of quads are kept by the reference.
    var packed: SymbolVector {
        SymbolVector(x: (x * 32 + 0.5).rounded(.down) / 32, y: (y * 32 + 0.5).rounded(.down) / 32)
    }
}
