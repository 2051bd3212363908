import Colors

/// From signed distances to coverage, and from that to pixels of one color.
struct DistanceBrush {
    /// A float of at least this has no fraction: adding it rounds into the low bits.
    private static let rounder: Float = 8_388_608

    private let factor: Float
    private let outerStart: Float
    private let innerStart: Float?
    private let color: UInt32

    init(_ ramp: DistanceRamp, _ color: Color) {
        let gamma = max(1e-5, ramp.outerGamma.isFinite ? ramp.outerGamma : 1)
        let steps = 1 / (2 * gamma)
        factor = steps / (255 * 65536)
        outerStart = (ramp.outerEdge - gamma) * steps
        innerStart = ramp.innerEdge.map { ($0 - gamma) * steps }
        self.color = PixelBlender.packed(color)
    }

    /// Turns distances to coverage of 255; returns whether there is any.
    func cover(
        _ values: UnsafeMutableBufferPointer<Float>, _ coverage: UnsafeMutableBufferPointer<UInt32>, count: Int
    ) -> Bool {
        var any: UInt32 = 0
        if let innerStart {
            for index in 0..<count {
                let value = values[index] * factor
                let outer = Self.smooth(value - outerStart)
                let rest = 1 - Self.smooth(value - innerStart)
                let bits = ((outer < rest ? outer : rest) * 255 + Self.rounder).bitPattern & 0xff
                coverage[index] = bits
                any |= bits
            }
        } else {
            for index in 0..<count {
                let bits = (Self.smooth(values[index] * factor - outerStart) * 255 + Self.rounder).bitPattern & 0xff
                coverage[index] = bits
                any |= bits
            }
        }
        return any != 0
    }

    @inline(__always) private static func smooth(_ value: Float) -> Float {
        let low = value > 0 ? value : 0
        let t = low > 1 ? 1 : low
        return t * t * (3 - 2 * t)
    }

    func blend(
        _ pixels: UnsafeMutableBufferPointer<UInt32>, _ columns: Range<Int>,
        _ coverage: UnsafeMutableBufferPointer<UInt32>
    ) {
        let start = columns.lowerBound
        for index in 0..<columns.count {
            let source = PixelBlender.scaled(color, by: coverage[index])
            let below = PixelBlender.scaled(UInt32(littleEndian: pixels[start &+ index]), by: 255 &- (source >> 24))
            pixels[start &+ index] = (source &+ below).littleEndian
        }
    }
}
