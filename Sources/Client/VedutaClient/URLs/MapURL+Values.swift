extension MapURL {
    /// What becomes of the ground around a box that has another ratio than the map.
    public enum Clip: String, Sendable, CaseIterable {
        /// The map contains the box.
        case outside
        /// The box contains the map.
        case inside
    }

    /// A margin between the sides of the map and the area that was asked for, in CSS pixels.
    public struct Padding: Hashable, Sendable {
        /// Pixels, 0–4096.
        public var top: Int
        /// Pixels, 0–4096.
        public var right: Int
        /// Pixels, 0–4096.
        public var bottom: Int
        /// Pixels, 0–4096.
        public var left: Int

        /// A margin at each side.
        public init(top: Int, right: Int, bottom: Int, left: Int) {
            (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
        }

        /// The same margin at all sides.
        public init(_ pixels: Int) { self.init(top: pixels, right: pixels, bottom: pixels, left: pixels) }

        var text: String { "\(top),\(right),\(bottom),\(left)" }
    }

    /// Which of a pair of styles is meant.
    public enum Theme: String, Sendable, CaseIterable {
        /// By day, by night.
        case light, dark
        /// As the client prefers, by `Sec-CH-Prefers-Color-Scheme`.
        case auto
    }

    /// Which points of interest are shown.
    public enum Interests: Hashable, Sendable {
        /// Those of the source, also those that the style leaves out.
        case all
        /// None.
        case none
        /// At most 32 classes, as the source names them, such as `museum`.
        case only([String])

        var text: String {
            switch self {
            case .all: "all"
            case .none: "none"
            case .only(let classes): classes.joined(separator: ",")
            }
        }
    }

    /// Where the names of the sources stand.
    public enum Attribution: String, Sendable, CaseIterable {
        /// A corner.
        case bottomRight = "bottom-right"
        /// A corner.
        case bottomLeft = "bottom-left"
        /// A corner.
        case topRight = "top-right"
        /// A corner.
        case topLeft = "top-left"
        /// Nowhere, where the server allows it: for pages that name the sources themselves.
        case none
    }

    /// A corner of a map.
    public enum Corner: String, Sendable, CaseIterable {
        /// A corner.
        case bottomRight = "bottom-right"
        /// A corner.
        case bottomLeft = "bottom-left"
        /// A corner.
        case topRight = "top-right"
        /// A corner.
        case topLeft = "top-left"
    }

    /// The units of a scale bar.
    public enum ScaleUnits: String, Sendable, CaseIterable {
        /// Kilometres and metres; miles and feet; one above the other.
        case metric, imperial, both
        /// Nautical miles.
        case nautical
    }

    /// What the map is encoded in.
    public enum Format: String, Sendable, CaseIterable {
        /// As the `Accept` field of the request allows.
        case auto
        /// A format.
        case jpeg, png, webp, avif
    }
}

extension MapURL {
    /// A level of the world of 256 pixels, 0–24.
    public func zoom(_ level: Double) -> MapURL { parameter("zoom", level.parameterText) }

    /// A level of the world of 512 pixels, −1…23, as MapLibre GL counts them.
    public func glZoom(_ level: Double) -> MapURL { parameter("glzoom", level.parameterText) }

    /// Degrees of latitude and longitude that must be visible around the place.
    public func span(latitude: Double, longitude: Double) -> MapURL {
        parameter("span", "\(latitude.parameterText),\(longitude.parameterText)")
    }

    /// Metres of ground that must be visible from side to side, and from top to bottom.
    public func meters(_ width: Double, height: Double? = nil) -> MapURL {
        parameter("meters", [width, height].compactMap { $0?.parameterText }.joined(separator: ","))
    }

    /// CSS pixels, 16–4096.
    public func size(width: Int, height: Int) -> MapURL {
        parameter("width", "\(width)").parameter("height", "\(height)")
    }

    /// Device pixels of a CSS pixel, 1–4.
    public func scale(_ scale: Double) -> MapURL { parameter("scale", scale.parameterText) }

    /// Degrees clockwise from north that point up.
    public func bearing(_ degrees: Double) -> MapURL { parameter("bearing", degrees.parameterText) }

    /// Degrees of tilt, 0–60.
    public func pitch(_ degrees: Double) -> MapURL { parameter("pitch", degrees.parameterText) }

    /// A margin around the area that was asked for.
    public func padding(_ padding: Padding) -> MapURL { parameter("padding", padding.text) }

    /// A style of the server.
    public func style(_ name: String) -> MapURL { parameter("style", name) }

    /// By day, by night, or as the client prefers.
    public func theme(_ theme: Theme) -> MapURL { parameter("theme", theme.rawValue) }

    /// Whether there are labels.
    public func labels(_ isOn: Bool) -> MapURL { parameter("labels", isOn ? nil : "off") }

    /// Which points of interest are shown; without it those of the style.
    public func interests(_ interests: Interests) -> MapURL { parameter("poi", interests.text) }

    /// Languages of labels (BCP 47), the first that a feature has a name in.
    public func language(_ tags: String...) -> MapURL { parameter("language", tags.joined(separator: ",")) }

    /// The layer of the style under which all overlays are drawn; `labels` is the lowest that draws text.
    public func overlaysBelow(_ layer: String) -> MapURL { parameter("below", layer) }

    /// Where the names of the sources stand.
    public func attribution(_ attribution: Attribution) -> MapURL { parameter("attribution", attribution.rawValue) }

    /// A line of a round length with its name, such as `500 m`; small maps have none.
    public func scaleBar(_ units: ScaleUnits = .metric, at corner: Corner = .bottomLeft) -> MapURL {
        parameter("scalebar", "\(units.rawValue),\(corner.rawValue)")
    }

    /// An arrow that points north.
    public func northArrow(at corner: Corner) -> MapURL { parameter("north", corner.rawValue) }

    /// Filters of the finished map.
    public func filter(_ filters: AssetURL.Filter...) -> MapURL {
        parameter("filter", filters.map(\.text).joined(separator: ","))
    }

    /// The format; without one the server chooses by `Accept`.
    public func format(_ format: Format) -> MapURL { parameter("format", format.rawValue) }

    /// 1–100.
    public func quality(_ score: Int) -> MapURL { parameter("quality", "\(score)") }

    /// The name under which a browser saves the map.
    public func download(as name: String) -> MapURL { parameter("download", name) }
}
