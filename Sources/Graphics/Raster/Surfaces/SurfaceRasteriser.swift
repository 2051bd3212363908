extension Surface {
    /// O(covered pixels); a picture that is made smaller is first halved as often as needed.
    func draw(on canvas: borrowing Canvas) {
        switch content {
        case .picture(let texture, let isSmooth, let hasLevels, let adjustment):
            drawPicture(texture, isSmooth: isSmooth, hasLevels: hasLevels, adjustment, canvas)
        case .relief(let slopes, let isSmooth, let light):
            let shader = ReliefShader(light)
            paint(canvas) { x, y in
                let texel = slopes.sample(
                    x: x * Float(slopes.widthPx), y: y * Float(slopes.heightPx), isSmooth: isSmooth)
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
        _ texture: Texture, isSmooth: Bool, hasLevels: Bool, _ adjustment: PictureAdjustment, _ canvas: borrowing Canvas
    ) {
        let shrinking = shrinking(texture)
        let level = hasLevels ? Self.level(shrinking) : 0
        let texture = level > 0 ? texture.halved(times: level) : texture
        let (width, height) = (Float(texture.widthPx), Float(texture.heightPx))
        let isInterpolated = isSmooth || (hasLevels && shrinking > 1.001)
        let opacity = adjustment.opacity
        let isPlain = adjustment.isPlain
        paint(canvas) { x, y in
            let color = texture.sample(x: x * width, y: y * height, isSmooth: isInterpolated)
            return isPlain ? color * opacity : adjustment.apply(color)
        }
    }

    /// Texels per pixel in the direction with the most, in the middle of the first triangle.
    private func shrinking(_ texture: Texture) -> Float {
        guard triangles.count >= 3 else { return 0 }
        let (a, b, c) = (triangles[0], triangles[1], triangles[2])
        guard let plane = TrianglePlane(a.place, b.place, c.place) else { return 0 }
        let across = plane.gradient(a.across, b.across, c.across)
        let down = plane.gradient(a.down, b.down, c.down)
        let (width, height) = (Float(texture.widthPx), Float(texture.heightPx))
        let alongX = SIMD2(across.x * width, down.x * height)
        let alongY = SIMD2(across.y * width, down.y * height)
        return max((alongX * alongX).sum(), (alongY * alongY).sum()).squareRoot()
    }

    private static func level(_ shrinking: Float) -> Int {
        var level = 0
        // Halfway between two levels, by logarithms.
        var limit: Float = 1.4142135
        while shrinking > limit, level < 16 {
            limit *= 2
            level += 1
        }
        return level
    }

    /// `shade` gets places `0...1` across and down.
    @inline(__always) private func paint(_ canvas: borrowing Canvas, _ shade: (Float, Float) -> SIMD4<Float>) {
        for first in stride(from: 0, to: triangles.count - 2, by: 3) {
            Self.paint(Triangle(a: triangles[first], b: triangles[first + 1], c: triangles[first + 2]), canvas, shade)
        }
    }

    @inline(__always)
    private static func paint(
        _ surface: Triangle<SurfaceVertex>, _ canvas: borrowing Canvas, _ shade: (Float, Float) -> SIMD4<Float>
    ) {
        let (a, b, c) = (surface.a, surface.b, surface.c)
        guard let triangle = SpaceTriangle(a.place, b.place, c.place, depths: SIMD3(a.depth, b.depth, c.depth))
        else { return }
        let across = triangle.gradient(SIMD3(a.across, b.across, c.across))
        let down = triangle.gradient(SIMD3(a.down, b.down, c.down))
        let (pixels, widthPx) = (canvas.pixels, canvas.widthPx)
        triangle.forEachPixel(on: canvas) { row, column, at in
            let index = row &* widthPx &+ column
            pixels[index] = ColorVector.over(shade(at.value(across), at.value(down)), pixels[index])
        }
    }
}
