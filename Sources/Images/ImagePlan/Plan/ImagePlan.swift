package import Colors
package import Parameters

/// What metadata goes out with the picture.
package enum MetadataPolicy: String, CaseIterable, Sendable {
    case none
    /// Copyright and artist of EXIF and nothing else.
    case copyright
    /// All that the source has and the format holds; GPS too.
    case keep
}

/// Which colors the picture comes out in.
package enum ColorProfile: String, CaseIterable, Sendable {
    /// sRGB; no profile is attached.
    case srgb
    /// Display P3, attached.
    case p3
    /// The source's own, attached; sRGB where it has none or the format cannot hold its model.
    case keep
}

package enum Quality: Hashable, Sendable {
    /// 1–100, as the encoder of the format takes it.
    case fixed(Int)
    /// The smallest encoding that reaches this SSIMULACRA2 score, 30–100.
    case auto(target: PlainDecimal)
}

package struct Encoding: Hashable, Sendable {
    /// The formats to choose from, at least one, but for pixels that are only looked at; of several, the smallest at like quality is sent.
    package var formats: [OutputFormat]
    /// Whether the source's own format may be sent too: it was asked for, or the client accepts it. Then a source of which
    /// no pixel changes can stay as it is.
    package var acceptsSource: Bool
    /// nil is the default of the format; always where no format has a quality.
    package var quality: Quality?
    /// The most bytes; nil where any number will do.
    package var byteLimit: Int?
    /// Whether formats that know both encode without loss.
    package var isLossless: Bool
    /// Whether JPEG is progressive, PNG interlaced.
    package var isProgressive: Bool
    /// 1 (quick) – 10 (small); nil is the default of the format.
    package var effort: Int?
    package var metadata: MetadataPolicy
    package var profile: ColorProfile

    /// Makes an encoding; everything left out is the default.
    package init(
        formats: [OutputFormat], acceptsSource: Bool = false, quality: Quality? = nil, byteLimit: Int? = nil,
        isLossless: Bool = false, isProgressive: Bool = false, effort: Int? = nil, metadata: MetadataPolicy = .none,
        profile: ColorProfile = .srgb
    ) {
        self.formats = formats
        self.acceptsSource = acceptsSource
        self.quality = quality
        self.byteLimit = byteLimit
        self.isLossless = isLossless
        self.isProgressive = isProgressive
        self.effort = effort
        self.metadata = metadata
        self.profile = profile
    }

    /// Whether WebP may be written with or without loss, whichever suits the pixels.
    package var leavesWebPOpen: Bool {
        if case .fixed? = quality { return false }
        return formats.contains(.webp) && !isLossless
    }
}

/// Which pages of the source are worked on, counted from 0.
package enum PageSelection: Hashable, Sendable {
    /// One page or frame.
    case one(Int)
    /// The first `count` pages or frames, 2 or more: the result is animated or has pages.
    case first(Int)
}

/// The shape that is left of the picture.
package enum MaskShape: Hashable, Sendable {
    /// Rounded corners of this radius in pixels, more than 0.
    case rounded(radiusPx: Double)
    /// The largest ellipse that fits.
    case ellipse
    /// The largest circle that fits, in the middle.
    case circle
}

/// How large an overlay is drawn.
package enum OverlaySize: Hashable, Sendable {
    /// Its own size times this, 0.01–10.
    case times(PlainDecimal)
    /// Inside this share of the picture's width and height, 0.01–100 %; its ratio stays.
    case percent(PlainDecimal)
}

/// A picture that is laid over the result.
package struct Overlay: Hashable, Sendable {
    package var id: String
    package var gravity: Compass
    /// How far from there, inwards from the sides that the gravity names, else to the right and down; pixels.
    package var x: Int
    package var y: Int
    package var size: OverlaySize
    /// 0–1.
    package var opacity: PlainDecimal

    package init(
        id: String, gravity: Compass = .center, x: Int = 0, y: Int = 0, size: OverlaySize = .times(1),
        opacity: PlainDecimal = 1
    ) {
        self.id = id
        self.gravity = gravity
        self.x = x
        self.y = y
        self.size = size
        self.opacity = opacity
    }
}

/// One operation on the pixels of one frame. Sizes and places are exact: nothing is left to the engine to round.
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
    /// smaller than the picture. The rest takes the color, which is opaque where the output holds no alpha.
    case pad(canvas: PixelSize, x: Int, y: Int, background: Color)
    /// Turns clockwise by degrees, more than 0, less than 360, around the middle; keeps the `canvas` around the middle, which
    /// is larger than the picture and shows `background` at its corners, or, straightened, inside it.
    case rotate(degrees: Double, canvas: PixelSize, background: Color)
    /// Applies a filter; lengths are already multiplied by the request's scale; never `look`.
    case filter(ImageFilter)
    /// Lays a picture over it; lengths are already multiplied by the request's scale.
    case overlay(Overlay)
    /// Cuts everything outside to transparency.
    case mask(MaskShape)
    /// Lays the picture on this opaque color and drops alpha; does nothing to a picture without alpha.
    case flatten(Color)
}

/// What to do with one source, in order: `extract`, `resize`, `crop`, `orient`, `pad`, `rotate`, `filter`…, `overlay`,
/// `mask`, `flatten`. Steps that would change nothing are left out, and blurs that follow each other are one.
///
/// Cropping comes before resizing and turning after it, in coordinates of the picture as it is stored: no full-size
/// picture is ever turned, and the loader may hand over a smaller picture in the first place (`loadShrinkLimit`).
package struct ImagePlan: Equatable, Sendable {
    /// The size of the stored picture (one page of it) that the plan was made for.
    package let source: PixelSize
    /// Which pages the steps are carried out on, each alike.
    package let pages: PageSelection
    /// Why fewer pages are worked on than were asked for; nil where none is left out.
    package let omission: PageOmission?
    package let steps: [ImageStep]
    /// Columns of the result, at least 1; within the limits of the format.
    package let outputWidthPx: Int
    /// Rows of the result, at least 1; within the limits of the format.
    package let outputHeightPx: Int
    package let encoding: Encoding

    /// Makes a plan of its parts.
    package init(
        source: PixelSize, pages: PageSelection = .one(0), omission: PageOmission? = nil, steps: [ImageStep],
        output: PixelSize, encoding: Encoding
    ) {
        self.source = source
        self.pages = pages
        self.omission = omission
        self.steps = steps
        self.outputWidthPx = output.widthPx
        self.outputHeightPx = output.heightPx
        self.encoding = encoding
    }

    /// What `match` finds in the first step in which it finds anything.
    package func first<Value>(_ match: (ImageStep) -> Value?) -> Value? {
        for step in steps { if let found = match(step) { return found } }
        return nil
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

    /// Whether the pixels of the source come out as they went in: nothing is left to do but to encode.
    package var isIdentity: Bool { steps.isEmpty && pages == .one(0) && omission == nil }
}

/// Why pages that were asked for are left out.
package enum PageOmission: String, Hashable, Sendable {
    /// All of them together have more pixels, or there are more, than the limits allow: only the first is there.
    case limit
    /// The format holds only one.
    case format
}
