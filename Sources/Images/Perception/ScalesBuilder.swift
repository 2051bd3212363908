/// Makes the scales of an image from its rows, from top to bottom; the image itself is never held.
package struct ScalesBuilder: ~Copyable {
    private let widthPx: Int
    private let heightPx: Int
    private let bands: Int
    private let factor: Int
    private let scaleCount: Int
    private let table: [Float]
    /// One row of the image in linear light.
    private var row: Planes
    /// One row of the first scale, if that is reduced.
    private var sum: Planes
    private var first: Planes
    /// The second scale in linear light.
    private var half: Planes
    private var rowCount = 0

    /// For 8-bit sRGB; the first three of the `bands` count, or the first if there are fewer.
    package init(widthPx: Int, heightPx: Int, bands: Int) {
        self.widthPx = max(1, widthPx)
        self.heightPx = max(1, heightPx)
        self.bands = max(1, bands)
        factor = Perception.reduction(widthPx: self.widthPx, heightPx: self.heightPx)
        let (width, height) = (Perception.reduced(self.widthPx, factor), Perception.reduced(self.heightPx, factor))
        var (side, scaleCount) = (min(width, height), 0)
        while scaleCount < Weights.scaleCount, side >= Perception.leastSidePx {
            scaleCount += 1
            side = Perception.reduced(side, 2)
        }
        self.scaleCount = scaleCount
        table = (0..<256).map { Perception.linear(Double($0) / 255) }
        row = Planes(width: self.widthPx, height: 1)
        sum = Planes(width: width, height: 1)
        first = Planes(width: width, height: height, channels: Weights.channels(scale: 0))
        half = Planes(width: Perception.reduced(width, 2), height: Perception.reduced(height, 2))
    }

    /// Takes the next row, `widthPx` × `bands` bytes. Short or surplus rows are ignored.
    package mutating func add(_ bytes: RawSpan) {
        guard bytes.byteCount >= widthPx * bands, rowCount < heightPx, scaleCount > 0 else { return }
        row.widen(bytes, bands: bands, by: table)
        rowCount += 1
        guard factor > 1 else {
            takeFirstScale(row, at: rowCount - 1)
            return
        }
        sum.add(row, row: 0, columns: factor, to: 0)
        guard rowCount % factor == 0 || rowCount == heightPx else { return }
        sum.divide(row: 0, count: widthPx, columns: factor, rows: (rowCount - 1) % factor + 1)
        takeFirstScale(sum, at: (rowCount - 1) / factor)
        sum = Planes(width: sum.width, height: 1)
    }

    private mutating func takeFirstScale(_ linear: Planes, at index: Int) {
        first.convert(linear, from: 0, rows: 1, to: index)
        half.add(linear, row: 0, columns: 2, to: index / 2)
        guard index % 2 == 1 || index == first.height - 1 else { return }
        half.divide(row: index / 2, count: first.width, columns: 2, rows: index % 2 + 1)
    }

    package consuming func finish() -> ImageScales {
        var scales: [Planes] = []
        var linear = half
        for scale in 0..<scaleCount {
            if scale == 0 {
                scales.append(first)
                continue
            }
            if scale > 1 { linear = linear.halved() }
            var planes = Planes(width: linear.width, height: linear.height, channels: Weights.channels(scale: scale))
            planes.convert(linear, from: 0, rows: linear.height, to: 0)
            scales.append(planes)
        }
        return ImageScales(widthPx: widthPx, heightPx: heightPx, scales: scales)
    }
}
