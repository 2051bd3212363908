import CVips
import ImagePlan

// Filters by the distribution of luma of the visible pixels, in 256 levels.

extension PointProgram {
    /// The share of pixels cut off at either end by `normalize`.
    private static let cutShare = 0.005
    /// The most that `clahe` steepens contrast.
    private static let slopeLimit = 3.0
    /// The least side of a tile; there are at most 8 × 8.
    private static let tileSidePx = 32

    mutating func append(levels filter: ImageFilter, of picture: borrowing FilterImage) throws(ImageError) {
        let (width, height) = (Int(picture.shape.width), Int(picture.shape.height))
        guard case .clahe = filter else {
            let counts = try picture.lumaCounts(0..<width, 0..<height)
            if case .normalize = filter { return appendStretch(counts) }
            var point = FilterPoint(CVIPS_POINT_TONES)
            point.table = Self.even(counts)
            return append(point)
        }
        let columns = min(8, max(1, width / Self.tileSidePx))
        let rows = min(8, max(1, height / Self.tileSidePx))
        var point = FilterPoint(CVIPS_POINT_TILES)
        (point.columns, point.rows) = (columns, rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let counts = try picture.lumaCounts(
                    column * width / columns..<(column + 1) * width / columns,
                    row * height / rows..<(row + 1) * height / rows)
                point.table += Self.limited(counts)
            }
        }
        append(point)
    }

    private mutating func appendStretch(_ counts: [UInt32]) {
        let cut = Int(Double(counts.reduce(0) { $0 + Int($1) }) * Self.cutShare)
        func end(_ levels: [Int]) -> Int {
            var seen = 0
            return levels.first { level in
                seen += Int(counts[level])
                return seen > cut
            } ?? 0
        }
        let (low, high) = (end(Array(0...255)), end(Array((0...255).reversed())))
        guard low < high, (low, high) != (0, 255) else { return }
        let factor = 255 / Double(high - low)
        append(FilterCurve(factor: factor, offset: -Double(low) / 255 * factor))
    }

    /// Equalises: the luma of each of 256 levels is its rank, 0–1.
    private static func even(_ counts: [UInt32]) -> [Float] {
        let ranks = ranks(counts.map(Double.init))
        guard let low = counts.firstIndex(where: { $0 > 0 }), let high = counts.lastIndex(where: { $0 > 0 }), low < high
        else { return same }
        return ranks.map { Float(FilterCurve.held(($0 - ranks[low]) / (ranks[high] - ranks[low]))) }
    }

    /// Equalises counts limited to `slopeLimit` times their mean; the excess is spread over all levels.
    private static func limited(_ counts: [UInt32]) -> [Float] {
        let total = counts.reduce(0.0) { $0 + Double($1) }
        guard total > 0 else { return same }
        let limit = slopeLimit * total / 256
        let excess = counts.reduce(0.0) { $0 + max(0, Double($1) - limit) }
        return ranks(counts.map { min(Double($0), limit) + excess / 256 }).map { Float(FilterCurve.held($0)) }
    }

    /// The share of pixels below the middle of each level.
    private static func ranks(_ counts: [Double]) -> [Double] {
        let total = max(1e-9, counts.reduce(0, +))
        var before = 0.0
        return counts.map { count in
            defer { before += count }
            return (before + count / 2) / total
        }
    }

    private static let same: [Float] = (0..<256).map { Float($0) / 255 }
}

extension FilterImage {
    fileprivate borrowing func lumaCounts(_ columns: Range<Int>, _ rows: Range<Int>) throws(ImageError) -> [UInt32] {
        var counts = [UInt32](repeating: 0, count: 256)
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.stepRowCount) {
            try context.checkStop()
            var shape = shape
            let bottom = min(top + Self.stepRowCount, rows.upperBound)
            unsafe cvips_count_luma(
                pixels, &shape, columns.lowerBound.cInt, columns.upperBound.cInt, top.cInt, bottom.cInt, &counts)
        }
        return counts
    }
}
