extension MapURL {
    /// How a line or the edge of an area is drawn; what is nil is as the server has it.
    public struct Stroke: Hashable, Sendable {
        /// How a line ends.
        public enum Cap: String, Sendable, CaseIterable {
            /// As in CSS and SVG.
            case butt, round, square
        }

        /// How a line turns.
        public enum Join: String, Sendable, CaseIterable {
            /// As in CSS and SVG.
            case miter, round, bevel
        }

        /// The color.
        public var color: URLColor?
        /// CSS pixels, 0–100.
        public var width: Double?
        /// What is within.
        public var fill: URLColor?
        /// Of line and border, 0–1.
        public var opacity: Double?
        /// Lengths of up to eight dashes and gaps in CSS pixels, 0–1000; empty for an unbroken line.
        public var dashes: [Double] = []
        /// How the line ends.
        public var cap: Cap?
        /// How the line turns.
        public var join: Join?
        /// A second color along both sides of the line.
        public var borderColor: URLColor?
        /// CSS pixels, 0–50, for a border with a color.
        public var borderWidth: Double?

        /// A line; what is nil is as the server has it.
        public init(color: URLColor? = nil, width: Double? = nil, fill: URLColor? = nil) {
            (self.color, self.width, self.fill) = (color, width, fill)
        }

        fileprivate var options: [String] {
            let border = borderColor.map { $0.text + (borderWidth.map { "," + $0.parameterText } ?? "") }
            return [
                option("color", color?.text), option("weight", width?.parameterText),
                option("opacity", opacity?.parameterText),
                option("dash", dashes.isEmpty ? nil : dashes.map(\.parameterText).joined(separator: ",")),
                option("cap", cap?.rawValue), option("join", join?.rawValue), option("border", border),
                option("fill", fill?.text),
            ].compactMap { $0 }
        }
    }

    /// How a pin or an icon is drawn; what is nil is as the server has it.
    public struct Marker: Hashable, Sendable {
        /// What marks the place.
        public enum Look: Hashable, Sendable {
            /// A pin with a dot.
            case dot
            /// A pin with up to four characters.
            case label(String)
            /// A pin with an image of the sprite of the style.
            case glyph(String)
            /// An image of the library, without a pin.
            case icon(AssetID)
        }

        /// How far it is moved from its place.
        public struct Offset: Hashable, Sendable {
            /// CSS pixels to the right.
            public var x: Double
            /// CSS pixels down.
            public var y: Double

            /// CSS pixels to the right and down.
            public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
        }

        /// A rounded box behind the name of a marker; what is nil is as the server has it.
        public struct TitleBackground: Hashable, Sendable {
            /// The color.
            public var color: URLColor
            /// CSS pixels at the left and right, 0–50; half of it above and below.
            public var padding: Double?
            /// CSS pixels of the corners, 0–100; half of the height makes a pill.
            public var radius: Double?

            /// A box; what is nil is as the server has it.
            public init(_ color: URLColor, padding: Double? = nil, radius: Double? = nil) {
                (self.color, self.padding, self.radius) = (color, padding, radius)
            }
        }

        /// What marks the place.
        public var look: Look
        /// The color of the pin.
        public var color: URLColor?
        /// The height of the pin, or the longer side of the icon, in CSS pixels: 4–256.
        public var size: Double?
        /// Which point of it lies on the place.
        public var anchor: AssetURL.Place?
        /// −1000…1000 each way.
        public var offset: Offset?
        /// Degrees clockwise, −360…360.
        public var rotation: Double?
        /// A name beside it, drawn like the labels of the map.
        public var title: String?
        /// The color of the name; without it one that can be read.
        public var titleColor: URLColor?
        /// A rounded box behind the name.
        public var titleBackground: TitleBackground?

        /// A pin or an icon; what is nil is as the server has it.
        public init(_ look: Look = .dot, color: URLColor? = nil, size: Double? = nil, title: String? = nil) {
            (self.look, self.color, self.size, self.title) = (look, color, size, title)
        }

        fileprivate var options: [String] {
            let content =
                switch look {
                case .dot: String?.none
                case .label(let text): option("label", text)
                case .glyph(let name): option("glyph", name)
                case .icon(let id): option("icon", id.rawValue)
                }
            return [
                option("color", color?.text), content, option("size", size?.parameterText),
                option("anchor", anchor?.rawValue),
                option("offset", offset.map { "\($0.x.parameterText),\($0.y.parameterText)" }),
                option("rotate", rotation?.parameterText), option("title", title),
                option("textcolor", titleColor?.text),
                option(
                    "background",
                    titleBackground.map { $0.color.text + ($0.padding.map { ",\($0.parameterText)" } ?? "") }),
                option("radius", titleBackground?.radius?.parameterText),
            ].compactMap { $0 }
        }
    }

    /// Pins of one kind.
    public func marker(at places: [Coordinate], color: URLColor? = nil, label: String? = nil) -> MapURL {
        marker(Marker(label.map { .label($0) } ?? .dot, color: color), at: places)
    }

    /// Pins or icons of one kind.
    public func marker(_ marker: Marker, at places: [Coordinate]) -> MapURL {
        adding("marker", marker.options, [Coordinate.list(places)])
    }

    /// A line through places; a geodesic one follows the shortest way on the globe.
    public func path(_ places: [Coordinate], _ stroke: Stroke = Stroke(), geodesic: Bool = false) -> MapURL {
        adding("path", stroke.options + Self.geodesic(geodesic), [Coordinate.list(places)])
    }

    /// An area with holes; the sides of a geodesic one follow the shortest way on the globe.
    public func polygon(
        _ places: [Coordinate], holes: [[Coordinate]] = [], _ stroke: Stroke = Stroke(), geodesic: Bool = false
    ) -> MapURL {
        let rings = [Coordinate.list(places)] + holes.map { "hole:" + Coordinate.list($0) }
        return adding("polygon", stroke.options + Self.geodesic(geodesic), rings)
    }

    /// A circle of metres on the ground, 0.1–20,000,000.
    public func circle(_ center: Coordinate, meters: Double, _ stroke: Stroke = Stroke()) -> MapURL {
        adding("circle", stroke.options, ["\(center.text),\(meters.parameterText)m"])
    }

    /// A circle of CSS pixels, 0.5–4096.
    public func circle(_ center: Coordinate, pixels: Double, _ stroke: Stroke = Stroke()) -> MapURL {
        adding("circle", stroke.options, ["\(center.text),\(pixels.parameterText)px"])
    }

    /// GeoJSON, as text.
    public func geoJSON(_ text: String) -> MapURL { adding("geojson", text) }

    private func adding(_ name: String, _ options: [String], _ places: [String]) -> MapURL {
        adding(name, (options + places).joined(separator: "|"))
    }

    private static func geodesic(_ isGeodesic: Bool) -> [String] { isGeodesic ? ["geodesic:1"] : [] }
}

/// An option of an overlay; `|` and `\` in its value are escaped.
private func option(_ name: String, _ value: String?) -> String? {
    value.map { "\(name):" + $0.replacing("\\", with: "\\\\").replacing("|", with: "\\|") }
}
