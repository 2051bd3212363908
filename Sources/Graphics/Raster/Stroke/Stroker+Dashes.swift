extension Stroker {
    mutating func setDashes(_ lengths: [Int32]) {
        dashes.removeAll(keepingCapacity: true)
        let repeats = lengths.count % 2 == 0 ? 1 : 2
        let period = lengths.reduce(0.0) { $0 + Double(max(0, $1)) } * Double(repeats)
        guard period >= StrokeStyle.leastPeriod * 256, period >= radius / 32 else { return }
        for _ in 0..<repeats { dashes += lengths.lazy.map { Double(max(0, $0)) } }
    }

    /// Cuts the path, which begins `phase` units along its pattern, into dashes and strokes each. Only what may show is cut.
    mutating func strokeDashes(
        from phase: Double, _ band: inout CoverageBand, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        swap(&path, &source)
        defer { swap(&path, &source) }
        let period = dashes.reduce(0, +)
        var travelled = phase
        var state = DashState(dashes: dashes, period: period, at: phase)
        path.removeAll(keepingCapacity: true)
        if state.isOn, let first = source.first { path.append(first) }
        for index in source.indices.dropLast() {
            let from = source[index]
            let along = source[index + 1] - from
            let length = along.length
            try count(1, shouldStop)
            guard length > 0 else { continue }
            let visible = visiblePart(from: from, along: along, length: length)
            if visible.lowerBound > 0 {
                try strokePath(isClosed: false, &band, shouldStop)
                path.removeAll(keepingCapacity: true)
                state = DashState(dashes: dashes, period: period, at: travelled + visible.lowerBound)
                if state.isOn { path.append(from + along * (visible.lowerBound / length)) }
            }
            var position = visible.lowerBound
            while position + state.left <= visible.upperBound {
                position += state.left
                let place = from + along * (position / length)
                try count(1, shouldStop)
                if state.isOn {
                    path.append(place)
                    try strokePath(isClosed: false, &band, shouldStop)
                    path.removeAll(keepingCapacity: true)
                } else {
                    path.append(place)
                }
                state.advance(dashes)
            }
            state.left -= visible.upperBound - position
            if state.isOn { path.append(from + along * (visible.upperBound / length)) }
            travelled += length
            if visible.upperBound < length {
                try strokePath(isClosed: false, &band, shouldStop)
                path.removeAll(keepingCapacity: true)
                state = DashState(dashes: dashes, period: period, at: travelled)
                if state.isOn { path.append(source[index + 1]) }
            }
        }
        try strokePath(isClosed: false, &band, shouldStop)
    }

    /// The distances along a segment between which its stroke, with tips of mitres, may touch the canvas; empty at 0 if none.
    private func visiblePart(from: StrokeVector, along: StrokeVector, length: Double) -> ClosedRange<Double> {
        let margin = radius * max(2, join == .miter ? miterLimit : 0) + 512
        var low = 0.0, high = 1.0
        let columns = 0...Double(widthPx << 8)
        for (start, delta, seen) in [(from.x, along.x, columns), (from.y, along.y, rows)] {
            let first = seen.lowerBound - margin - start
            let last = seen.upperBound + margin - start
            if delta == 0 {
                if first > 0 || last < 0 { high = 0 }
            } else {
                low = max(low, min(first / delta, last / delta))
                high = min(high, max(first / delta, last / delta))
            }
        }
        return low < high ? (low * length)...(high * length) : 0...0
    }
}
