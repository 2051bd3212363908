import Bytes

/// Sums of bell curves over a picture, shown as colors. They are smooth, so they are summed at a quarter of the size.
package struct DensityMap: Sendable {
    /// A bell curve over the square around it, with places from -1 to 1 across and down.
    package struct Bell: Sendable {
        /// Top left, top right, bottom left, bottom right.
        package var corners: (SurfaceVertex, SurfaceVertex, SurfaceVertex, SurfaceVertex)
        package var peak: Float
        /// From the middle to the sides of the square, in the curve's radii.
        package var reach: Float

        package init(corners: (SurfaceVertex, SurfaceVertex, SurfaceVertex, SurfaceVertex), peak: Float, reach: Float) {
            (self.corners, self.peak, self.reach) = (corners, peak, reach)
        }
    }

    /// Pixels of the picture to one of the sums.
    static let shrinking = 4

    let ramp: Texture
    let opacity: Float
    /// Sums around the picture that those at its sides are blended with: 1 where the picture goes on in others, else 0.
    let border: Int
    /// Where it is shown, without common pixels; nil for the whole picture.
    let clips: [ClipQuad]?
    private(set) var bells: [Bell] = []

    /// `ramp` is a row of colors for 0…1; `goesOn`: other pictures will adjoin this one.
    package init(ramp: Texture, opacity: Float, goesOn: Bool = false, clips: [ClipQuad]? = nil) {
        (self.clips, self.ramp, self.opacity) = (clips, ramp, opacity)
        border = goesOn ? 1 : 0
    }

    package mutating func add(_ bell: Bell) {
        let (a, b, c, d) = bell.corners
        if a.isPlaced, b.isPlaced, c.isPlaced, d.isPlaced, bell.peak.isFinite, bell.reach.isFinite {
            bells.append(bell)
        }
    }
}

extension DisplayList {
    /// Shows densities over the whole picture, or its clips: the first color of the ramp where there are none.
    package mutating func densities(_ map: DensityMap) { append(.densities(map)) }
}

/// The bell curve `e^(-4.5 r²)` as a table over r².
struct BellTable {
    private static let limit: Float = 8
    private static let stepsPerUnit: Float = 128
    private let values: [Float]

    init() {
        // e^(-4.5 / 128), multiplied up: the same on every machine, unlike a library's function.
        let step = 0.9654545521978378
        var value = 1.0
        values = (0...(Int(Self.limit * Self.stepsPerUnit) + 1)).map { _ in
            defer { value *= step }
            return Float(value)
        }
    }

    @inline(__always) func value(_ square: Float) -> Float {
        let place = square.held(to: 0...Self.limit) * Self.stepsPerUnit
        let index = Int(held: place, in: 0...(values.count - 2))
        let share = place - Float(index)
        return values[index] * (1 - share) + values[index + 1] * share
    }
}

extension DensityMap {
    /// O(pixels of the curves / 16 + pixels).
    func draw(on canvas: borrowing Canvas, shouldStop: @escaping () -> Bool) throws(RasterError) {
        let sums = DensitySums(canvas, shrinking: Self.shrinking, border: border)
        var check = StopCheck(shouldStop)
        for bell in bells {
            try check.count(256 + sums.area(of: bell))
            sums.add(bell)
        }
        guard let clips else {
            show(sums, on: canvas)
            return
        }
        var part = Canvas(pixels: canvas.pixels, widthPx: canvas.widthPx, heightPx: canvas.heightPx)
        for clip in clips {
            if shouldStop() { throw .cancelled }
            part.clip.set(clip)
            show(sums, on: part)
        }
    }

    private func show(_ densities: borrowing DensitySums, on canvas: borrowing Canvas) {
        let (sums, step) = (densities.values, densities.scale)
        let (width, height) = (densities.grid.widthPx, densities.grid.heightPx)
        let start = Float(border) - 0.5
        for row in canvas.clip.rows {
            let line = canvas.row(row)
            let y = max(0, (Float(row) + 0.5) * step.y + start)
            let top = min(Int(y), height - 1)
            let bottom = min(top + 1, height - 1)
            let shareY = y - Float(top)
            for column in line.start..<max(line.start, line.end) {
                let x = max(0, (Float(column) + 0.5) * step.x + start)
                let left = min(Int(x), width - 1)
                let right = min(left + 1, width - 1)
                let shareX = x - Float(left)
                let upper = sums[top * width + left] * (1 - shareX) + sums[top * width + right] * shareX
                let lower = sums[bottom * width + left] * (1 - shareX) + sums[bottom * width + right] * shareX
                let density = max(0, min(1, upper * (1 - shareY) + lower * shareY))
                let color = ramp.smooth(x: density * Float(ramp.widthPx), y: 0.5, wraps: false) * opacity
                line.pixels[column] = ColorVector.over(color, line.pixels[column])
            }
        }
    }
}

private struct DensitySums: ~Copyable {
    /// The sums as a canvas, for its clip alone; its pixels are not touched.
    let grid: Canvas
    let values: UnsafeMutableBufferPointer<Float>
    let scale: SIMD2<Float>
    private let offset: Float
    private let table = BellTable()

    init(_ canvas: borrowing Canvas, shrinking: Int, border: Int) {
        let inner = (width: max(1, canvas.widthPx / shrinking), height: max(1, canvas.heightPx / shrinking))
        grid = Canvas(pixels: canvas.pixels, widthPx: inner.width + border * 2, heightPx: inner.height + border * 2)
        values = .allocate(capacity: grid.widthPx * grid.heightPx)
        values.initialize(repeating: 0)
        scale = SIMD2(Float(inner.width) / Float(canvas.widthPx), Float(inner.height) / Float(canvas.heightPx))
        offset = Float(border)
    }

    deinit { values.deallocate() }

    func area(of bell: DensityMap.Bell) -> Int {
        let across = abs(bell.corners.3.x - bell.corners.0.x) * scale.x
        let down = abs(bell.corners.3.y - bell.corners.0.y) * scale.y
        // A larger product, and NaN, count as the whole grid.
        return across * down < Float(values.count) ? Int(across * down) : values.count
    }

    func add(_ bell: DensityMap.Bell) {
        let (corners, peak, squareReach) = (bell.corners, bell.peak, bell.reach * bell.reach)
        // A closure that reads members of this noncopyable value crashes Swift 6.3's compiler under the thread sanitizer.
        let (values, table, width) = (values, table, grid.widthPx)
        for (a, b, c) in [(corners.0, corners.1, corners.2), (corners.1, corners.2, corners.3)] {
            guard
                let triangle = SpaceTriangle(
                    a.place * scale + offset, b.place * scale + offset, c.place * scale + offset,
                    depths: SIMD3(a.depth, b.depth, c.depth))
            else { continue }
            let across = triangle.gradient(SIMD3(a.across, b.across, c.across))
            let down = triangle.gradient(SIMD3(a.down, b.down, c.down))
            triangle.forEachPixel(on: grid) { row, column, at in
                let (u, v) = (at.value(across), at.value(down))
                values[row * width + column] += peak * table.value((u * u + v * v) * squareReach)
            }
        }
    }
}
