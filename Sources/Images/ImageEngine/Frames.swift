import Bytes
import CVips
import ImagePlan

/// The frames or pages of a source that a plan works on, one after the other.
///
/// Frames of an animation build on each other, so they are read as one tall picture from top to bottom: each is decoded
/// once, and no more than one is held. Pages of documents stand alone and are loaded one by one.
struct Frames: ~Copyable {
    /// How many there are.
    let count: Int
    private let bytes: SharedBytes
    private let traits: SourceTraits
    private let first: Int
    private let shouldStop: @Sendable () -> Bool
    private var tall: VipsImage?

    /// Prepares to read what `plan` selects; nothing is decoded. `shouldStop` as for `Source.load`.
    init(
        _ plan: ImagePlan, _ bytes: SharedBytes, _ traits: SourceTraits, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) {
        self.bytes = bytes
        self.shouldStop = shouldStop
        self.traits = traits
        switch plan.pages {
        case .one(let page): (first, count) = (page, 1)
        case .first(let number): (first, count) = (0, number)
        }
        guard count > 1, traits.isAnimated else {
            tall = nil
            return
        }
        tall = try Source.load(bytes, traits.format, page: 0, pageCount: count)
    }

    /// Frame `index`, lazily; to be asked for in order, and worked out before the next. Drawings (PDF, SVG) are drawn at
    /// `scale` times the size that they have by themselves.
    func frame(_ index: Int, scale: Double = 1) throws(ImageError) -> VipsImage {
        switch tall {
        case .some(let tall):
            return try tall.extracting(
                PixelRect(x: 0, y: index * traits.heightPx, widthPx: traits.widthPx, heightPx: traits.heightPx))
        case .none: break
        }
        let page = try Source.load(
            bytes, traits.format, page: first + index, scale: scale, shouldStop: shouldStop)
        // Sides are rounded at 1 and again at `scale`.
        func fits(_ side: Int, _ own: Int) -> Bool {
            scale == 1 ? side == own : abs(Double(side) - Double(own) * scale) <= max(1, scale)
        }
        guard fits(page.widthPx, traits.widthPx), fits(page.heightPx, traits.heightPx) else {
            throw .pagesDiffer
        }
        return page
    }
}

extension Source {
    /// The same file at `page`, counted from 1: pages of documents may differ in whatever the header says. Throws the limit
    /// that the page breaks.
    consuming func at(page: Int?, of bytes: SharedBytes, limits: ImageLimits) throws(ImageError) -> Source {
        guard let page, page > 1, page <= traits.pageCount, !traits.isAnimated else { return self }
        return try Source(page: page - 1, of: bytes, like: traits, limits: limits)
    }

    /// Page `page`, counted from 0, of a file whose first page has `traits`. Throws the limit that the page breaks.
    init(page: Int, of bytes: SharedBytes, like traits: SourceTraits, limits: ImageLimits) throws(ImageError) {
        let image = try Source.load(bytes, traits.format, page: page)
        var traits = traits
        traits.widthPx = image.widthPx
        traits.heightPx = image.heightPx
        if traits.format == .tiff { traits.orientation = image.orientation }
        traits.hasAlpha = image.hasAlpha
        traits.bitDepth = image.sampleBits > 8 ? 16 : 8
        try limits.check(
            PageClaim(
                widthPx: traits.widthPx, heightPx: traits.heightPx, pageCount: 1,
                isDecodedWhole: traits.format != .tiff))
        self.init(traits: traits, image: image)
    }
}
