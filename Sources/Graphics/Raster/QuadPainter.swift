import Bytes

/// Paints quadrilaterals of textures; keeps the buffers of rows.
struct QuadPainter {
    private var distances = DistanceRow()

    /// Paints a range of quadrilaterals, each over the one before.
    mutating func paint(
        _ store: QuadStore, _ range: QuadRange, _ style: QuadStyle, _ canvas: borrowing Canvas,
        _ shouldStop: () -> Bool
    ) throws(RasterError) {
        if case .distance(let ramp, let color) = style { distances.set(ramp, color) }
        var painted = 0
        for index in range.start..<range.end {
            let quad = store.quads[index]
            let spans = QuadSpans(quad, heightPx: canvas.heightPx)
            // As wide as high, or a glyph at least.
            painted += 1024 + spans.rows.count * min(spans.rows.count, canvas.widthPx)
            if painted > Rasteriser.pixelsPerQuestion {
                painted = 0
                if shouldStop() { throw .cancelled }
            }
            guard !spans.rows.isEmpty, let mapping = QuadMapping(quad) else { continue }
            let texture = store.textures[Int(quad.texture.index)]
            texture.texels.withUnsafeBytes { bytes in
                switch style {
                case .distance:
                    distances.paint(DistanceTexels(texture, bytes), mapping, spans, canvas)
                case .picture(let opacity, let isSmooth):
                    let texels = PictureTexels(texture, bytes)
                    texels.paint(mapping, spans, canvas, opacity: UInt32(opacity), isSmooth: isSmooth)
                }
            }
        }
    }
}

/// The columns of a row that both a quadrilateral and the clip have.
extension Canvas {
    @inline(__always)
    borrowing func columns(_ spans: QuadSpans, row: Int) -> Range<Int> {
        let span = spans.columns(row: row)
        let clipped = self.row(row)
        let start = max(span.lowerBound, clipped.start)
        return start..<max(start, min(span.upperBound, clipped.end))
    }
}
