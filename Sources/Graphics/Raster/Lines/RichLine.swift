/// Draws lines of any paint, also in perspective, pixel by pixel.
struct RichLine {
    private let paint: LinePaint

    init(_ paint: LinePaint) { self.paint = paint }

    func draw(_ a: LineVertex, _ b: LineVertex, _ c: LineVertex, _ canvas: borrowing Canvas) {
        guard let plane = TrianglePlane(a.place, b.place, c.place), a.depth > 0, b.depth > 0, c.depth > 0 else {
            return
        }
        let inverse = SIMD3(1 / a.depth, 1 / b.depth, 1 / c.depth)
        // What is linear on the ground is so on the picture when it is divided by the depth.
        func gradient(_ values: SIMD3<Float>) -> TrianglePlane.Gradient {
            let divided = values * inverse
            return plane.gradient(divided.x, divided.y, divided.z)
        }
        let depth = plane.gradient(inverse.x, inverse.y, inverse.z)
        let side = gradient(SIMD3(Float(a.side), Float(b.side), Float(c.side)))
        let round = gradient(SIMD3(Float(a.roundness), Float(b.roundness), Float(c.roundness)))
        let along = gradient(SIMD3(a.along, b.along, c.along))
        let progress = gradient(SIMD3(a.progress, b.progress, c.progress))
        let feather = gradient(SIMD3(a.feather, b.feather, c.feather))
        let shader = LineShader(paint)
        let rows = ConvexRows(a.place, b.place, c.place, area: plane.area)
        rows.forEach(on: canvas) { row, start, end in
            let y = Float(row) + 0.5
            let pixels = canvas.row(row).pixels
            for column in start..<end {
                let x = Float(column) + 0.5
                let w = 1 / (depth.base + x * depth.x + y * depth.y)
                func value(_ gradient: TrianglePlane.Gradient) -> Float {
                    (gradient.base + x * gradient.x + y * gradient.y) * w
                }
                let color = shader.color(
                    side: value(side), round: value(round), along: value(along), progress: value(progress),
                    feather: value(feather))
                pixels[column] = ColorVector.over(color, pixels[column])
            }
        }
    }
}

/// What one pixel of a line gets.
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

    /// The premultiplied color, `0...255` a channel.
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
            let place = progress * Float(ramp.widthPx)
            let texel =
                isSmooth
                ? ramp.smooth(x: place, y: 0.5, wraps: false)
                : ramp.texel(x: Int(max(0, min(Float(ramp.widthPx - 1), place))), y: 0)
            return texel * (coverage * opacity)
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
    /// How much of a dash there is at a place: 0 in gaps.
    @inline(__always)
    fileprivate func coverage(along: Float, side: Float) -> Float {
        let turns = along / period
        guard turns.isFinite else { return 0 }
        let x = (turns - turns.rounded(.down)) * Float(distances.widthPx)
        let middle = Float(distances.heightPx) * 0.5
        let distance = distances.smoothAlpha(x: x, y: middle - side * (middle - 0.5))
        let t = max(0, min(1, (distance - 0.5 + feather) / (2 * feather)))
        return t * t * (3 - 2 * t)
    }
}
