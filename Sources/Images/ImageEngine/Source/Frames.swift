import Bytes
import ImagePlan

/// The frames or pages of a source that a plan works on, in order. Frames of an animation build on each other: they are
/// read as one tall image from top to bottom, and at most one is held.
struct Frames: ~Copyable {
    let count: Int
    private let bytes: SharedBytes
    private let header: ImageHeader
    private let first: Int
    private let context: RenderContext
    private var tall: VipsImage?

    init(_ plan: ImagePlan, _ bytes: SharedBytes, _ header: ImageHeader, in context: RenderContext) throws(ImageError) {
        self.bytes = bytes
        self.context = context
        self.header = header
        switch plan.pages {
        case .one(let page): (first, count) = (page, 1)
        case .first(let number): (first, count) = (0, number)
        }
        guard count > 1, header.isAnimated else {
            tall = nil
            return
        }
        tall = try Source.load(bytes, header.format, pageCount: count)
    }

    /// Frame `index`, lazily; to be called in order, and worked out before the next call. `scale` applies to drawings.
    func frame(_ index: Int, scale: Double = 1) throws(ImageError) -> VipsImage {
        switch tall {
        case .some(let tall): return try tall.frame(index, of: header.size)
        case .none: break
        }
        let page = try Source.load(
            bytes, header.format, page: first + index, scale: scale, shouldStop: context.shouldStop)
        // Sides are rounded at 1 and again at `scale`.
        func fits(_ side: Int, _ own: Int) -> Bool {
            scale == 1 ? side == own : abs(Double(side) - Double(own) * scale) <= max(1, scale)
        }
        guard fits(page.widthPx, header.widthPx), fits(page.heightPx, header.heightPx) else { throw .pagesDiffer }
        return page
    }
}

extension VipsImage {
    func frame(_ index: Int, of size: PixelSize) throws(ImageError) -> VipsImage {
        try extracting(PixelRect(x: 0, y: index * size.heightPx, widthPx: size.widthPx, heightPx: size.heightPx))
    }
}
