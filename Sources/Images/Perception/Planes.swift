import CPerception

/// Some of the three planes of an image, one after the other, row-major.
struct Planes: Sendable {
    let width: Int
    let height: Int
    /// Ascending: 0, 1, 2 for red, green, blue or X, Y, B.
    let channels: [Int]
    private(set) var samples: [Float]

    init(width: Int, height: Int, channels: [Int] = [0, 1, 2]) {
        self.width = width
        self.height = height
        self.channels = channels
        samples = [Float](repeating: 0, count: width * height * channels.count)
    }

    var planeCount: Int { width * height }

    /// Writes one row of bytes in linear light by `table`; all three channels must exist.
    mutating func widen(_ bytes: RawSpan, bands: Int, by table: [Float]) {
        let (count, step) = (width, planeCount)
        guard bands > 0, bytes.byteCount >= count * bands, table.count == 256, channels.count == 3 else { return }
        unsafe table.withUnsafeBufferPointer { table in
            unsafe samples.withUnsafeMutableBufferPointer { out in
                unsafe bytes.withUnsafeBytes { bytes in
                    guard let table = table.baseAddress, let out = out.baseAddress, let bytes = bytes.baseAddress else {
                        return
                    }
                    unsafe cperception_linear(
                        bytes.assumingMemoryBound(to: UInt8.self), count, Int32(clamping: bands), table, out,
                        out + step, out + 2 * step)
                }
            }
        }
    }

    /// Adds row `from` of `source`, which has the same channels, to row `to`, `columns` samples into one.
    mutating func add(_ source: borrowing Planes, row from: Int, columns: Int, to: Int) {
        let (count, sourceStep, width, step) = (source.width, source.planeCount, width, planeCount)
        let channelCount = channels.count
        unsafe source.samples.withUnsafeBufferPointer { source in
            unsafe samples.withUnsafeMutableBufferPointer { out in
                guard let source = source.baseAddress, let out = out.baseAddress else { return }
                for channel in 0..<channelCount {
                    unsafe cperception_add(
                        source + channel * sourceStep + from * count, count, columns, out + channel * step + to * width)
                }
            }
        }
    }

    mutating func divide(row: Int, count: Int, columns: Int, rows: Int) {
        let (width, step, channelCount) = (width, planeCount, channels.count)
        unsafe samples.withUnsafeMutableBufferPointer { out in
            guard let out = out.baseAddress else { return }
            for channel in 0..<channelCount {
                unsafe cperception_mean(out + channel * step + row * width, count, columns, rows)
            }
        }
    }

    /// Half the size: means of two by two, or of what is there.
    func halved() -> Planes {
        var half = Planes(width: Perception.reduced(width, 2), height: Perception.reduced(height, 2))
        for row in 0..<height {
            half.add(self, row: row, columns: 2, to: row / 2)
            guard row % 2 == 1 || row == height - 1 else { continue }
            half.divide(row: row / 2, count: width, columns: 2, rows: row % 2 + 1)
        }
        return half
    }

    /// Converts `rows` rows of linear light, from row `from` of `linear`, to XYB from row `to` on.
    mutating func convert(_ linear: borrowing Planes, from: Int, rows: Int, to: Int) {
        guard linear.width == width, linear.channels.count == 3 else { return }
        let (step, linearStep, first, start) = (planeCount, linear.planeCount, from * width, to * width)
        let (count, places) = (rows * width, (0..<3).map { channels.firstIndex(of: $0) })
        unsafe linear.samples.withUnsafeBufferPointer { linear in
            unsafe samples.withUnsafeMutableBufferPointer { out in
                guard let linear = linear.baseAddress, let out = out.baseAddress else { return }
                func plane(_ channel: Int) -> UnsafeMutablePointer<Float>? {
                    unsafe places[channel].map { unsafe out + $0 * step + start }
                }
                unsafe cperception_xyb(
                    linear + first, linear + linearStep + first, linear + 2 * linearStep + first, count, plane(0),
                    plane(1), plane(2))
            }
        }
    }

    func sums(_ distorted: borrowing Planes, place: Int, work: inout [Float]) -> cperception_sums {
        var sums = cperception_sums()
        let start = place * planeCount
        unsafe samples.withUnsafeBufferPointer { first in
            unsafe distorted.samples.withUnsafeBufferPointer { second in
                unsafe work.withUnsafeMutableBufferPointer { work in
                    guard let first = first.baseAddress, let second = second.baseAddress, let work = work.baseAddress
                    else { return }
                    unsafe cperception_compare(first + start, second + start, width, height, work, &sums)
                }
            }
        }
        return sums
    }
}

/// The XYB planes of an image at 1:1 to 1:32 that count in SSIMULACRA2: seven bytes per pixel (28 MB at 4 megapixels).
package struct ImageScales: Sendable {
    /// The size before any reduction.
    package let widthPx: Int
    package let heightPx: Int
    /// By scale, with the channels that count there.
    let scales: [Planes]

    /// At most 100; nil if the sizes differ or a side is shorter than `Perception.leastSidePx`.
    package func score(of distorted: ImageScales) -> Double? {
        guard widthPx == distorted.widthPx, heightPx == distorted.heightPx, !scales.isEmpty else { return nil }
        var work = [Float](repeating: 0, count: cperception_work_count(scales[0].width))
        var error = 0.0
        for (scale, (planes, others)) in zip(scales, distorted.scales).enumerated() {
            for (place, channel) in planes.channels.enumerated() {
                guard let weights = Weights.of(channel: channel, scale: scale) else { continue }
                let sums = planes.sums(others, place: place, work: &work)
                let norms = Self.norms(sums, count: Double(planes.planeCount))
                error += zip(weights, norms).reduce(0) { $0 + $1.0 * $1.1 }
            }
        }
        return Perception.score(error: error)
    }

    /// In the order of the weights.
    private static func norms(_ sums: cperception_sums, count: Double) -> [Double] {
        func root(_ sum: Double) -> Double { (sum / count).squareRoot().squareRoot() }
        return [
            sums.unlike / count, sums.artifact / count, sums.lost / count, root(sums.unlike4), root(sums.artifact4),
            root(sums.lost4),
        ]
    }
}
