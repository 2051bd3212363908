/// A picture repeated in both directions, sampled bilinearly.
package struct PatternPaint: Sendable {
    /// From the canvas to the picture, both in pixels from the top left corner: each row times (x, y, 1), `u` (to the
    /// right) and `v` (down) over `w`.
    package struct Mapping: Sendable {
        package var u: SIMD3<Double>, v: SIMD3<Double>, w: SIMD3<Double>

        package init(u: SIMD3<Double>, v: SIMD3<Double>, w: SIMD3<Double>) { (self.u, self.v, self.w) = (u, v, w) }

        static let identity = Mapping(u: SIMD3(1, 0, 0), v: SIMD3(0, 1, 0), w: SIMD3(0, 0, 1))

        var isAffine: Bool { w == SIMD3(0, 0, 1) }

        @inline(__always) func place(column: Int, row: Int) -> (u: Double, v: Double) {
            let place = SIMD3(Double(column) + 0.5, Double(row) + 0.5, 1)
            let scale = 1 / (w * place).sum()
            return ((u * place).sum() * scale, (v * place).sum() * scale)
        }
    }

    package var texture: Texture
    package var mapping: Mapping
    package var opacity: UInt8

    package init(texture: Texture, mapping: Mapping, opacity: UInt8 = 255) {
        (self.texture, self.mapping, self.opacity) = (texture, mapping, opacity)
    }
}

struct PatternPainter: RunPainter {
    // Places in the picture are fixed point with 32 bits below the texel: over a row of 16384 pixels the error of the
    // step stays far below what the 8 bits of the weights tell apart.
    private let texels: UnsafeRawBufferPointer
    private let mapping: PatternPaint.Mapping
    private let format: Texture.Format
    private let widthPx, heightPx: Int
    private let opacity: UInt32

    let isOpaque = false

    /// `texels` are those of the pattern's texture and must outlive the painter.
    init(_ pattern: PatternPaint, texels: UnsafeRawBufferPointer) {
        self.texels = texels
        mapping = pattern.mapping
        format = pattern.texture.format
        widthPx = pattern.texture.widthPx
        heightPx = pattern.texture.heightPx
        opacity = UInt32(pattern.opacity)
    }

    func paint(_ line: UnsafeMutableBufferPointer<UInt32>, from start: Int, to end: Int, row: Int, coverage: UInt32) {
        let strength = (coverage &* opacity &+ 127) / 255
        guard strength != 0 else { return }
        guard mapping.isAffine else {
            for column in start..<end {
                let place = mapping.place(column: column, row: row)
                blend(sample(place.u, place.v), strength, onto: &line[column])
            }
            return
        }
        let place = mapping.place(column: start, row: row)
        var u = Self.wrapped(place.u - 0.5, widthPx)
        var v = Self.wrapped(place.v - 0.5, heightPx)
        let uStep = Self.wrapped(mapping.u.x, widthPx)
        let vStep = Self.wrapped(mapping.v.x, heightPx)
        let (uPeriod, vPeriod) = (widthPx << 32, heightPx << 32)
        // Texels on pixels, as of a picture that was made for its place, need no mixing.
        if uStep == 1 << 32 % uPeriod, vStep == 0, (u | v) & 0xff00_0000 == 0 {
            return copy(onto: line, start..<end, from: u >> 32, v >> 32, strength)
        }
        for column in start..<end {
            blend(texel(u, v), strength, onto: &line[column])
            u &+= uStep
            if u >= uPeriod { u &-= uPeriod }
            v &+= vStep
            if v >= vPeriod { v &-= vPeriod }
        }
    }

    private func copy(
        onto line: UnsafeMutableBufferPointer<UInt32>, _ columns: Range<Int>, from first: Int, _ row: Int,
        _ strength: UInt32
    ) {
        let count = columns.count
        if strength == 255, format == .rgba, count <= widthPx &- first, let texels = texels.baseAddress,
            let line = line.baseAddress
        {
            // Opaque rows, as photographs have them, are moved as a whole.
            let from = texels + (row &* widthPx &+ first) &* 4
            var common = UInt32.max
            for place in 0..<count { common &= from.loadUnaligned(fromByteOffset: place &* 4, as: UInt32.self) }
            if UInt32(littleEndian: common) >> 24 == 255 {
                UnsafeMutableRawPointer(line + columns.lowerBound).copyMemory(from: from, byteCount: count &* 4)
                return
            }
        }
        var column = first
        for place in columns {
            let texel = fetch(column, row)
            if strength == 255, texel >> 24 == 255 {
                line[place] = texel.littleEndian
            } else {
                blend(texel, strength, onto: &line[place])
            }
            column &+= 1
            if column == widthPx { column = 0 }
        }
    }

    @inline(__always) func sample(_ u: Double, _ v: Double) -> UInt32 {
        texel(Self.wrapped(u - 0.5, widthPx), Self.wrapped(v - 0.5, heightPx))
    }

    @inline(__always) private func blend(_ texel: UInt32, _ strength: UInt32, onto pixel: inout UInt32) {
        PixelBlender.blend(strength == 255 ? texel : PixelBlender.scaled(texel, by: strength), onto: &pixel)
    }

    /// The place within one period, as fixed point; 0 for NaN.
    @inline(__always) private static func wrapped(_ place: Double, _ period: Int) -> Int {
        let size = Double(period)
        let turns = (place / size).rounded(.down)
        let rest = place - turns * size
        guard rest >= 0, rest < size else { return 0 }
        return Int(rest * 4_294_967_296)
    }

    @inline(__always) private func texel(_ u: Int, _ v: Int) -> UInt32 {
        let left = u >> 32
        let top = v >> 32
        let right = left &+ 1 == widthPx ? 0 : left &+ 1
        let bottom = top &+ 1 == heightPx ? 0 : top &+ 1
        let across = UInt32(truncatingIfNeeded: (u & 0xffff_ffff) >> 24)
        let down = UInt32(truncatingIfNeeded: (v & 0xffff_ffff) >> 24)
        let upper = PixelBlender.mixed(fetch(left, top), fetch(right, top), across)
        if down == 0 { return upper }
        return PixelBlender.mixed(upper, PixelBlender.mixed(fetch(left, bottom), fetch(right, bottom), across), down)
    }

    @inline(__always) private func fetch(_ column: Int, _ row: Int) -> UInt32 {
        let index = row &* widthPx &+ column
        switch format {
        case .rgba: return UInt32(littleEndian: texels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        case .alpha: return UInt32(texels[index]) << 24
        }
    }
}
