package import Colors
package import Parameters

/// A length of the box: pixels, or a part of the (cropped, turned) source.
package enum BoxLength: Hashable, Sendable {
    /// Pixels, 1–8192, before `scale`.
    case pixels(Int)
    /// Percent of the source's side, 0.01–1000, before `scale`.
    case percent(PlainDecimal)
}

/// How the picture meets the box `width` × `height`. With one of the two, all of them keep the ratio.
///
/// Without `enlarge` the box is an upper bound and no pixel is invented: `inside`, `outside` and `cover` never scale
/// above 1, and `cover` then cuts whatever still juts out, so a small source gives a picture that is smaller than the box
/// in one or both directions; `fill` clamps each side by itself; `contain` still gives the whole box, with the picture at
/// its own size on the background.
package enum Fit: String, CaseIterable, Sendable {
    /// As large as fits into the box; keeps the ratio.
    case inside
    /// Just large enough to cover the box; keeps the ratio; what juts out is cut off by gravity.
    case cover
    /// As `inside`, then padded to the box with the background; gravity says where the picture lies.
    case contain
    /// Exactly the box; distorts.
    case fill
    /// Just large enough to cover the box; keeps the ratio; nothing is cut.
    case outside
}

/// One of nine places.
package enum Compass: String, CaseIterable, Sendable {
    case center
    /// The middle of the upper side.
    case top
    /// The middle of the lower side.
    case bottom
    /// The middle of the left side.
    case left
    /// The middle of the right side.
    case right
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
}

/// What is kept, or where the picture lies, when there is more or less room than picture.
package enum Gravity: Hashable, Sendable {
    /// A side, a corner or the middle.
    case compass(Compass)
    /// Around a point, 0–1 of width and height of the upright picture's region.
    case focus(x: PlainDecimal, y: PlainDecimal)
    /// Around what the pixels say; the place where they say nothing.
    case interest(Interest, otherwise: Compass)

    package static let center = Gravity.compass(.center)
}

/// A region of the picture after EXIF orientation, flip and rotation by quarters, before resizing.
package enum CropRegion: Hashable, Sendable {
    /// Pixels; may lie partly outside and is clipped then. `x` and `y` may be negative.
    case pixels(PixelRect)
    /// Fractions of width and height, 0–1; what lies outside is clipped.
    case fractions(x: PlainDecimal, y: PlainDecimal, width: PlainDecimal, height: PlainDecimal)
    /// A size in pixels, at most the picture's, placed by gravity.
    case size(PixelSize, Gravity)
    /// The largest region of this ratio, placed by gravity.
    case ratio(width: PlainDecimal, height: PlainDecimal, Gravity)
}

/// How the stored picture is turned.
package enum Rotation: Hashable, Sendable {
    /// Made upright by EXIF, flipped, then turned clockwise by quarters (0–3), before sizing.
    case upright(quarterTurns: Int)
    /// Made upright by EXIF, flipped, and, after sizing, turned clockwise by more than 0 and less than 360 degrees, no
    /// multiple of 90. The canvas grows, or, straightened, the largest upright rectangle of the picture's ratio inside is kept.
    case arbitrary(degrees: PlainDecimal, isStraightened: Bool)
    /// `rotate=none`: EXIF orientation is ignored.
    case asStored
}

/// Mirroring, after EXIF orientation and before rotating.
package enum Flip: String, CaseIterable, Sendable {
    /// Exchanges left and right.
    case horizontal = "h"
    /// Exchanges top and bottom.
    case vertical = "v"
    case both = "hv"
}

/// The shapes that `mask` names.
package enum Mask: String, CaseIterable, Sendable {
    /// The largest circle that fits, in the middle; what is outside is transparent.
    case circle
    /// The largest ellipse that fits.
    case ellipse
}

/// A validated request for one picture, independent of the source. Two requests are equal if they ask for the same picture
/// by the same canonical text.
package struct ImageRequest: Sendable {
    /// Which asset; not checked beyond its length.
    package var id: String
    package var width: BoxLength?
    package var height: BoxLength?
    /// Multiplies the box and the lengths of filters, 0.5–4.
    package var scale: PlainDecimal = 1
    /// How the picture meets the box.
    package var fit = Fit.inside
    /// Whether the picture may grow beyond its source. Drawings always may.
    package var mayEnlarge = false
    /// Pixels an inch of a drawing (PDF, SVG), 36–600, in place of a box; nil where the box is open too is 72. Other sources
    /// have their pixels and pass it over.
    package var dpi: Int?
    /// The region to keep, before resizing; nil for all of it.
    package var crop: CropRegion?
    /// What `cover` keeps and where `contain` puts the picture.
    package var gravity = Gravity.center
    package var rotation = Rotation.upright(quarterTurns: 0)
    package var flip: Flip?
    /// Filters, left to right, at most 16.
    package var filters: [ImageFilter] = []
    /// What lies behind the picture. An opaque one shows wherever the source is transparent and fills what `contain`
    /// adds; a translucent one only fills what `contain` adds. Where the output holds no alpha it lies on white.
    package var background = Color.transparent
    /// Cuts borders of up to this tolerance, 0–255, before cropping; nil cuts none.
    package var trim: Int?
    /// Rounded corners; pixels before `scale` or percent of the shorter side.
    package var radius: BoxLength?
    /// A shape in place of rounded corners.
    package var mask: Mask?
    /// A picture laid over it, after the filters.
    package var overlay: Overlay?
    /// The page or frame, counted from 1; nil is the first, or all frames where the output can hold them.
    package var page: Int?
    /// Whether all pages are asked for that the output can hold (`pages=all`).
    package var hasAllPages = false
    /// The format asked for; nil is `auto`.
    package var format: OutputFormat?
    /// Whether not the picture but what is known of it is asked for (`format=json`).
    package var isDescription = false
    /// nil is the format's default.
    package var quality: Quality?
    /// The most bytes of the encoded picture, 100–100,000,000; nil where any number will do.
    package var byteLimit: Int?
    /// Whether formats that know both encode without loss.
    package var isLossless = false
    /// Whether JPEG is progressive, PNG interlaced.
    package var isProgressive = false
    /// 1 (quick) – 10 (small); nil is the default of the format.
    package var effort: Int?
    package var metadata = MetadataPolicy.none
    package var profile = ColorProfile.srgb
    /// The asset to show when the asset is missing.
    package var fallbackID: String?
    /// The name under which a browser saves the picture.
    package var downloadName: String?
    /// Whether the plan and what came of it are asked for instead of the picture (`explain=1`).
    package var isExplained = false

    /// A request for the whole asset as it is.
    package init(id: String) {
        self.id = id
    }
}
