package import Parameters

/// How the result is encoded.
package struct Encoding: Hashable, Sendable {
    /// The format.
    package let format: OutputFormat
    /// 1–100, or nil where the format is lossless.
    package let quality: Int?

    /// Makes an encoding.
    package init(format: OutputFormat, quality: Int?) {
        self.format = format
        self.quality = quality
    }
}

/// One operation on pixels. Sizes and places are exact: nothing is left to the engine to round.
package enum ImageStep: Hashable, Sendable {
    /// Keeps this part of the stored picture; always lies inside it and is smaller than it.
    case extract(PixelRect)
    /// Resamples to exactly this size (of the stored, not yet turned picture); the two scales may differ.
    case resize(PixelSize)
    /// Keeps this part of the resized, not yet turned picture; always lies inside it and is smaller than it.
    case crop(PixelRect)
    /// Mirrors and turns; never the identity.
    case orient(Orientation)
    /// Lays the picture on a canvas of this size, its top-left corner at (`x`, `y`), 0 or more; the canvas is nowhere
    /// smaller than the picture. The rest takes the colour, which is opaque where the output holds no alpha.
    case pad(canvas: PixelSize, x: Int, y: Int, background: Colour)
    /// Applies a filter; lengths are already multiplied by the request's scale.
    case filter(ImageFilter)
    /// Lays the picture on this opaque colour and drops alpha; does nothing to a picture without alpha.
    case flatten(Colour)
}

/// What to do with one source, in order: `extract`, `resize`, `crop`, `orient`, `pad`, `filter`…, `flatten`. Steps that
/// would change nothing are left out, and blurs that follow each other are one.
///
/// Cropping comes before resizing and turning after it, in coordinates of the picture as it is stored: no full-size
/// picture is ever turned, and the loader may hand over a smaller picture in the first place (`loadShrinkLimit`).
package struct ImagePlan: Equatable, Sendable {
    /// The size of the stored picture that the plan was made for.
    package let source: PixelSize
    /// The operations in execution order.
    package let steps: [ImageStep]
    /// Columns of the result, at least 1; within the limits of the format.
    package let outputWidthPx: Int
    /// Rows of the result, at least 1; within the limits of the format.
    package let outputHeightPx: Int
    /// How to encode the result.
    package let encoding: Encoding

    /// Makes a plan of its parts.
    package init(source: PixelSize, steps: [ImageStep], output: PixelSize, encoding: Encoding) {
        self.source = source
        self.steps = steps
        self.outputWidthPx = output.widthPx
        self.outputHeightPx = output.heightPx
        self.encoding = encoding
    }

    /// The part of the stored picture that is needed; all of it where nothing is extracted.
    package var extract: PixelRect {
        for case .extract(let rect) in steps { return rect }
        return PixelRect(covering: source)
    }

    /// The size that the extracted part is resized to; its own size where nothing is resized. Not yet turned.
    package var resized: PixelSize {
        for case .resize(let size) in steps { return size }
        return extract.size
    }

    /// Columns of the resized picture per column of the extracted part.
    package var horizontalScale: Double { Double(resized.widthPx) / Double(extract.widthPx) }

    /// Rows of the resized picture per row of the extracted part.
    package var verticalScale: Double { Double(resized.heightPx) / Double(extract.heightPx) }

    /// The factor, at least 1, by which the loader may shrink the source in both directions without losing a pixel that
    /// the resized picture needs. 4.6 means: shrink by 4, then resample. The extracted rectangle is
    /// in pixels of the source all the same.
    package var loadShrinkLimit: Double { max(1, 1 / max(horizontalScale, verticalScale)) }
}
