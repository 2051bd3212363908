import Bytes

extension Rasteriser {
    /// Which pixels belong to a shape.
    enum Coverage {
        /// By the share of their area within it.
        case area(FillRule, EdgeWeight)
        /// By their centres, as often as rings go around these.
        case centres
    }

    /// Fills parts of a list.
    func fill(
        _ list: DisplayList, _ range: PartRange, _ coverage: Coverage, _ paint: Paint, _ band: inout CoverageBand,
        _ canvas: borrowing Canvas, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        let ends = list.parts[range.start..<range.end]
        let start = list.firstPoint(of: range)
        switch paint {
        case .color(let color):
            try fill(list.points, from: start, ends: ends, coverage, PixelBlender(color), &band, canvas, shouldStop)
        case .pattern(let pattern):
            try pattern.texture.texels.withUnsafeBytes { texels throws(RasterError) in
                let painter = PatternPainter(pattern, texels: texels)
                try fill(list.points, from: start, ends: ends, coverage, painter, &band, canvas, shouldStop)
            }
        }
    }

    /// Draws a face whose outline is parts of a list.
    func draw(
        _ face: Face, _ list: DisplayList, _ range: PartRange, _ depths: DepthBuffer, _ band: inout CoverageBand,
        _ canvas: borrowing Canvas, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        let ends = list.parts[range.start..<range.end]
        let start = list.firstPoint(of: range)
        let width = canvas.widthPx
        guard let picture = face.picture else {
            let painter = FacePainter(face: face, sampler: nil, depths: depths.values, widthPx: width)
            try fill(list.points, from: start, ends: ends, .centres, painter, &band, canvas, shouldStop)
            return
        }
        try picture.texture.texels.withUnsafeBytes { texels throws(RasterError) in
            let sampler = PatternPainter(
                PatternPaint(texture: picture.texture, mapping: PatternPaint.Mapping.identity), texels: texels)
            let painter = FacePainter(face: face, sampler: sampler, depths: depths.values, widthPx: width)
            try fill(list.points, from: start, ends: ends, .centres, painter, &band, canvas, shouldStop)
        }
    }

    /// Draws the outlines of parts of a list.
    func outline(
        _ list: DisplayList, _ range: PartRange, _ paint: Paint, _ canvas: borrowing Canvas, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        switch paint {
        case .color(let color):
            try outline(list, range, PixelBlender(color), canvas, shouldStop)
        case .pattern(let pattern):
            try pattern.texture.texels.withUnsafeBytes { texels throws(RasterError) in
                try outline(list, range, PatternPainter(pattern, texels: texels), canvas, shouldStop)
            }
        }
    }

    private func outline(
        _ list: DisplayList, _ range: PartRange, _ painter: some RunPainter, _ canvas: borrowing Canvas,
        _ shouldStop: () -> Bool
    ) throws(RasterError) {
        try list.points.withUnsafeBufferPointer { buffer throws(RasterError) in
            var start = list.firstPoint(of: range)
            var pointsAtQuestion = start
            for part in list.parts[range.start..<range.end] {
                if start - pointsAtQuestion >= Self.pointsPerQuestion {
                    pointsAtQuestion = start
                    if shouldStop() { throw .cancelled }
                }
                Hairlines.draw(UnsafeBufferPointer(rebasing: buffer[start..<part.end]), on: canvas, painter)
                start = part.end
            }
        }
    }

    /// Fills rings; those of `ends`, which begin at `pointStart`.
    func fill(
        _ points: [FixedPoint], from pointStart: Int, ends: ArraySlice<DisplayList.Part>, _ coverage: Coverage,
        _ painter: some RunPainter, _ band: inout CoverageBand, _ canvas: borrowing Canvas, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        let heightPx = canvas.heightPx
        var top = 0
        while top < heightPx {
            if top > 0, shouldStop() { throw .cancelled }
            let rowCount = min(band.rowLimit, heightPx - top)
            band.begin(top: top, rowCount: rowCount)
            try points.withUnsafeBufferPointer { buffer throws(RasterError) in
                var start = pointStart
                var pointsAtQuestion = pointStart
                for part in ends {
                    // A ring with less than three points has no area.
                    if part.end - start < 3 { start = part.end }
                    var previous = start < part.end ? buffer[part.end - 1] : FixedPoint(x: 0, y: 0)
                    while start < part.end {
                        if start - pointsAtQuestion >= Self.pointsPerQuestion {
                            pointsAtQuestion = start
                            if shouldStop() { throw .cancelled }
                        }
                        let end = min(part.end, start + Self.pointsPerQuestion)
                        let run = UnsafeBufferPointer(rebasing: buffer[start..<end])
                        switch coverage {
                        case .area: band.addRun(run, after: previous)
                        case .centres: band.addRunAtCentres(run, after: previous)
                        }
                        previous = buffer[end - 1]
                        start = end
                    }
                }
            }
            switch coverage {
            case .area(let rule, let weight):
                band.sweep(into: canvas, rule: rule, weight: weight, painter: painter)
            case .centres: band.sweepCentres(into: canvas, painter: painter)
            }
            top += rowCount
        }
    }
}
