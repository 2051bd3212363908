import CVips
import ImagePlan

// Filters that look at neighbours.

extension FilterImage {
    /// Blurs at 16-bit precision to 16 bits.
    borrowing func blurred(sigma: Double) throws(ImageError) -> VipsImage {
        guard sigma > Filters.directSigmaLimit else { return try blurred(by: GaussianKernel(sigma: sigma)) }
        let size = PixelSize(widthPx: Int(shape.width), heightPx: Int(shape.height))
        let grid = ReducedGrid(size: size, sigma: sigma)
        let (factor, margin) = (grid.factor.cInt, grid.marginPx.cInt)
        var small = shape(colorBands: colorBands, isWide: true)
        small.width = grid.reduced.widthPx.cInt
        small.height = grid.reduced.heightPx.cInt
        let steps = max(1, Self.stepRowCount / grid.factor)
        let reduced = try unsafe made(small, model, stepRowCount: steps) {
            unsafe cvips_reduce_rows($0, $1, &small, factor, margin, $3, $4, $2.assumingMemoryBound(to: UInt16.self))
        }
        let smooth = try FilterImage(FilterImage(reduced, in: context).blurred(by: grid.reducedKernel), in: context)
        let scratch = FloatMemory(count: grid.reduced.widthPx * Int(small.bands))
        var result = shape(colorBands: colorBands, isWide: true)
        return try unsafe smooth.made(result, model) {
            unsafe cvips_enlarge_rows(
                $0.assumingMemoryBound(to: UInt16.self), &small, &result, factor, margin, $3, $4, scratch.floats, $2)
        }
    }

    private func blurred(by kernel: GaussianKernel) throws(ImageError) -> VipsImage {
        let weights = kernel.weights.map { Float($0) }
        let scratch = FloatMemory(count: (Int(shape.width) + 2 * kernel.reach) * Int(shape.bands))
        return try unsafe made(shape(colorBands: colorBands, isWide: true), model) {
            unsafe cvips_blur_rows(
                $0, $1, weights, kernel.reach.cInt, $3, $4, scratch.floats, $2.assumingMemoryBound(to: UInt16.self))
        }
    }

    /// Adds 1.5 times the difference of luma from its blur, less a level of noise; limited to +40 and −60 levels.
    func sharpened(sigma: Double) throws(ImageError) -> VipsImage {
        let plane = try unsafe made(shape(colorBands: 1, isWide: true), CVIPS_GREY) {
            unsafe cvips_luma_rows($0, $1, $3, $4, $2.assumingMemoryBound(to: UInt16.self))
        }
        let luma = try FilterImage(plane, in: context)
        let smooth = try FilterImage(luma.blurred(sigma: sigma), in: context)
        return try unsafe made(shape, model) {
            unsafe cvips_sharpen_rows(
                $0, $1, luma.pixels.assumingMemoryBound(to: UInt16.self),
                smooth.pixels.assumingMemoryBound(to: UInt16.self), 1.5, 1 / 255, 40 / 255, 60 / 255, $3, $4, $2)
        }
    }

    /// Adds `amount` times the difference from the blur where that is `threshold` levels or more.
    func unsharp(sigma: Double, amount: Double, threshold: Double) throws(ImageError) -> VipsImage {
        let smooth = try FilterImage(blurred(sigma: sigma), in: context)
        return try unsafe made(shape, model) {
            unsafe cvips_unsharp_rows(
                $0, $1, smooth.pixels.assumingMemoryBound(to: UInt16.self), Float(amount), Float(threshold / 255),
                $3, $4, $2)
        }
    }

    /// The median of the visible samples of a square, per color; keeps alpha.
    func median(radius: Int) throws(ImageError) -> VipsImage {
        let valueCount = shape.is_wide != 0 ? 65536 + 256 : 256 + 16
        let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: valueCount)
        defer { unsafe counts.deallocate() }
        unsafe counts.initialize(repeating: 0, count: valueCount)
        return try unsafe made(shape, model, stepRowCount: 4) {
            unsafe cvips_median_rows($0, $1, radius.cInt, $3, $4, counts, $2)
        }
    }

    /// Squares of their mean color, from the top left corner.
    func pixelated(size: Int) throws(ImageError) -> VipsImage {
        let size = max(1, size)
        return try unsafe made(shape, model, stepRowCount: size) {
            unsafe cvips_pixelate_rows($0, $1, size.cInt, $3, $4, $2)
        }
    }

    /// Half the slope of luma (Sobel), white for a step of half the range.
    func edges() throws(ImageError) -> VipsImage {
        let scratch = FloatMemory(count: 3 * (Int(shape.width) + 2))
        return try unsafe made(shape(colorBands: 1, isWide: shape.is_wide != 0), CVIPS_GREY) {
            unsafe cvips_edge_rows($0, $1, $3, $4, scratch.floats, $2)
        }
    }

    /// Adds the slope of luma: what rises towards the bottom right is lighter.
    func embossed() throws(ImageError) -> VipsImage {
        let scratch = FloatMemory(count: 3 * (Int(shape.width) + 2))
        return try unsafe made(shape, model) { unsafe cvips_emboss_rows($0, $1, $3, $4, scratch.floats, $2) }
    }
}
