import CVips
import ImagePlan

// Filters that look at neighbours.

extension FilterPicture {
    private var isWide: Bool { shape.is_wide != 0 }

    /// Blurred at 16 bits of precision; the result has 16 bits.
    borrowing func blurred(sigma: Double, shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        guard sigma > Filters.directSigmaLimit else {
            return try blurred(by: Bell(sigma: sigma), shouldStop: shouldStop)
        }
        let size = PixelSize(widthPx: Int(shape.width), heightPx: Int(shape.height))
        let grid = ReducedGrid(size: size, sigma: sigma)
        let (factor, margin) = (Int32(clamping: grid.factor), Int32(clamping: grid.marginPx))
        var small = shape(colorBands: colorBands, isWide: true)
        small.width = Int32(clamping: grid.reduced.widthPx)
        small.height = Int32(clamping: grid.reduced.heightPx)
        let steps = max(1, Self.stepRowCount / grid.factor)
        let reduced = try unsafe made(small, model, stepRowCount: steps, shouldStop: shouldStop) {
            var (shape, small) = (shape, small)
            unsafe cvips_reduce_rows(
                $0, &shape, &small, factor, margin, $2, $3, $1.assumingMemoryBound(to: UInt16.self))
        }
        let smooth = try FilterPicture(
            FilterPicture(reduced, shouldStop: shouldStop).blurred(by: grid.reducedBell, shouldStop: shouldStop),
            shouldStop: shouldStop)
        let scratch = FloatMemory(count: grid.reduced.widthPx * Int(small.bands))
        return try unsafe smooth.made(shape(colorBands: colorBands, isWide: true), model, shouldStop: shouldStop) {
            var (small, result) = (small, shape(colorBands: colorBands, isWide: true))
            unsafe cvips_enlarge_rows(
                $0.assumingMemoryBound(to: UInt16.self), &small, &result, factor, margin, $2, $3, scratch.floats, $1)
        }
    }

    private func blurred(by bell: Bell, shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        let weights = bell.weights.map { Float($0) }
        let scratch = FloatMemory(count: (Int(shape.width) + 2 * bell.reach) * Int(shape.bands))
        return try unsafe made(shape(colorBands: colorBands, isWide: true), model, shouldStop: shouldStop) {
            var shape = shape
            unsafe cvips_blur_rows(
                $0, &shape, weights, Int32(clamping: bell.reach), $2, $3, scratch.floats,
                $1.assumingMemoryBound(to: UInt16.self))
        }
    }

    /// Luma gains one and a half times what it has over its blurred self; the first level of that is left out, as noise, and no sample
    /// becomes more than 40 levels lighter or 60 darker, against halos.
    func sharpened(sigma: Double, shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        let plane = shape(colorBands: 1, isWide: true)
        let luma = try unsafe FilterPicture(
            made(plane, CVIPS_GREY, shouldStop: shouldStop) {
                var shape = shape
                unsafe cvips_luma_rows($0, &shape, $2, $3, $1.assumingMemoryBound(to: UInt16.self))
            }, shouldStop: shouldStop)
        let smooth = try FilterPicture(
            luma.blurred(sigma: sigma, shouldStop: shouldStop), shouldStop: shouldStop)
        return try unsafe made(shape, model, shouldStop: shouldStop) {
            var shape = shape
            unsafe cvips_sharpen_rows(
                $0, &shape, luma.pixels.assumingMemoryBound(to: UInt16.self),
                smooth.pixels.assumingMemoryBound(to: UInt16.self), 1.5, 1 / 255, 40 / 255, 60 / 255, $2, $3, $1)
        }
    }

    /// Every sample gains `amount` times what it has over its blurred self where that is `threshold` levels or more.
    func unsharp(
        sigma: Double, amount: Double, threshold: Double, shouldStop: () -> Bool
    ) throws(ImageError) -> VipsImage {
        let smooth = try FilterPicture(blurred(sigma: sigma, shouldStop: shouldStop), shouldStop: shouldStop)
        return try unsafe made(shape, model, shouldStop: shouldStop) {
            var shape = shape
            unsafe cvips_unsharp_rows(
                $0, &shape, smooth.pixels.assumingMemoryBound(to: UInt16.self), Float(amount), Float(threshold / 255),
                $2, $3, $1)
        }
    }

    /// The median of the visible samples of a square, for each color; alpha stays.
    func median(radius: Int, shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        let valueCount = isWide ? 65536 + 256 : 256 + 16
        let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: valueCount)
        defer { unsafe counts.deallocate() }
        unsafe counts.initialize(repeating: 0, count: valueCount)
        return try unsafe made(shape, model, stepRowCount: 4, shouldStop: shouldStop) {
            var shape = shape
            unsafe cvips_median_rows($0, &shape, Int32(clamping: radius), $2, $3, counts, $1)
        }
    }

    /// Squares of their mean, from the top left corner; those at the other sides may be cut.
    func pixelated(size: Int, shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        let size = max(1, size)
        return try unsafe made(shape, model, stepRowCount: size, shouldStop: shouldStop) {
            var shape = shape
            unsafe cvips_pixelate_rows($0, &shape, Int32(clamping: size), $2, $3, $1)
        }
    }

    /// Half the slope of luma (Sobel), white from a step of half the range.
    func edges(shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        let scratch = FloatMemory(count: 3 * (Int(shape.width) + 2))
        let result = shape(colorBands: 1, isWide: isWide)
        return try unsafe made(result, CVIPS_GREY, shouldStop: shouldStop) {
            var shape = shape
            unsafe cvips_edge_rows($0, &shape, $2, $3, scratch.floats, $1)
        }
    }

    /// The picture with the slope of its luma laid over it: what rises towards the bottom right is lighter.
    func embossed(shouldStop: () -> Bool) throws(ImageError) -> VipsImage {
        let scratch = FloatMemory(count: 3 * (Int(shape.width) + 2))
        return try unsafe made(shape, model, shouldStop: shouldStop) {
            var shape = shape
            unsafe cvips_emboss_rows($0, &shape, $2, $3, scratch.floats, $1)
        }
    }
}
