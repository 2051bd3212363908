import Bytes
import Glibc
import ImagePlan
import Parameters

/// The pixels of an overlay that are held: a part of a grid over all of it.
struct OverlayGrid {
    /// Of the whole overlay.
    var size: PixelSize
    var window: PixelRect

    /// One pixel for each of the image, of an overlay at `place` that is seen in `visible`.
    init(_ place: PixelRect, _ visible: PixelRect) {
        size = place.size
        window = PixelRect(
            x: visible.x - place.x, y: visible.y - place.y, widthPx: visible.widthPx, heightPx: visible.heightPx)
    }

    /// Coarser where it would have more than `limit` pixels in the window.
    func held(to limit: Double) -> OverlayGrid {
        let share = (limit / (Double(window.widthPx) * Double(window.heightPx))).squareRoot()
        guard share < 1 else { return self }
        var grid = self
        func side(_ count: Int) -> Int { Int(held: (Double(count) * share).rounded(), in: 1...count) }
        grid.size = PixelSize(widthPx: side(size.widthPx), heightPx: side(size.heightPx))
        func span(_ start: Int, _ count: Int, of whole: Int, in size: Int) -> Range<Int> {
            let scale = Double(size) / Double(whole)
            let low = Int(held: (Double(start) * scale).rounded(.down), in: 0...size - 1)
            return low..<max(low + 1, Int(held: (Double(start + count) * scale).rounded(.up), in: 0...size))
        }
        let columns = span(window.x, window.widthPx, of: size.widthPx, in: grid.size.widthPx)
        let rows = span(window.y, window.heightPx, of: size.heightPx, in: grid.size.heightPx)
        grid.window = PixelRect(x: columns.lowerBound, y: rows.lowerBound, widthPx: columns.count, heightPx: rows.count)
        return grid
    }
}

/// How an overlay lies on an image: turned around its middle, and repeated if it has a gap.
struct OverlayPose {
    private let place: PixelRect
    private let gap: Double?
    private let sine: Double
    private let cosine: Double
    private let middle: SIMD2<Double>

    init(_ overlay: Overlay, at place: PixelRect) {
        self.place = place
        gap = overlay.gap.map(Double.init)
        let angle = overlay.degrees.double * .pi / 180
        (sine, cosine) = overlay.degrees == 0 ? (0, 1) : (sin(angle), cos(angle))
        middle = [Double(place.x) + Double(place.widthPx) / 2, Double(place.y) + Double(place.heightPx) / 2]
    }

    /// The part of an image of `size` that it may cover; nil if there is none.
    func visible(on size: PixelSize) -> PixelRect? {
        let image = PixelRect(covering: size)
        if gap != nil { return image }
        if sine == 0, cosine == 1 { return place.intersection(image) }
        let half = SIMD2(Double(place.widthPx), Double(place.heightPx)) / 2
        return Self.box(around: middle, reach(half)).intersection(image)
    }

    /// What is to be held of an overlay that is turned or repeated: what an image of `size` shows of it, at most about twice as many
    /// pixels as the image has.
    func grid(on size: PixelSize) -> OverlayGrid {
        let limit = 2 * Double(size.widthPx) * Double(size.heightPx)
        guard gap == nil else { return OverlayGrid(place, place).held(to: limit) }
        // The image as the overlay sees it, with what lies between pixels.
        let half = SIMD2(Double(size.widthPx), Double(size.heightPx)) / 2
        let (across, down) = (half.x - middle.x, half.y - middle.y)
        let center = SIMD2(across * cosine + down * sine, down * cosine - across * sine) + middle
        let seen = Self.box(around: center, reach(half) + 2)
        return OverlayGrid(place, place.intersection(seen) ?? place).held(to: limit)
    }

    /// Half the sides of the box around a turned rectangle with these.
    private func reach(_ half: SIMD2<Double>) -> SIMD2<Double> {
        [half.x * abs(cosine) + half.y * abs(sine), half.x * abs(sine) + half.y * abs(cosine)]
    }

    private static func box(around middle: SIMD2<Double>, _ reach: SIMD2<Double>) -> PixelRect {
        let limit = 1 << 24
        func side(_ place: Double, _ rule: FloatingPointRoundingRule) -> Int {
            Int(held: place.rounded(rule), in: -limit...limit)
        }
        let (low, high) = (middle - reach, middle + reach)
        let (left, top) = (side(low.x, .down), side(low.y, .down))
        return PixelRect(x: left, y: top, widthPx: side(high.x, .up) - left, heightPx: side(high.y, .up) - top)
    }

    /// The pixels of `visible`, from those of `grid`: straight RGBA.
    func pixels(
        _ source: borrowing PixelBuffer, _ grid: OverlayGrid, in visible: PixelRect, stoppingBy context: RenderContext
    ) throws(ImageError) -> PixelBuffer {
        let result = try PixelBuffer(like: source, size: visible.size)
        for row in 0..<visible.heightPx {
            if row % 32 == 0 { try context.checkStop() }
            if source.sampleByteCount == 2 {
                fill(result, row: row, at: visible, from: source, grid, UInt16.self)
            } else {
                fill(result, row: row, at: visible, from: source, grid, UInt8.self)
            }
        }
        return result
    }

    private func fill<Sample: FixedWidthInteger & UnsignedInteger>(
        _ result: borrowing PixelBuffer, row: Int, at visible: PixelRect, from source: borrowing PixelBuffer,
        _ grid: OverlayGrid, _: Sample.Type
    ) {
        guard let target = unsafe result.row(row)?.assumingMemoryBound(to: Sample.self) else { return }
        let texels = OverlayTexels<Sample>(source, repeats: gap == 0)
        let size = SIMD2(Double(place.widthPx), Double(place.heightPx))
        let texelsPerPixel = SIMD2(Double(grid.size.widthPx), Double(grid.size.heightPx)) / size
        let origin = SIMD2(Double(grid.window.x), Double(grid.window.y)) + 0.5
        let (across, down) = (Double(visible.x) + 0.5 - middle.x, Double(visible.y + row) + 0.5 - middle.y)
        // Turned back, and from the top left of the overlay on.
        let start = (SIMD2(across * cosine + down * sine, down * cosine - across * sine) + size / 2) * texelsPerPixel
        let step = SIMD2(cosine, -sine) * texelsPerPixel
        let period = gap.map { (size + $0) * texelsPerPixel }
        let low = texelsPerPixel * -0.5 - origin
        var (x, y) = (
            TexelWalk(start.x - origin.x, step.x, from: low.x, period: period?.x),
            TexelWalk(start.y - origin.y, step.y, from: low.y, period: period?.y)
        )
        for column in 0..<visible.widthPx {
            unsafe texels.read(x, y, into: target + 4 * column)
            x.advance()
            y.advance()
        }
    }
}

/// A coordinate that grows by the same step from pixel to pixel, within a period if there is one. In 1/2³² texels.
private struct TexelWalk {
    private static let unit = Double(1 << 32)
    private static let limit = 1 << 60

    private var place: Int
    private let step: Int
    private let low: Int
    private let period: Int

    init(_ start: Double, _ step: Double, from low: Double, period: Double?) {
        func fixed(_ number: Double) -> Int { Int(held: (number * Self.unit).rounded(), in: -Self.limit...Self.limit) }
        (self.step, self.low, self.period) = (fixed(step), fixed(low), fixed(period ?? 0))
        // Moved by whole periods, of which none is shorter than a step.
        place = fixed(period.map { start - ((start - low) / $0).rounded(.down) * $0 } ?? start)
        wrap()
    }

    mutating func advance() {
        place &+= step
        wrap()
    }

    private mutating func wrap() {
        guard period > 0 else { return }
        if place < low { place &+= period } else if place &- low >= period { place &-= period }
    }

    /// The texel at or before it.
    var index: Int { place >> 32 }
    /// How far it is beyond that, of 256.
    var part: UInt64 { UInt64(truncatingIfNeeded: place >> 24) & 255 }
}

/// Reads straight RGBA between its pixels, linearly by premultiplied samples.
@safe private struct OverlayTexels<Sample: FixedWidthInteger & UnsignedInteger>: ~Copyable {
    private let first: UnsafePointer<Sample>?
    private let width: Int
    private let height: Int
    private let repeats: Bool

    /// Valid as long as `source` is.
    init(_ source: borrowing PixelBuffer, repeats: Bool) {
        unsafe first = source.row(0).map { unsafe UnsafePointer($0.assumingMemoryBound(to: Sample.self)) }
        (width, height, self.repeats) = (source.size.widthPx, source.size.heightPx, repeats)
    }

    /// Leaves `pixel`, four samples, as it is where nothing is seen.
    @unsafe func read(_ x: TexelWalk, _ y: TexelWalk, into pixel: UnsafeMutablePointer<Sample>) {
        let (column, row) = (x.index, y.index)
        guard let first = unsafe first, column >= -1, row >= -1, column < width, row < height else { return }
        let (right, below) = (x.part, y.part)
        if right == 0, below == 0 {
            guard let index = index(column, row) else { return }
            for band in 0..<4 { unsafe pixel[band] = first[index + band] }
            return
        }
        var (red, green, blue, alpha): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for corner in 0..<4 {
            guard let index = index(column + (corner & 1), row + (corner >> 1)) else { continue }
            let weight = (corner & 1 == 1 ? right : 256 - right) * (corner >> 1 == 1 ? below : 256 - below)
            let share = unsafe weight &* UInt64(first[index + 3])
            red &+= unsafe share &* UInt64(first[index])
            green &+= unsafe share &* UInt64(first[index + 1])
            blue &+= unsafe share &* UInt64(first[index + 2])
            alpha &+= share
        }
        guard alpha > 0 else { return }
        let scale = 1 / Double(alpha)
        func whole(_ sum: UInt64) -> Sample { Sample(held: Double(sum) * scale + 0.5, in: 0...Sample.max) }
        unsafe (pixel[0], pixel[1], pixel[2]) = (whole(red), whole(green), whole(blue))
        unsafe pixel[3] = Sample(truncatingIfNeeded: (alpha + 32768) >> 16)
    }

    @inline(__always) private func index(_ x: Int, _ y: Int) -> Int? {
        if repeats {
            let (column, row) = (x < 0 ? width - 1 : x < width ? x : 0, y < 0 ? height - 1 : y < height ? y : 0)
            return 4 * (row * width + column)
        }
        guard x >= 0, y >= 0, x < width, y < height else { return nil }
        return 4 * (y * width + x)
    }
}
