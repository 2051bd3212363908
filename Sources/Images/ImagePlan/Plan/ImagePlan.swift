package import Colors
package import Parameters

package enum MetadataPolicy: String, CaseIterable, Sendable, Codable {
    case none
    /// Copyright and artist alone.
    case copyright
    /// All that the source has and the format holds, with GPS.
    case keep
}

package enum ColorProfile: String, CaseIterable, Sendable, Codable {
    case srgb
    case p3
    /// The source's own, with its profile; sRGB if it has none or the format cannot hold its model.
    case keep
}

package enum Quality: Hashable, Sendable, Codable {
    /// 1–100, on the scale of the encoder.
    case fixed(Int)
    /// The smallest encoding that reaches this SSIMULACRA2 score, 30–100.
    case auto(target: PlainDecimal)
}

package struct Encoding: Hashable, Sendable, Codable {
    /// The formats to choose from, of which the smallest at equal quality is sent; empty for analysis only.
    package var formats: [OutputFormat]
    /// Whether the source's own format may be sent: then a source of which no pixel changes can stay as it is.
    package var acceptsSource: Bool
    /// Nil is the format's default; always nil if no format has a quality.
    package var quality: Quality?
    package var byteLimit: Int?
    /// The most colors, 2–256; then every format has a palette.
    package var colorCount: Int?
    /// For formats with both kinds.
    package var isLossless: Bool
    /// Progressive JPEG, interlaced PNG.
    package var isProgressive: Bool
    /// JPEG with the Huffman tables of the standard.
    package var isQuick = false
    /// 1 (fast) – 10 (small); nil is the format's default.
    package var effort: Int?
    package var metadata: MetadataPolicy
    package var profile: ColorProfile
    /// Nil for a source without a gain map.
    package var gainMap: GainMapChoice?

    package init(
        formats: [OutputFormat], acceptsSource: Bool = false, quality: Quality? = nil, byteLimit: Int? = nil,
        colorCount: Int? = nil, isLossless: Bool = false, isProgressive: Bool = false, effort: Int? = nil,
        metadata: MetadataPolicy = .none, profile: ColorProfile = .srgb
    ) {
        (self.formats, self.acceptsSource, self.quality) = (formats, acceptsSource, quality)
        (self.byteLimit, self.isLossless, self.isProgressive) = (byteLimit, isLossless, isProgressive)
        (self.effort, self.metadata, self.profile) = (effort, metadata, profile)
        self.colorCount = colorCount
    }

    /// The most pixels of an image, or frame, whose colors are reduced: half a second.
    static let paletteAreaLimitPx = 4_000_000

    /// Whether every result may have samples of 16 bits.
    package var mayHold16Bits: Bool {
        !formats.isEmpty && formats.allSatisfy(\.holds16Bits) && quality == nil && byteLimit == nil && colorCount == nil
    }

    /// Whether WebP may be lossy or lossless, whichever suits the pixels.
    package var leavesWebPOpen: Bool {
        if case .fixed? = quality { return false }
        return formats.contains(.webp) && !isLossless
    }
}

package enum PageSelection: Hashable, Sendable, Codable {
    case one(Int)
    /// The first `count` pages or frames, at least 2: the result is animated or has pages.
    case first(Int)

    package var count: Int { if case .first(let count) = self { count } else { 1 } }
}

package enum MaskShape: Hashable, Sendable, Codable {
    /// Corners of this radius in pixels, more than 0.
    case rounded(radiusPx: Double)
    /// The largest ellipse that fits.
    case ellipse
    /// The largest circle that fits, in the middle.
    case circle
}

/// Sizes and places are exact: the engine rounds nothing.
package enum ImageStep: Hashable, Sendable, Codable {
    /// Keeps a smaller part of the stored image.
    case extract(PixelRect)
    /// Resamples to exactly this size (of the stored, not yet turned image); the two scales may differ.
    case resize(PixelSize)
    /// Keeps a smaller part of the resized, not yet turned image.
    case crop(PixelRect)
    /// Never the identity.
    case orient(Orientation)
    /// The canvas is nowhere smaller, with the image's top-left corner at (`x`, `y`). Opaque without alpha.
    case pad(canvas: PixelSize, x: Int, y: Int, background: Color)
    /// As `pad`, on the image itself, which covers the canvas, blurred and a little darker.
    case surround(canvas: PixelSize, x: Int, y: Int)
    /// Clockwise, in 0–360, around the middle; `canvas` is larger than the image or, if straightened, lies inside it.
    case rotate(degrees: Double, canvas: PixelSize, background: Color)
    /// With lengths already scaled; never `look`.
    case filter(ImageFilter)
    /// With lengths already scaled.
    case overlay(Overlay)
    case mask(MaskShape)
    /// Composites on this opaque color and drops alpha; nothing for an image without alpha.
    case flatten(Color)
}

/// What to do with one source, in order: `extract`, `resize`, `crop`, `orient`, `pad` or `surround`, `rotate`, `filter`…,
/// `overlay`…, `mask`, `flatten`, without steps that would change nothing. Cropping precedes resizing and turning follows it, in
/// coordinates of the stored image: no full-size image is ever turned, and the loader may shrink it.
package struct ImagePlan: Equatable, Sendable, Codable {
    /// The size of one page of the stored image that the plan was made for; of a PDF in points, or finer.
    package let source: PixelSize
    package let pages: PageSelection
    package let omission: PageOmission?
    package let steps: [ImageStep]
    /// The size of the result, within the limits of the format.
    package let outputWidthPx: Int
    package let outputHeightPx: Int
    package let encoding: Encoding

    package init(
        source: PixelSize, pages: PageSelection = .one(0), omission: PageOmission? = nil, steps: [ImageStep],
        output: PixelSize, encoding: Encoding
    ) {
        (self.source, self.pages, self.omission, self.steps) = (source, pages, omission, steps)
        (outputWidthPx, outputHeightPx, self.encoding) = (output.widthPx, output.heightPx, encoding)
    }

    package func first<Value>(_ match: (ImageStep) -> Value?) -> Value? {
        for step in steps { if let found = match(step) { return found } }
        return nil
    }

    package var extract: PixelRect {
        for case .extract(let rect) in steps { return rect }
        return PixelRect(covering: source)
    }

    /// The size of the extracted part after resizing, not yet turned.
    package var resized: PixelSize {
        for case .resize(let size) in steps { return size }
        return extract.size
    }

    package var horizontalScale: Double { Double(resized.widthPx) / Double(extract.widthPx) }
    package var verticalScale: Double { Double(resized.heightPx) / Double(extract.heightPx) }

    /// By how much the loader may shrink the source without losing a pixel: 4.6 means shrink by 4, then resample.
    package var loadShrinkLimit: Double { max(1, 1 / max(horizontalScale, verticalScale)) }
}

package enum PageOmission: String, Hashable, Sendable, Codable {
    /// There are more pages, or pixels in all, than the limits allow.
    case limit
    case format
}
