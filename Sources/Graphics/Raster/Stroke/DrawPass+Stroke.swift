extension DrawPass {
    /// Strokes lines as one shape. An outline that is not too long is made once for all bands of rows; a longer one
    /// again for each band, as far as it shows there, and is nowhere held whole.
    mutating func stroke(_ lines: PathParts, _ style: StrokeStyle, _ painter: some RunPainter) throws(RasterError) {
        let heightPx = canvas.heightPx
        var bandRows = 0..<min(band.rowLimit, heightPx)
        var rows = 0..<heightPx
        while !bandRows.isEmpty {
            band.begin(top: bandRows.lowerBound, rowCount: bandRows.count)
            let isInBand = try stroker.outline(lines, style: style, rows: rows, into: &band, shouldStop: shouldStop)
            guard isInBand || bandRows.lowerBound > 0 else {
                try fill(stroker.outline, .area(.nonZero, .exact), painter)
                return
            }
            if !isInBand { band.addRings(stroker.outlinePoints, stroker.outlineParts) }
            band.sweep(into: canvas, rule: .nonZero, weight: .exact, painter: painter)
            bandRows = bandRows.upperBound..<min(bandRows.upperBound + band.rowLimit, heightPx)
            rows = bandRows
        }
    }
}
