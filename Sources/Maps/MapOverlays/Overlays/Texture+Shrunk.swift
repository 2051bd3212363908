import Bytes
import Raster

extension Texture {
    /// Reduced to `side` texels on its longer side, each the mean of those it covers; never enlarged. O(texels).
    func shrunk(toSide side: Int) -> Texture {
        let longer = max(widthPx, heightPx)
        guard format == .rgba, side > 0, longer > side else { return self }
        let width = max(1, (widthPx * side + longer / 2) / longer)
        let height = max(1, (heightPx * side + longer / 2) / longer)
        let columns = Self.weights(from: widthPx, to: width)
        let rows = Self.weights(from: heightPx, to: height)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        texels.withUnsafeBytes { source in
            var sums = [SIMD4<Float>](repeating: .zero, count: width)
            for row in rows {
                for index in sums.indices { sums[index] = .zero }
                for (y, weightY) in zip(row.first..., row.weights) {
                    for (index, column) in columns.enumerated() {
                        var sum = SIMD4<Float>.zero
                        var place = (y * widthPx + column.first) * 4
                        for weight in column.weights {
                            let texel = SIMD4(
                                Float(source[place]), Float(source[place + 1]), Float(source[place + 2]),
                                Float(source[place + 3]))
                            sum += texel * weight
                            place += 4
                        }
                        sums[index] += sum * weightY
                    }
                }
                for sum in sums {
                    for channel in 0..<4 { bytes.append(UInt8(max(0, min(255, (sum[channel]).rounded())))) }
                }
            }
        }
        return Texture(widthPx: width, heightPx: height, format: .rgba, texels: SharedBytes(bytes)) ?? self
    }

    /// The texels of a row or column that a new one covers, and their weights.
    private struct Cover {
        var first: Int
        var weights: [Float]
    }

    private static func weights(from count: Int, to newCount: Int) -> [Cover] {
        let ratio = Double(count) / Double(newCount)
        return (0..<newCount).map { index in
            let (start, end) = (Double(index) * ratio, Double(index + 1) * ratio)
            let first = max(0, min(count - 1, Int(start)))
            let last = max(first, min(count - 1, Int(end.rounded(.up)) - 1))
            let weights = (first...last).map { texel in
                Float(max(0, min(end, Double(texel + 1)) - max(start, Double(texel))) / ratio)
            }
            return Cover(first: first, weights: weights)
        }
    }
}
