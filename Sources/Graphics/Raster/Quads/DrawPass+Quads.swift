import Bytes

extension DrawPass {
    mutating func paint(_ range: QuadRange, _ style: QuadStyle) throws(RasterError) {
        if case .distance(let ramp, let color) = style { distances.set(ramp, color) }
        var check = StopCheck(shouldStop)
        for quad in list.quadStore.quads[range.start..<range.end] {
            let spans = QuadSpans(quad, heightPx: canvas.heightPx)
            // As wide as high, or a glyph at least.
            try check.count(1024 + spans.rows.count * min(spans.rows.count, canvas.widthPx))
            guard !spans.rows.isEmpty, let mapping = QuadMapping(quad) else { continue }
            let place = QuadPlace(mapping: mapping, spans: spans)
            let texture = list.quadStore.textures[Int(quad.texture.index)]
            texture.texels.withUnsafeBytes { bytes in
                switch style {
                case .distance: distances.paint(DistanceTexels(texture, bytes), place, canvas)
                case .picture(let opacity, let isSmooth):
                    PictureTexels(texture, bytes).paint(place, canvas, opacity: UInt32(opacity), isSmooth: isSmooth)
                }
            }
        }
    }
}
