/// Heights on a square grid, with one more row and column around it.
package struct HeightField: Sendable {
    package let side: Int
    private let metres: [Float]

    /// `(side + 2)²` heights, row by row from the north-west; nil for another count.
    package init?(side: Int, metres: [Float]) {
        guard side > 0, side <= Rasteriser.sideLimit, metres.count == (side + 2) * (side + 2) else { return nil }
        (self.side, self.metres) = (side, metres)
    }

    /// In texels from the corner of the field without its border.
    @inline(__always) func height(x: Float, y: Float, isSmooth: Bool) -> Float {
        let stride = side + 2
        func held(_ value: Float) -> Float { max(-0.5, min(Float(side) + 0.5, value)) }
        if !isSmooth {
            let column = max(0, min(side - 1, Int(held(x)))) + 1
            let row = max(0, min(side - 1, Int(held(y)))) + 1
            return metres[row * stride + column]
        }
        let placeX = held(x) + 0.5
        let placeY = held(y) + 0.5
        let column = min(Int(placeX), side)
        let row = min(Int(placeY), side)
        let shareX = placeX - Float(column)
        let shareY = placeY - Float(row)
        let first = row * stride + column
        let upper = metres[first] * (1 - shareX) + metres[first + 1] * shareX
        let lower = metres[first + stride] * (1 - shareX) + metres[first + stride + 1] * shareX
        return upper * (1 - shareY) + lower * shareY
    }
}

package struct HeightColors: Sendable {
    private let heights: [Float]
    private let colors: [SIMD4<Float>]
    private let isStepped: Bool

    /// Premultiplied, `0...255` a channel, at ascending heights, where they begin or between which they mix. nil for none.
    package init?(heights: [Float], colors: [SIMD4<Float>], isStepped: Bool) {
        guard !heights.isEmpty, heights.count == colors.count else { return nil }
        (self.heights, self.colors, self.isStepped) = (heights, colors, isStepped)
    }

    @inline(__always) func color(_ height: Float) -> SIMD4<Float> {
        var low = 0
        var high = heights.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if height < heights[middle] { high = middle } else { low = middle }
        }
        if isStepped { return colors[height >= heights[high] ? high : low] }
        let span = heights[high] - heights[low]
        let share = span > 0 ? max(0, min(1, (height - heights[low]) / span)) : 0
        return colors[low] * (1 - share) + colors[high] * share
    }
}
