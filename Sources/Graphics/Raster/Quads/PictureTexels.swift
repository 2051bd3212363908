struct PictureTexels {
    private let words: UnsafeBufferPointer<UInt32>
    private let width, height: Int

    init(_ texture: Texture, _ bytes: UnsafeRawBufferPointer) {
        words = texture.format == .rgba ? bytes.bindMemory(to: UInt32.self) : UnsafeBufferPointer(start: nil, count: 0)
        width = words.isEmpty ? 0 : texture.widthPx
        height = words.isEmpty ? 0 : texture.heightPx
    }

    func paint(_ place: QuadPlace, _ canvas: borrowing Canvas, opacity: UInt32, isSmooth: Bool) {
        guard width > 0 else { return }
        let mapping = place.mapping
        for row in place.spans.rows {
            let columns = place.columns(row: row, on: canvas)
            let pixels = canvas.row(row).pixels
            var at = SIMD3(Double(columns.lowerBound) + 0.5, Double(row) + 0.5, 1)
            for column in columns {
                defer { at.x += 1 }
                let depth = mapping.isAffine ? 1 : (mapping.depth * at).sum()
                guard depth > 0 else { continue }
                let u = Self.held((mapping.across * at).sum() / depth, width)
                let v = Self.held((mapping.down * at).sum() / depth, height)
                let texel = isSmooth ? smooth(u, v) : nearest(u, v)
                if texel != 0 { pixels[column] = Self.over(texel, pixels[column], opacity) }
            }
        }
    }

    @inline(__always)
    private static func held(_ value: Double, _ size: Int) -> Double { max(-2, min(Double(size) + 2, value)) }

    private func nearest(_ u: Double, _ v: Double) -> UInt32 {
        // A boundary belongs to the texel after it, also when the map is slightly off.
        texel(Int((u + 1e-6).rounded(.down)), Int((v + 1e-6).rounded(.down)))
    }

    /// The four texels around a place, weighed in 1/256.
    private func smooth(_ u: Double, _ v: Double) -> UInt32 {
        let (x, y) = (Int(((u - 0.5) * 256).rounded(.down)), Int(((v - 0.5) * 256).rounded(.down)))
        let (column, row) = (x >> 8, y >> 8)
        let (right, lower) = (UInt32(truncatingIfNeeded: x & 255), UInt32(truncatingIfNeeded: y & 255))
        let upper = Self.mix(texel(column, row), texel(column + 1, row), right)
        let below = Self.mix(texel(column, row + 1), texel(column + 1, row + 1), right)
        let rounded = Self.weighed(upper, below, lower) &+ SIMD4(repeating: 0x8000)
        return rounded.x >> 16 | (rounded.y >> 16) << 8 | (rounded.z >> 16) << 16 | (rounded.w >> 16) << 24
    }

    @inline(__always) private static func mix(_ a: UInt32, _ b: UInt32, _ part: UInt32) -> SIMD4<UInt32> {
        weighed(channels(a), channels(b), part)
    }

    @inline(__always)
    private static func weighed(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>, _ part: UInt32) -> SIMD4<UInt32> {
        let rest = SIMD4<UInt32>(repeating: 256 &- part)
        return a &* rest &+ b &* SIMD4<UInt32>(repeating: part)
    }

    @inline(__always) private static func channels(_ word: UInt32) -> SIMD4<UInt32> {
        SIMD4(word & 255, (word >> 8) & 255, (word >> 16) & 255, word >> 24)
    }

    @inline(__always) private func texel(_ column: Int, _ row: Int) -> UInt32 {
        guard UInt(bitPattern: column) < UInt(width), UInt(bitPattern: row) < UInt(height) else { return 0 }
        return UInt32(littleEndian: words[row &* width &+ column])
    }

    @inline(__always) private static func over(_ texel: UInt32, _ pixel: UInt32, _ opacity: UInt32) -> UInt32 {
        let source = opacity == 255 ? texel : PixelBlender.scaled(texel, by: opacity)
        let below = PixelBlender.scaled(UInt32(littleEndian: pixel), by: 255 &- (source >> 24))
        return (source &+ below).littleEndian
    }
}
