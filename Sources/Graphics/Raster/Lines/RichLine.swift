/// Draws lines of any paint, also in perspective, pixel by pixel.
struct RichLine {
    private let paint: LinePaint

    init(_ paint: LinePaint) { self.paint = paint }

    func draw(_ line: Triangle<LineVertex>, on canvas: borrowing Canvas) {
        let (a, b, c) = (line.a, line.b, line.c)
        guard a.depth > 0, b.depth > 0, c.depth > 0,
            let triangle = SpaceTriangle(a.place, b.place, c.place, depths: SIMD3(a.depth, b.depth, c.depth))
        else { return }
        let side = triangle.gradient(SIMD3(Float(a.side), Float(b.side), Float(c.side)))
        let round = triangle.gradient(SIMD3(Float(a.roundness), Float(b.roundness), Float(c.roundness)))
        let along = triangle.gradient(SIMD3(a.along, b.along, c.along))
        let progress = triangle.gradient(SIMD3(a.progress, b.progress, c.progress))
        let feather = triangle.gradient(SIMD3(a.feather, b.feather, c.feather))
        let shader = LineShader(paint)
        let (pixels, widthPx) = (canvas.pixels, canvas.widthPx)
        triangle.forEachPixel(on: canvas) { row, column, at in
            let color = shader.color(
                side: at.value(side), round: at.value(round), along: at.value(along), progress: at.value(progress),
                feather: at.value(feather))
            let index = row &* widthPx &+ column
            pixels[index] = ColorVector.over(color, pixels[index])
        }
    }
}

struct LineShader {
    private let paint: LinePaint
    private let color: SIMD4<Float>

    init(_ paint: LinePaint) {
        self.paint = paint
        if case .color(let color) = paint.ink {
            self.color = ColorVector.unpacked(PixelBlender.packed(color))
        } else {
            color = SIMD4()
        }
    }

    @inline(__always)
    func color(side: Float, round: Float, along: Float, progress: Float, feather: Float) -> SIMD4<Float> {
        let distance = (side * side + round * round).squareRoot() * paint.outset
        let blur = paint.feather * feather
        var coverage = max(0, min(1, min(distance - (paint.inset - blur), paint.outset - distance) / blur))
        guard coverage > 0 else { return SIMD4() }
        if let dashes = paint.dashes {
            coverage *= dashes.coverage(along: along, side: side)
            guard coverage > 0 else { return SIMD4() }
        }
        switch paint.ink {
        case .color: return color * coverage
        case .ramp(let ramp, let isSmooth, let opacity):
            return ramp.sample(x: progress * Float(ramp.widthPx), y: 0.5, isSmooth: isSmooth) * (coverage * opacity)
        case .pattern(let image, let period, let opacity):
            let turns = along / period
            // The image with a pixel more on all sides, where it goes on.
            let x = (turns - turns.rounded(.down)) * Float(image.widthPx + 2) - 1
            let y = (side * 0.5 + 0.5) * Float(image.heightPx + 2) - 1
            return image.smooth(x: x, y: y, wraps: true) * (coverage * opacity)
        }
    }
}

extension LineDashes {
    @inline(__always) fileprivate func coverage(along: Float, side: Float) -> Float {
        let turns = along / period
        guard turns.isFinite else { return 0 }
        let x = (turns - turns.rounded(.down)) * Float(distances.widthPx)
        let middle = Float(distances.heightPx) * 0.5
        let distance = distances.smoothAlpha(x: x, y: middle - side * (middle - 0.5))
        let t = max(0, min(1, (distance - 0.5 + feather) / (2 * feather)))
        return t * t * (3 - 2 * t)
    }
}
