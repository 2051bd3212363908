extension Surface {
    /// Paints the surface. O(covered pixels); a picture that is made smaller is first halved as often as needed.
    func draw(on canvas: borrowing Canvas) {
        switch content {
        case .picture(let texture, let isSmooth, let hasLevels, let adjustment):
            drawPicture(texture, isSmooth: isSmooth, hasLevels: hasLevels, adjustment, canvas)
        case .relief(let slopes, let isSmooth, let light):
            let shader = ReliefShader(light)
            paint(canvas) { x, y in
                let width = Float(slopes.widthPx)
                let height = Float(slopes.heightPx)
                let texel =
                    isSmooth
                    ? slopes.smooth(x: x * width, y: y * height, wraps: false)
                    : slopes.nearest(x: x * width, y: y * height)
                return shader.color(x: texel.x, y: texel.y, down: y)
            }
        case .heights(let field, let isSmooth, let colors, let opacity):
            paint(canvas) { x, y in
                let side = Float(field.side)
                return colors.color(field.height(x: x * side, y: y * side, isSmooth: isSmooth)) * opacity
            }
        }
    }

    private func drawPicture(
        _ texture: Texture, isSmooth: Bool, hasLevels: Bool, _ adjustment: PictureAdjustment,
        _ canvas: borrowing Canvas
    ) {
        let shrinking = shrinking(texture)
        let level = hasLevels ? Self.level(shrinking) : 0
        let texture = level > 0 ? texture.halved(times: level) : texture
        let width = Float(texture.widthPx)
        let height = Float(texture.heightPx)
        let isInterpolated = isSmooth || (hasLevels && shrinking > 1.001)
        let opacity = adjustment.opacity
        let isPlain = adjustment.isPlain
        paint(canvas) { x, y in
            let color =
                isInterpolated
                ? texture.smooth(x: x * width, y: y * height, wraps: false)
                : texture.nearest(x: x * width, y: y * height)
            return isPlain ? color * opacity : adjustment.apply(color)
        }
    }

    /// How many texels there are to a pixel, along the direction in which there are most: in the middle of the first
    /// triangle.
    private func shrinking(_ texture: Texture) -> Float {
        guard triangles.count >= 3 else { return 0 }
        let (a, b, c) = (triangles[0], triangles[1], triangles[2])
        guard let plane = TrianglePlane(a.place, b.place, c.place) else { return 0 }
        let across = plane.gradient(a.across, b.across, c.across)
        let down = plane.gradient(a.down, b.down, c.down)
        let width = Float(texture.widthPx)
        let height = Float(texture.heightPx)
        let alongX = SIMD2(across.x * width, down.x * height)
        let alongY = SIMD2(across.y * width, down.y * height)
        return max((alongX * alongX).sum(), (alongY * alongY).sum()).squareRoot()
    }

    /// Which of the halved pictures is nearest in size.
    private static func level(_ shrinking: Float) -> Int {
        var level = 0
        // Halfway between two levels on the scale of logarithms.
        var limit: Float = 1.4142135
        while shrinking > limit, level < 16 {
            limit *= 2
            level += 1
        }
        return level
    }

    /// Paints all pixels with what `shade` gives for their places, `0...1` across and down.
    @inline(__always)
    private func paint(_ canvas: borrowing Canvas, _ shade: (Float, Float) -> SIMD4<Float>) {
        for first in stride(from: 0, to: triangles.count - 2, by: 3) {
            Self.paint(triangles[first], triangles[first + 1], triangles[first + 2], canvas, shade)
        }
    }

    @inline(__always)
    private static func paint(
        _ a: SurfaceVertex, _ b: SurfaceVertex, _ c: SurfaceVertex, _ canvas: borrowing Canvas,
        _ shade: (Float, Float) -> SIMD4<Float>
    ) {
        guard let plane = TrianglePlane(a.place, b.place, c.place) else { return }
        let inverse = SIMD3(1 / a.depth, 1 / b.depth, 1 / c.depth)
        let depth = plane.gradient(inverse.x, inverse.y, inverse.z)
        let across = plane.gradient(a.across * inverse.x, b.across * inverse.y, c.across * inverse.z)
        let down = plane.gradient(a.down * inverse.x, b.down * inverse.y, c.down * inverse.z)
        let isPlan = inverse == SIMD3(1, 1, 1)
        let rows = ConvexRows(a.place, b.place, c.place, area: plane.area)
        rows.forEach(on: canvas) { row, start, end in
            let pixels = canvas.row(row).pixels
            let y = Float(row) + 0.5
            for column in start..<end {
                let x = Float(column) + 0.5
                let w = isPlan ? 1 : 1 / (depth.base + x * depth.x + y * depth.y)
                let color = shade(
                    (across.base + x * across.x + y * across.y) * w, (down.base + x * down.x + y * down.y) * w)
                pixels[column] = ColorVector.over(color, pixels[column])
            }
        }
    }
}
