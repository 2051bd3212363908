/// A flat shape in space. Depth decides pixel by pixel which face shows, so they can be drawn in any order. On the canvas
/// the inverse distance to the eye and each coordinate over that distance are planes: a pixel needs three products.
package struct Face: Sendable {
    /// From the canvas to the face: each row times (x, y, 1); the third is the inverse of the distance to the eye, and
    /// the first two over the third are coordinates on the face.
    package struct Mapping: Sendable {
        package var s: SIMD3<Double>, t: SIMD3<Double>, inverseDistance: SIMD3<Double>

        package init(s: SIMD3<Double>, t: SIMD3<Double>, inverseDistance: SIMD3<Double>) {
            (self.s, self.t, self.inverseDistance) = (s, t, inverseDistance)
        }
    }

    package struct Picture: Sendable {
        package var texture: Texture
        /// Texels per unit of `s` and of `t`, and at 0.
        package var across: SIMD2<Double>, down: SIMD2<Double>

        package init(texture: Texture, across: SIMD2<Double>, down: SIMD2<Double>) {
            (self.texture, self.across, self.down) = (texture, across, down)
        }
    }

    package var mapping: Mapping
    /// `t` where the face has `lowColor` and `highColor`.
    package var low: Double, high: Double
    /// Premultiplied, `0...1`; the picture is multiplied by it.
    package var lowColor: SIMD4<Float>, highColor: SIMD4<Float>
    package var picture: Picture?
    /// Of two faces at the same place in a group the first stays, instead of the last.
    package var yieldsToEqual: Bool

    package init(
        mapping: Mapping, low: Double, high: Double, lowColor: SIMD4<Float>, highColor: SIMD4<Float>,
        picture: Picture?, yieldsToEqual: Bool
    ) {
        (self.mapping, self.low, self.high, self.lowColor) = (mapping, low, high, lowColor)
        (self.highColor, self.picture, self.yieldsToEqual) = (highColor, picture, yieldsToEqual)
    }
}

/// The inverse of the distance to the eye of what is seen at each pixel; 0 without a face.
final class DepthBuffer {
    let values: UnsafeMutableBufferPointer<Float>

    init(pixelCount: Int) {
        values = .allocate(capacity: pixelCount)
        values.initialize(repeating: 0)
    }

    deinit { values.deallocate() }
}

struct FacePainter: RunPainter {
    let face: Face
    let sampler: PatternPainter?
    let depths: UnsafeMutableBufferPointer<Float>
    let widthPx: Int

    let isOpaque = true

    init(_ face: Face, _ sampler: PatternPainter?, _ depths: DepthBuffer, widthPx: Int) {
        (self.face, self.sampler) = (face, sampler)
        self.depths = depths.values
        self.widthPx = widthPx
    }

    func paint(_ line: UnsafeMutableBufferPointer<UInt32>, from start: Int, to end: Int, row: Int, coverage: UInt32) {
        let place = SIMD3(Double(start) + 0.5, Double(row) + 0.5, 1)
        let mapping = face.mapping
        var inverse = (mapping.inverseDistance * place).sum()
        var s = (mapping.s * place).sum()
        var t = (mapping.t * place).sum()
        let isPlain = sampler == nil && face.lowColor == face.highColor
        let plain = Disc.packed(face.lowColor).littleEndian
        for column in start..<end {
            let index = row &* widthPx &+ column
            let depth = Float(inverse)
            if depth > depths[index] || depth == depths[index] && (!face.yieldsToEqual || line[column] == 0) {
                depths[index] = depth
                line[column] = isPlain ? plain : color(s / inverse, t / inverse).littleEndian
            }
            inverse += mapping.inverseDistance.x
            s += mapping.s.x
            t += mapping.t.x
        }
    }

    @inline(__always) private func color(_ s: Double, _ t: Double) -> UInt32 {
        let span = face.high - face.low
        let part = span == 0 ? 0 : max(0, min(1, (t - face.low) / span))
        let light = face.lowColor + (face.highColor - face.lowColor) * Float(part)
        guard let sampler, let picture = face.picture else { return Disc.packed(light) }
        let texel = sampler.sample(s * picture.across.x + picture.across.y, t * picture.down.x + picture.down.y)
        return Disc.packed(ColorVector.unpacked(texel) * (1 / 255) * light)
    }
}
