/// A disc with a rim around it, both feathered inwards, painted by distances of pixels from its middle.
package struct Disc: Sendable {
    package var x: Double, y: Double
    /// Device pixels to the outer side of the rim.
    package var radius: Double
    /// Where the rim begins, as a share of the radius; 1 is without a rim.
    package var rimStart: Double
    /// The width of an edge's feather, as a share of the radius, above 0.
    package var feather: Double
    /// Premultiplied, `0...1`.
    package var inside: SIMD4<Float>, rim: SIMD4<Float>
    package init(
        x: Double, y: Double, radius: Double, rimStart: Double, feather: Double, inside: SIMD4<Float>, rim: SIMD4<Float>
    ) {
        (self.x, self.y, self.radius, self.rimStart) = (x, y, radius, rimStart)
        (self.feather, self.inside, self.rim) = (feather, inside, rim)
    }

    var isDrawable: Bool {
        x.isFinite && y.isFinite && radius > 0 && radius < 1e9 && feather > 0 && feather.isFinite && rimStart >= 0
            && (inside.w > 0 || rim.w > 0)
    }

    @inline(__always) func color(at distance: Double) -> SIMD4<Float> {
        let inner = Self.smooth((1 - distance) / feather)
        guard rimStart < 1 else { return inside * Float(inner) }
        let outer = Self.smooth((distance - rimStart + feather) / feather)
        return (inside + (rim - inside) * Float(outer)) * Float(inner)
    }

    /// As GLSL's `smoothstep`.
    @inline(__always) private static func smooth(_ value: Double) -> Double {
        let t = value < 0 ? 0 : value > 1 ? 1 : value
        return t * t * (3 - 2 * t)
    }

    /// O(rows + covered pixels).
    func draw(on canvas: borrowing Canvas) {
        guard isDrawable, x > -radius - 1, y > -radius - 1, x < Double(canvas.widthPx) + radius + 1,
            y < Double(canvas.heightPx) + radius + 1
        else { return }
        let top = Int(max(0, (y - radius - 0.5).rounded(.up)))
        let bottom = Int(min(Double(canvas.heightPx), (y + radius + 0.5).rounded(.down)))
        let plain = min(1 - feather, rimStart < 1 ? rimStart - feather : 1) * radius
        let inverse = 1 / radius
        for row in top..<max(top, bottom) {
            let line = canvas.row(row)
            let dy = Double(row) + 0.5 - y
            let reach = (radius * radius - dy * dy).squareRoot()
            guard reach > 0 else { continue }
            let start = max(line.start, Self.column(x - reach, canvas.widthPx))
            let end = min(line.end, Self.column(x + reach, canvas.widthPx))
            var plainStart = end, plainEnd = end
            if plain > 0, plain * plain > dy * dy {
                let half = (plain * plain - dy * dy).squareRoot()
                plainStart = min(end, max(start, Self.column(x - half, canvas.widthPx)))
                plainEnd = min(end, max(plainStart, Self.column(x + half, canvas.widthPx)))
            }
            blend(line.pixels, from: start, to: plainStart, dy, inverse)
            if plainStart < plainEnd {
                let word = Self.packed(inside)
                for column in plainStart..<plainEnd { PixelBlender.blend(word, onto: &line.pixels[column]) }
            }
            blend(line.pixels, from: plainEnd, to: end, dy, inverse)
        }
    }

    @inline(__always)
    private func blend(
        _ pixels: UnsafeMutableBufferPointer<UInt32>, from start: Int, to end: Int, _ dy: Double, _ inverse: Double
    ) {
        guard start < end else { return }
        for column in start..<end {
            let dx = Double(column) + 0.5 - x
            let source = Self.packed(color(at: (dx * dx + dy * dy).squareRoot() * inverse))
            PixelBlender.blend(source, onto: &pixels[column])
        }
    }

    /// The first column whose centre is not left of `x`, held to the canvas.
    @inline(__always) private static func column(_ x: Double, _ widthPx: Int) -> Int {
        Int(max(0, min(Double(widthPx), (x - 0.5).rounded(.up))))
    }

    /// As a little-endian word; no channel exceeds its alpha.
    @inline(__always) static func packed(_ color: SIMD4<Float>) -> UInt32 {
        let held = color.clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
        let bytes = SIMD4<UInt32>(truncatingIfNeeded: SIMD4<Int32>(held * 255 + 0.5))
        let alpha = bytes.w
        return min(bytes.x, alpha) | min(bytes.y, alpha) << 8 | min(bytes.z, alpha) << 16 | alpha << 24
    }
}
