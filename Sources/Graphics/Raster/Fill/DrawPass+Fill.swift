import Bytes

package enum FillRule: Sendable { case nonZero, evenOdd }

/// Which pixels belong to a shape.
enum Coverage {
    /// By the share of their area within it.
    case area(FillRule, EdgeWeight)
    /// By their centres, as often as rings go around these.
    case centres
    case hairlines
}

extension DrawPass {
    mutating func fill(_ parts: PathParts, _ coverage: Coverage, _ paint: Paint) throws(RasterError) {
        switch paint {
        case .color(let color): try fill(parts, coverage, PixelBlender(color))
        case .gradient(let gradient): try fill(parts, coverage, GradientPainter(gradient))
        case .pattern(let pattern):
            try pattern.texture.texels.withUnsafeBytes { texels throws(RasterError) in
                try fill(parts, coverage, PatternPainter(pattern, texels: texels))
            }
        }
    }

    mutating func paint(_ face: Face, _ parts: PathParts, _ depths: DepthBuffer) throws(RasterError) {
        guard let picture = face.picture else {
            try fill(parts, .centres, FacePainter(face, nil, depths, widthPx: canvas.widthPx))
            return
        }
        let pattern = PatternPaint(texture: picture.texture, mapping: .identity)
        try picture.texture.texels.withUnsafeBytes { texels throws(RasterError) in
            let sampler = PatternPainter(pattern, texels: texels)
            try fill(parts, .centres, FacePainter(face, sampler, depths, widthPx: canvas.widthPx))
        }
    }

    mutating func fill(_ parts: PathParts, _ coverage: Coverage, _ painter: some RunPainter) throws(RasterError) {
        if case .hairlines = coverage {
            try outline(parts, painter)
            return
        }
        let rows = rows(of: parts)
        var top = rows.lowerBound
        while top < rows.upperBound {
            if top > rows.lowerBound, shouldStop() { throw .cancelled }
            let rowCount = min(band.rowLimit, rows.upperBound - top)
            band.begin(top: top, rowCount: rowCount)
            try addEdges(parts, coverage)
            switch coverage {
            case .area(let rule, let weight): band.sweep(into: canvas, rule: rule, weight: weight, painter: painter)
            case .centres, .hairlines: band.sweepCentres(into: canvas, painter: painter)
            }
            top += rowCount
        }
    }

    /// Rows of the canvas that the shape may touch; all of them if one band holds these.
    private func rows(of parts: PathParts) -> Range<Int> {
        guard band.rowLimit < canvas.heightPx, let end = parts.parts.last?.end, parts.start < end else {
            return 0..<canvas.heightPx
        }
        var (top, bottom) = (Int32.max, Int32.min)
        for point in parts.points[parts.start..<end] { (top, bottom) = (min(top, point.y), max(bottom, point.y)) }
        let first = min(max(0, Int(top) >> 8), canvas.heightPx)
        return first..<max(first, min(Int(bottom) >> 8 + 1, canvas.heightPx))
    }

    private mutating func addEdges(_ parts: PathParts, _ coverage: Coverage) throws(RasterError) {
        try parts.points.withUnsafeBufferPointer { buffer throws(RasterError) in
            var start = parts.start
            var pointsAtQuestion = start
            for part in parts.parts {
                if part.end - start < 3 { start = part.end }
                var previous = start < part.end ? buffer[part.end - 1] : FixedPoint(x: 0, y: 0)
                while start < part.end {
                    if start - pointsAtQuestion >= Rasteriser.pointsPerQuestion {
                        pointsAtQuestion = start
                        if shouldStop() { throw .cancelled }
                    }
                    let end = min(part.end, start + Rasteriser.pointsPerQuestion)
                    let run = UnsafeBufferPointer(rebasing: buffer[start..<end])
                    if case .centres = coverage {
                        band.addRunAtCentres(run, after: previous)
                    } else {
                        band.addRun(run, after: previous)
                    }
                    previous = buffer[end - 1]
                    start = end
                }
            }
        }
    }

    private func outline(_ parts: PathParts, _ painter: some RunPainter) throws(RasterError) {
        try parts.points.withUnsafeBufferPointer { buffer throws(RasterError) in
            var start = parts.start
            var pointsAtQuestion = start
            for part in parts.parts {
                if start - pointsAtQuestion >= Rasteriser.pointsPerQuestion {
                    pointsAtQuestion = start
                    if shouldStop() { throw .cancelled }
                }
                Hairlines.draw(UnsafeBufferPointer(rebasing: buffer[start..<part.end]), on: canvas, painter)
                start = part.end
            }
        }
    }
}
