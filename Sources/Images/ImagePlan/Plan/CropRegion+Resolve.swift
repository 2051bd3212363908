import Parameters

extension CropRegion {
    /// The region in whole pixels of `picture`, a part of the displayed image, clipped to it and relative to it.
    func resolved(in picture: PixelRect, by placement: Placement) throws(PlanInterruption) -> PixelRect? {
        let size = picture.size
        switch self {
        case .pixels(let rect): return rect.clipped(to: size)
        case .fractions(let x, let y, let width, let height):
            guard let columns = Self.part(x, width, of: size.widthPx),
                let rows = Self.part(y, height, of: size.heightPx)
            else { return nil }
            return PixelRect(x: columns.lowerBound, y: rows.lowerBound, widthPx: columns.count, heightPx: rows.count)
        case .size(let asked, let gravity):
            let inner = PixelSize(
                widthPx: min(asked.widthPx, size.widthPx), heightPx: min(asked.heightPx, size.heightPx))
            return try placement.place(inner, in: size, of: picture, by: gravity)
        case .ratio(let width, let height, let gravity):
            return try placement.place(Self.largest(width, height, in: size), in: size, of: picture, by: gravity)
        }
    }

    /// Both edges are rounded to the nearest pixel, so that adjacent regions neither overlap nor leave a gap.
    private static func part(_ start: PlainDecimal, _ count: PlainDecimal, of side: Int) -> Range<Int>? {
        guard start < 1, let low = start.multiplied(by: side) else { return nil }
        let end = PlainDecimal(billionths: start.billionths + count.billionths)
        let high = min(end.multiplied(by: side) ?? side, side)
        let first = min(low, side - 1)
        return first..<max(first + 1, high)
    }

    /// The largest size of the ratio `width` : `height` inside `size`; the shorter side is rounded half up.
    private static func largest(_ width: PlainDecimal, _ height: PlainDecimal, in size: PixelSize) -> PixelSize {
        let (ratioWidth, ratioHeight) = (Int128(width.billionths), Int128(height.billionths))
        let (fullWidth, fullHeight) = (Int128(size.widthPx), Int128(size.heightPx))
        if fullWidth * ratioHeight > fullHeight * ratioWidth {
            let columns = (2 * fullHeight * ratioWidth + ratioHeight) / (2 * ratioHeight)
            return PixelSize(widthPx: min(size.widthPx, max(1, Int(columns))), heightPx: size.heightPx)
        }
        let rows = (2 * fullWidth * ratioHeight + ratioWidth) / (2 * ratioWidth)
        return PixelSize(widthPx: size.widthPx, heightPx: min(size.heightPx, max(1, Int(rows))))
    }
}
