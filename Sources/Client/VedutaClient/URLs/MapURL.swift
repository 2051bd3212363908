public import Foundation
import Parameters

/// The URL of a map.
///
///     let url = MapURL(latitude: 59.935634, longitude: 30.325935).zoom(12).size(width: 600, height: 400)
///         .marker(at: [Coordinate(latitude: 59.94, longitude: 30.31)], color: "red", label: "A")
public struct MapURL: PictureURL, Hashable {
    static let scheme = "map"
    private static let form = LocalForm(scheme: scheme, path: "/map")
    /// The parameters in canonical order.
    private static let names = [
        "latitude", "longitude", "center", "zoom", "glzoom", "span", "meters", "bbox", "clip", "fit", "maxzoom",
        "width",
        "height", "size", "scale", "bearing", "pitch", "padding", "style", "theme", "labels", "poi", "language",
        "marker",
        "path", "polygon", "circle", "geojson", "order", "below", "attribution", "filter", "format", "quality",
        "download",
    ]

    private var parameters = ParameterList()

    /// Around a place, as deep as there is detail.
    public init(latitude: Double, longitude: Double) {
        parameters.set("latitude", latitude.parameterText)
        parameters.set("longitude", longitude.parameterText)
    }

    /// Around a place, as deep as there is detail.
    public init(center: Coordinate) { self.init(latitude: center.latitude, longitude: center.longitude) }

    /// A box in degrees; its west is greater than its east where it crosses the date line.
    public init(west: Double, south: Double, east: Double, north: Double) {
        parameters.set("bbox", [west, south, east, north].map(\.parameterText).joined(separator: ","))
    }

    private init() { parameters.set("fit", "overlays") }

    /// Everything that is laid over the map, no closer than level 17.
    public static var aroundOverlays: MapURL { MapURL() }

    /// Reads `map://?…`, `map://NAME/?…` or `https://…/map?…`. A signature is left out.
    public init(parsing url: URL) throws(VedutaError) {
        guard let query = Self.form.query(of: url) else {
            throw .invalidURL([
                Fault(parameter: "", value: url.absoluteString, message: "This is not the URL of a map.")
            ])
        }
        parameters = try ParameterList(query)
        parameters.set("sig", nil)
        parameters.set("expires", nil)
        parameters.set("allow", nil)
    }

    /// The query in the order of the server's table; the server leaves out what is at its default.
    public var canonical: String {
        let items = parameters.queryItems()
        let known = Self.names.flatMap { name in items.filter { $0.name == name } }
        return ParameterList.text(known + items.filter { !Self.names.contains($0.name) })
    }

    /// The URL at `service`, signed if it has a key.
    public func url(for service: VedutaEndpoint) throws(VedutaError) -> URL {
        try service.url(try service.signed("/map?" + canonical))
    }

    /// `map://?…`, for the loading system of an app: the service registered as default answers it.
    public var local: URL { local(named: nil) }

    /// `map://NAME/?…`.
    public func local(named service: String?) -> URL { Self.form.url(canonical, service: service) }

    /// The same with a parameter given by name, as in a query.
    public func parameter(_ name: String, _ value: String?) -> MapURL {
        var copy = self
        copy.parameters.set(name, value)
        return copy
    }

    private func adding(_ name: String, _ value: String) -> MapURL {
        var copy = self
        copy.parameters.append(name, value)
        return copy
    }
}

extension MapURL {
    /// How a line is drawn; what is nil is as the server has it.
    public struct Stroke: Hashable, Sendable {
        /// The color.
        public var color: URLColor?
        /// CSS pixels, 0–100.
        public var width: Double?
        /// What is within.
        public var fill: URLColor?

        /// A line; what is nil is as the server has it.
        public init(color: URLColor? = nil, width: Double? = nil, fill: URLColor? = nil) {
            (self.color, self.width, self.fill) = (color, width, fill)
        }

        var options: [String] {
            [
                color.map { "color:" + $0.text }, width.map { "weight:" + $0.parameterText },
                fill.map { "fill:" + $0.text },
            ].compactMap { $0 }
        }
    }

    /// A level of the world of 256 pixels, 0–24.
    public func zoom(_ level: Double) -> MapURL { parameter("zoom", level.parameterText) }

    /// Degrees of latitude and longitude that must be visible around the place.
    public func span(latitude: Double, longitude: Double) -> MapURL {
        parameter("span", "\(latitude.parameterText),\(longitude.parameterText)")
    }

    /// Metres of ground that must be visible from side to side.
    public func meters(_ width: Double) -> MapURL { parameter("meters", width.parameterText) }

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

    /// A style of the server.
    public func style(_ name: String) -> MapURL { parameter("style", name) }

    /// By day, by night, or as the client prefers: `light`, `dark`, `auto`.
    public func theme(_ name: String) -> MapURL { parameter("theme", name) }

    /// Whether there are labels.
    public func labels(_ isOn: Bool) -> MapURL { parameter("labels", isOn ? nil : "off") }

    /// Languages of labels (BCP 47), the first that a feature has a name in.
    public func language(_ tags: String...) -> MapURL { parameter("language", tags.joined(separator: ",")) }

    /// Pins of one kind.
    public func marker(at places: [Coordinate], color: URLColor? = nil, label: String? = nil) -> MapURL {
        let options = [color.map { "color:" + $0.text }, label.map { "label:" + Self.escaped($0) }].compactMap { $0 }
        return adding("marker", (options + places.map(\.text)).joined(separator: "|"))
    }

    /// A line through places.
    public func path(_ places: [Coordinate], _ stroke: Stroke = Stroke()) -> MapURL {
        adding("path", (stroke.options + places.map(\.text)).joined(separator: "|"))
    }

    /// An area.
    public func polygon(_ places: [Coordinate], _ stroke: Stroke = Stroke()) -> MapURL {
        adding("polygon", (stroke.options + places.map(\.text)).joined(separator: "|"))
    }

    /// A circle of metres.
    public func circle(_ center: Coordinate, meters: Double, _ stroke: Stroke = Stroke()) -> MapURL {
        adding("circle", (stroke.options + ["\(center.text),\(meters.parameterText)m"]).joined(separator: "|"))
    }

    /// GeoJSON, as text.
    public func geoJSON(_ text: String) -> MapURL { adding("geojson", text) }

    /// Filters of the finished map.
    public func filter(_ filters: AssetURL.Filter...) -> MapURL {
        parameter("filter", filters.map(\.text).joined(separator: ","))
    }

    /// JPEG, PNG, WebP or AVIF; without one the server chooses by `Accept`.
    public func format(_ format: AssetURL.Format) -> MapURL { parameter("format", format.rawValue) }

    /// 1–100.
    public func quality(_ score: Int) -> MapURL { parameter("quality", "\(score)") }

    /// A text within an overlay, in which `|` and `\` are escaped.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("|", with: "\\|")
    }
}
