extension AssetURL {
    /// How the image meets the box of ``size(width:height:)``.
    public enum Fit: String, Sendable, CaseIterable {
        /// As large as fits into the box; keeps the ratio.
        case inside
        /// Covers the box; what juts out is cut off by gravity.
        case cover
        /// As `inside`, then padded to the box with the background.
        case contain
        /// Exactly the box; distorts.
        case fill
        /// Covers the box; nothing is cut.
        case outside
    }

    /// One of nine places.
    public enum Place: String, Sendable, CaseIterable {
        /// The middle.
        case center
        /// The middle of a side.
        case top, bottom, left, right
        /// A corner.
        case topLeft = "top-left"
        /// A corner.
        case topRight = "top-right"
        /// A corner.
        case bottomLeft = "bottom-left"
        /// A corner.
        case bottomRight = "bottom-right"
    }

    /// Which part of the image is kept, or where it lies.
    public struct Gravity: Hashable, Sendable {
        let text: String

        /// What stands out most, by color and contrast.
        public static let attention = Gravity(text: "attention")
        /// Where there is most detail.
        public static let entropy = Gravity(text: "entropy")
        /// Faces if the server finds any, else what stands out.
        public static let smart = Gravity(text: "smart")

        /// Around the focal point that is stored on the server for the image; as ``attention`` where there is none.
        public static let storedFocus = Gravity(text: "focus")

        /// A side, a corner or the middle.
        public static func place(_ place: Place) -> Gravity { Gravity(text: place.rawValue) }
        /// Around a point, both 0…1 of width and height.
        public static func focus(x: Double, y: Double) -> Gravity { Gravity(text: "\(fraction(x))x\(fraction(y))") }
        /// This one, or the place where the pixels say nothing.
        public func otherwise(_ place: Place) -> Gravity { Gravity(text: "\(text),\(place.rawValue)") }
    }

    /// A region that is cut out before resizing.
    public struct Crop: Hashable, Sendable {
        let text: String

        /// Pixels of the upright image.
        public static func pixels(x: Int, y: Int, width: Int, height: Int) -> Crop {
            Crop(text: "\(x),\(y),\(width),\(height)")
        }
        /// Fractions of width and height, each 0…1.
        public static func fractions(x: Double, y: Double, width: Double, height: Double) -> Crop {
            Crop(text: [x, y, width, height].map(fraction).joined(separator: ","))
        }
        /// A size in pixels, placed by gravity.
        public static func size(width: Int, height: Int, _ gravity: Gravity? = nil) -> Crop {
            Crop(text: "\(width)x\(height)" + (gravity.map { "," + $0.text } ?? ""))
        }
        /// The largest region of a ratio, placed by gravity.
        public static func ratio(_ width: Double, _ height: Double, _ gravity: Gravity? = nil) -> Crop {
            Crop(text: "\(width.parameterText):\(height.parameterText)" + (gravity.map { "," + $0.text } ?? ""))
        }
    }

    /// How the stored image is turned.
    public struct Rotation: Hashable, Sendable {
        let text: String

        /// Upright by EXIF, the default.
        public static let auto = Rotation(text: "auto")
        /// As stored; EXIF is ignored.
        public static let none = Rotation(text: "none")
        /// Upright by EXIF, then clockwise, −360…360.
        public static func degrees(_ degrees: Double) -> Rotation { Rotation(text: degrees.parameterText) }
    }

    /// What becomes of the corners when the image is turned by other than right angles.
    public enum Corners: Sendable {
        /// The canvas grows.
        case grow
        /// The largest upright rectangle is kept.
        case straighten
    }

    /// Mirroring.
    public enum Flip: String, Sendable, CaseIterable {
        /// Exchanges left and right.
        case horizontal = "h"
        /// Exchanges top and bottom.
        case vertical = "v"
        /// Both.
        case both = "hv"
    }

    /// An outline; what lies outside is transparent.
    public enum Mask: String, Sendable, CaseIterable {
        /// The largest that fits.
        case circle, ellipse
    }

    /// What the image is encoded in.
    public enum Format: String, Sendable, CaseIterable {
        /// As the `Accept` field of the request allows.
        case auto
        /// A format.
        case jpeg, png, webp, avif, gif, tiff, jxl
    }

    /// How good the encoding looks.
    public struct Quality: Hashable, Sendable {
        let text: String

        /// 1…100.
        public static func score(_ score: Int) -> Quality { Quality(text: "\(score)") }
        /// The least bytes that look good enough.
        public static let auto = Quality(text: "auto")
        /// The least bytes that reach an SSIMULACRA2 score.
        public static func auto(_ target: Int) -> Quality { Quality(text: "auto:\(target)") }
    }

    /// Which metadata of the source is passed on.
    public enum Metadata: String, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// Copyright and artist.
        case copyright
        /// All of it, places too.
        case keep
    }

    /// What becomes of a gain map.
    public enum GainMap: String, Sendable, CaseIterable {
        /// A JPEG with its gain map, also for thumbnails.
        case keep
        /// No gain map.
        case drop
    }

    /// The color profile of the result.
    public enum Profile: String, Sendable, CaseIterable {
        /// sRGB; no profile is attached.
        case srgb
        /// Display P3.
        case p3
        /// The one of the source.
        case keep
    }

    private static func fraction(_ number: Double) -> String {
        let text = number.parameterText
        return text.contains(".") ? text : text + ".0"
    }
}

extension AssetURL {
    private func with(_ name: String, _ value: String?) -> AssetURL { parameter(name, value) }

    private func adding(_ name: String, _ value: String) -> AssetURL {
        var copy = self
        copy.parameters.append(name, value)
        return copy
    }

    /// The box in CSS pixels, 1–8192 before ``scale(_:)``; an open side follows the ratio.
    public func size(width: Int? = nil, height: Int? = nil) -> AssetURL {
        with("width", width.map(String.init)).with("height", height.map(String.init))
    }

    /// The box in percent of the source, 0.01–1000.
    public func size(widthPercent: Double? = nil, heightPercent: Double? = nil) -> AssetURL {
        with("width", widthPercent.map { $0.parameterText + "p" })
            .with("height", heightPercent.map { $0.parameterText + "p" })
    }

    /// Device pixels of a CSS pixel, 0.5–4: multiplies the box and the lengths of filters.
    public func scale(_ scale: Double) -> AssetURL { with("scale", scale.parameterText) }

    /// How the image meets the box, and what is kept.
    public func fit(_ fit: Fit, _ gravity: Gravity? = nil) -> AssetURL {
        let fitted = with("fit", fit.rawValue)
        return gravity.map { fitted.gravity($0) } ?? fitted
    }

    /// What `cover` keeps, and where `contain` puts the image.
    public func gravity(_ gravity: Gravity) -> AssetURL { with("gravity", gravity.text) }

    /// Whether the image may grow beyond its source.
    public func enlarge(_ isAllowed: Bool = true) -> AssetURL { with("enlarge", isAllowed ? "1" : nil) }

    /// Pixels an inch of a drawing (PDF, SVG) in place of a box, 36–600.
    public func dpi(_ dpi: Int) -> AssetURL { with("dpi", "\(dpi)") }

    /// Cuts off borders of up to this tolerance, 0–255.
    public func trim(tolerance: Int) -> AssetURL { with("trim", "\(tolerance)") }

    /// The region to keep, before resizing.
    public func crop(_ crop: Crop) -> AssetURL { with("crop", crop.text) }

    /// Covers the box by a gravity; needs both sides.
    public func crop(_ gravity: Gravity) -> AssetURL { with("crop", gravity.text) }

    /// Turns the image.
    public func rotate(_ rotation: Rotation, _ corners: Corners = .grow) -> AssetURL {
        with("rotate", rotation.text + (corners == .straighten ? ",straighten" : ""))
    }

    /// Mirrors the image.
    public func flip(_ flip: Flip) -> AssetURL { with("flip", flip.rawValue) }

    /// Adds filters after those that are there, at most 16 in all.
    public func filter(_ filters: Filter...) -> AssetURL {
        let texts = [parameters.value("filter")].compactMap { $0 } + filters.map(\.text)
        return with("filter", texts.joined(separator: ","))
    }

    /// What lies behind the image.
    public func background(_ color: URLColor) -> AssetURL { with("background", color.text) }

    /// The image once more in the place of a color, covering and blurred, where `contain` and padding leave room.
    public func blurredBackground() -> AssetURL { with("background", "blur") }

    /// Adds background around the fitted image, in CSS pixels, up to 4096: the result is larger than the box.
    public func padding(top: Int, right: Int, bottom: Int, left: Int) -> AssetURL {
        with("pad", "\(top),\(right),\(bottom),\(left)")
    }

    /// The same on every side.
    public func padding(_ pixels: Int) -> AssetURL { with("pad", "\(pixels)") }

    /// The same in percent of the shorter side of the fitted image, up to 100.
    public func padding(percent: Double) -> AssetURL { with("pad", percent.parameterText + "p") }

    /// Rounds the corners, in CSS pixels.
    public func radius(_ pixels: Int) -> AssetURL { with("radius", "\(pixels)") }

    /// Rounds the corners, in percent of the shorter side, up to 50.
    public func radius(percent: Double) -> AssetURL { with("radius", percent.parameterText + "p") }

    /// Cuts out an outline.
    public func mask(_ mask: Mask) -> AssetURL { with("mask", mask.rawValue) }

    /// Lays another asset over what is there, moved by `x` and `y` CSS pixels from its place; `percent` of the image, or nil: its
    /// own size. The opacity is 0…1. Turned clockwise by `degrees`; with a gap, copies that many CSS pixels apart cover the image.
    public func overlay(
        _ id: AssetID, at place: Place = .center, x: Int = 0, y: Int = 0, percent: Double? = nil, opacity: Double = 1,
        degrees: Double = 0, gap: Int? = nil
    ) -> AssetURL {
        let size = percent.map { $0.parameterText + "p" } ?? "1"
        let options = (degrees == 0 ? "" : "|rotate:" + degrees.parameterText) + (gap.map { "|tile:\($0)" } ?? "")
        return adding(
            "overlay", "\(id.rawValue):\(place.rawValue):\(x):\(y):\(size):\(opacity.parameterText)\(options)")
    }

    /// Draws words over what is there, in lines as they have them. Names and values of the options are those of the server's
    /// parameter `text`: `["size": "8p", "gravity": "bottom", "background": "00000080"]`.
    public func text(_ words: String, options: KeyValuePairs<String, String> = [:]) -> AssetURL {
        let escaped = words.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("\n", with: "\\n")
        return adding("text", escaped + options.map { "|\($0.key):\($0.value)" }.joined())
    }

    /// The page or frame, counted from 1.
    public func page(_ page: Int) -> AssetURL { with("page", "\(page)") }

    /// Every page that the format can hold.
    public func allPages() -> AssetURL { with("pages", "all") }

    /// The format; without one the server chooses by `Accept`.
    public func format(_ format: Format) -> AssetURL { with("format", format.rawValue) }

    /// How good the encoding looks.
    public func quality(_ quality: Quality) -> AssetURL { with("quality", quality.text) }

    /// The most bytes, 100–100,000,000.
    public func bytes(atMost count: Int) -> AssetURL { with("bytes", "\(count)") }

    /// At most this many colors, 2…256, as PNG or GIF.
    public func colors(atMost count: Int) -> AssetURL { with("colors", "\(count)") }

    /// Encodes without loss where the format knows both.
    public func lossless(_ isLossless: Bool = true) -> AssetURL { with("lossless", isLossless ? "1" : nil) }

    /// A progressive JPEG, an interlaced PNG.
    public func progressive(_ isProgressive: Bool = true) -> AssetURL { with("progressive", isProgressive ? "1" : nil) }

    /// How much work goes into few bytes: 1 (quick) to 10.
    public func effort(_ effort: Int) -> AssetURL { with("effort", "\(effort)") }

    /// Which metadata is passed on.
    public func metadata(_ metadata: Metadata) -> AssetURL { with("metadata", metadata.rawValue) }

    /// The color profile of the result.
    public func profile(_ profile: Profile) -> AssetURL { with("profile", profile.rawValue) }

    /// What becomes of the gain map of an HDR photograph.
    public func hdr(_ policy: GainMap) -> AssetURL { with("hdr", policy.rawValue) }

    /// The asset to show when this one is missing.
    public func fallback(_ id: AssetID) -> AssetURL { with("default", id.rawValue) }

    /// The name under which a browser saves the image.
    public func download(as name: String) -> AssetURL { with("download", name) }

    /// Sets of parameters that the server is configured with; what is said here wins over them.
    public func preset(_ names: String...) -> AssetURL { with("preset", names.joined(separator: ",")) }
}
