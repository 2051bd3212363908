package import Colors
package import Parameters

/// How the image fits the box `width` × `height`. With only one of them, all keep the ratio.
///
/// Without `enlarge` no pixel is invented: `inside`, `outside` and `cover` never scale above 1, and `cover` then crops
/// only what exceeds the box; `fill` limits each side by itself; `contain` still gives the whole box.
package enum Fit: String, CaseIterable, Sendable, Codable {
    /// As large as fits into the box; keeps the ratio.
    case inside
    /// Just large enough to cover the box; keeps the ratio; crops the rest by gravity.
    case cover
    /// As `inside`, then padded to the box with the background, placed by gravity.
    case contain
    /// Exactly the box; distorts.
    case fill
    /// Just large enough to cover the box; keeps the ratio; crops nothing.
    case outside
}

package enum Gravity: Hashable, Sendable, Codable {
    case compass(Compass)
    /// Around a point, 0–1 of width and height of the upright image's region.
    case focus(x: PlainDecimal, y: PlainDecimal)
    /// Around the most interesting part; at the place if there is none.
    case interest(Interest, otherwise: Compass)
    /// Around the focal point that somebody stored for the image; as `attention` where there is none.
    case stored(otherwise: Compass)

    package static let center = Gravity.compass(.center)
}

/// A region of the image after EXIF orientation, flip and rotation by quarters, before resizing.
package enum CropRegion: Hashable, Sendable, Codable {
    /// Clipped to the image; `x` and `y` may be negative.
    case pixels(PixelRect)
    case fractions(x: PlainDecimal, y: PlainDecimal, width: PlainDecimal, height: PlainDecimal)
    /// A size of at most the image's, placed by gravity.
    case size(PixelSize, Gravity)
    /// The largest region of this ratio, placed by gravity.
    case ratio(width: PlainDecimal, height: PlainDecimal, Gravity)
}

package enum Rotation: Hashable, Sendable, Codable {
    /// Made upright by EXIF, flipped, then turned clockwise by quarters (0–3), before sizing.
    case upright(quarterTurns: Int)
    /// As `upright` but, after sizing, rotated clockwise by an angle in 0–360 that is no multiple of 90. The canvas
    /// grows or, if straightened, the largest upright rectangle of the image's ratio is kept.
    case arbitrary(degrees: PlainDecimal, isStraightened: Bool)
    /// `rotate=none`: EXIF orientation is ignored.
    case asStored
}

/// Mirroring, after EXIF orientation and before rotating.
package enum Flip: String, CaseIterable, Sendable, Codable {
    case horizontal = "h"
    case vertical = "v"
    case both = "hv"
}

/// The largest such shape that fits, in the middle; the outside is transparent.
package enum Mask: String, CaseIterable, Sendable, Codable { case circle, ellipse }

/// A validated request for one image, independent of the source. Requests are equal if their canonical texts are.
package struct ImageRequest: Sendable, Codable {
    /// Not checked beyond its length.
    package var id: String
    package var width: BoxLength?
    package var height: BoxLength?
    /// Multiplies the box and the lengths of filters, 0.5–4.
    package var scale: PlainDecimal = 1
    package var fit = Fit.inside
    /// Whether the image may grow beyond its source. Drawings always may.
    package var mayEnlarge = false
    /// Pixels per inch of a drawing (PDF, SVG), 36–600, in place of a box; by default 72. Ignored for other sources.
    package var dpi: Int?
    package var crop: CropRegion?
    /// `crop` is a region of the image before flip and rotation, as in the IIIF Image API. Not part of the canonical text.
    package var cropsBeforeTurning = false
    /// A box that would need more pixels than the region has is refused, for other sources than drawings. Not part of the canonical
    /// text.
    package var refusesEnlarging = false
    /// An image with a longer side, before it is turned by any angle, is refused; without a box it becomes smaller. Not part of the
    /// canonical text.
    package var sideLimitPx: Int?
    /// A page of a PDF counts as having its pixels at 300 to the inch, at most so many, rather than those of its points. Not part of
    /// the canonical text.
    package var finePixelLimit: Int?
    /// A JPEG has the Huffman tables of the standard, not the best ones: larger, in less time. Not part of the canonical text.
    package var isQuick = false
    /// What `cover` keeps and where `contain` puts the image.
    package var gravity = Gravity.center
    /// That of the image, for ``Gravity/stored(otherwise:)``. A fact about the source, so not part of the canonical text.
    package var focalPoint: FocalPoint?
    package var rotation = Rotation.upright(quarterTurns: 0)
    package var flip: Flip?
    /// Around the fitted image, in the background.
    package var padding: Padding?
    /// In order, at most 16.
    package var filters: [ImageFilter] = []
    /// Opaque: shows through the source; translucent: fills the padding of `contain` only.
    package var background = Color.transparent
    /// `background=blur`: the padding and that of `contain` show the image once more, blurred.
    package var isBackgroundBlurred = false
    /// Cuts borders of up to this tolerance, 0–255, before cropping.
    package var trim: Int?
    /// Rounded corners; pixels before `scale` or percent of the shorter side.
    package var radius: BoxLength?
    package var mask: Mask?
    /// Drawn after the filters in this order, at most ``overlayLimit``.
    package var overlays: [Overlay] = []
    /// From 1; nil is the first, or all frames if the output can hold them.
    package var page: Int?
    /// `pages=all`.
    package var hasAllPages = false
    /// Nil is `auto`.
    package var format: OutputFormat?
    /// Whether a description is wanted instead of the image (`format=json`).
    package var isDescription = false
    /// Nil is the format's default.
    package var quality: Quality?
    /// The most bytes of the encoded image, 100–100,000,000.
    package var byteLimit: Int?
    /// The most colors of the result, 2–256, in formats with a palette.
    package var colorCount: Int?
    /// For formats with both kinds.
    package var isLossless = false
    /// Progressive JPEG, interlaced PNG.
    package var isProgressive = false
    /// 1 (fast) – 10 (small); nil is the format's default.
    package var effort: Int?
    package var metadata = MetadataPolicy.none
    package var profile = ColorProfile.srgb
    /// Nil keeps a gain map where the result is a JPEG for other reasons, and is no thumbnail.
    package var hdr: GainMapPolicy?
    /// The asset to show if the asset is missing.
    package var fallbackID: String?
    package var downloadName: String?
    /// Whether the plan and report are wanted instead of the image (`explain=1`).
    package var isExplained = false

    package init(id: String) { self.id = id }
}
