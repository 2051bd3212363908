import Colors

/// The signed distances of a texture: its one channel, or its alpha.
struct DistanceTexels {
    let bytes: UnsafeRawBufferPointer
    let width: Int, height: Int
    let step: Int
    let channel: Int

    init(_ texture: Texture, _ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        width = texture.widthPx
        height = texture.heightPx
        step = texture.format == .rgba ? 4 : 1
        channel = texture.format == .rgba ? 3 : 0
    }

    @inline(__always) func texel(_ column: Int, _ row: Int) -> UInt32 {
        guard UInt(bitPattern: column) < UInt(width), UInt(bitPattern: row) < UInt(height) else { return 0 }
        return UInt32(bytes[(row &* width &+ column) &* step &+ channel])
    }
}

/// Paints signed distances row by row: distances of pixels, then their coverage, then the pixels, each in a vectorised loop.
struct DistanceRow {
    private static let margin = 4
    /// Two rows of texels mixed into one, times 256.
    private var texels: [UInt32] = []
    private var values: [Float] = []
    private var coverage: [UInt32] = []
    private var brush = DistanceBrush(DistanceRamp(outerEdge: 0.75, outerGamma: 0.1), .transparent)

    mutating func set(_ ramp: DistanceRamp, _ color: Color) { brush = DistanceBrush(ramp, color) }

    mutating func paint(_ source: DistanceTexels, _ place: QuadPlace, _ canvas: borrowing Canvas) {
        if values.count < canvas.widthPx {
            values = Array(repeating: 0, count: canvas.widthPx)
            coverage = Array(repeating: 0, count: canvas.widthPx)
        }
        if texels.count < source.width + Self.margin * 2 {
            texels = Array(repeating: 0, count: source.width + Self.margin * 2)
        }
        let brush = brush
        let mapping = place.mapping
        texels.withUnsafeMutableBufferPointer { texels in
            values.withUnsafeMutableBufferPointer { values in
                coverage.withUnsafeMutableBufferPointer { coverage in
                    for row in place.spans.rows {
                        let columns = place.columns(row: row, on: canvas)
                        guard !columns.isEmpty else { continue }
                        let run = PixelRun(row: row, columns: columns, values: values)
                        if mapping.isUpright {
                            Self.readUpright(source, mapping, run, texels: texels)
                        } else {
                            Self.read(source, mapping, run)
                        }
                        if brush.cover(values, coverage, count: columns.count) {
                            brush.blend(canvas.row(row).pixels, columns, coverage)
                        }
                    }
                }
            }
        }
    }

    private struct PixelRun {
        let row: Int
        let columns: Range<Int>
        let values: UnsafeMutableBufferPointer<Float>
    }

    /// Distances in 255 · 65536ths of pixels whose row is level with the texels: two rows of these are mixed first.
    private static func readUpright(
        _ source: DistanceTexels, _ mapping: QuadMapping, _ run: PixelRun, texels: UnsafeMutableBufferPointer<UInt32>
    ) {
        let y = mapping.down.y * (Double(run.row) + 0.5) + mapping.down.z - 0.5
        let fixedY = Int((held(y, source.height) * 256).rounded(.down))
        let (upper, part) = (fixedY >> 8, UInt32(truncatingIfNeeded: fixedY & 255))
        for index in 0..<margin {
            texels[index] = 0
            texels[margin + source.width + index] = 0
        }
        for column in 0..<source.width {
            texels[margin + column] =
                source.texel(column, upper) &* (256 &- part) &+ source.texel(column, upper + 1) &* part
        }
        let x = mapping.across.x * (Double(run.columns.lowerBound) + 0.5) + mapping.across.z - 0.5
        var at = Int((held(x, source.width) * 65536).rounded(.down)) + margin << 16
        let step = Int((max(-4096, min(4096, mapping.across.x)) * 65536).rounded())
        let limit = (source.width + margin * 2 - 2) << 16
        for index in 0..<run.columns.count {
            let inside = max(0, min(limit, at))
            let right = UInt32(truncatingIfNeeded: (inside >> 8) & 255)
            let cell = inside >> 16
            let sum = texels[cell] &* (256 &- right) &+ texels[cell &+ 1] &* right
            run.values[index] = Float(sum)
            at &+= step
        }
    }

    private static func read(_ source: DistanceTexels, _ mapping: QuadMapping, _ run: PixelRun) {
        var at = SIMD3(Double(run.columns.lowerBound) + 0.5, Double(run.row) + 0.5, 1)
        var (u, v) = ((mapping.across * at).sum(), (mapping.down * at).sum())
        for index in 0..<run.columns.count {
            var (x, y) = (u, v)
            if !mapping.isAffine {
                let depth = (mapping.depth * at).sum()
                (x, y) = depth > 0 ? (u / depth, v / depth) : (-2, -2)
                at.x += 1
            }
            run.values[index] = Float(distance(source, held(x - 0.5, source.width), held(y - 0.5, source.height)))
            u += mapping.across.x
            v += mapping.down.x
        }
    }

    @inline(__always) private static func distance(_ source: DistanceTexels, _ x: Double, _ y: Double) -> UInt32 {
        let (fixedX, fixedY) = (Int((x + 4) * 256) - 1024, Int((y + 4) * 256) - 1024)
        let (column, row) = (fixedX >> 8, fixedY >> 8)
        let right = UInt32(truncatingIfNeeded: fixedX & 255)
        let lower = UInt32(truncatingIfNeeded: fixedY & 255)
        let above = source.texel(column, row) &* (256 &- right) &+ source.texel(column &+ 1, row) &* right
        let below = source.texel(column, row &+ 1) &* (256 &- right) &+ source.texel(column &+ 1, row &+ 1) &* right
        return above &* (256 &- lower) &+ below &* lower
    }

    @inline(__always)
    private static func held(_ value: Double, _ size: Int) -> Double { max(-2, min(Double(size) + 1, value)) }
}
