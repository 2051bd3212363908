public import Foundation
import MapGrammar
import Parameters

/// The URL of a map.
///
///     let url = MapURL(latitude: 59.935634, longitude: 30.325935).zoom(12).size(width: 600, height: 400)
///         .marker(at: [Coordinate(latitude: 59.94, longitude: 30.31)], color: "red", label: "A")
///
/// Every step gives a new value. Nothing is checked until the URL is asked for: ``url(for:)`` runs the parser of the server over
/// it and throws all faults at once. Names of styles, themes and layers are known to the server alone.
public struct MapURL: PictureBuilder {
    static let scheme = "map"
    private static let form = LocalForm(scheme: scheme, path: "/map")

    private var parameters = ParameterList()

    /// Around a place, as deep as there is detail.
    public init(latitude: Double, longitude: Double) {
        parameters.set("latitude", latitude.parameterText)
        parameters.set("longitude", longitude.parameterText)
    }

    /// Around a place, as deep as there is detail.
    public init(center: Coordinate) { self.init(latitude: center.latitude, longitude: center.longitude) }

    /// A box in degrees; its west is greater than its east where it crosses the date line. The map shows all of it, or, with
    /// `inside`, nothing outside of it.
    public init(west: Double, south: Double, east: Double, north: Double, _ clip: Clip = .outside) {
        parameters.set("bbox", [west, south, east, north].map(\.parameterText).joined(separator: ","))
        if clip != .outside { parameters.set("clip", clip.rawValue) }
    }

    private init(maxZoom: Double?) {
        parameters.set("fit", "overlays")
        parameters.set("maxzoom", maxZoom?.parameterText)
    }

    /// Everything that is laid over the map, no closer than level 17.
    public static var aroundOverlays: MapURL { MapURL(maxZoom: nil) }

    /// Everything that is laid over the map, no closer than this level of the world of 256 pixels, 0–24.
    public static func aroundOverlays(maxZoom: Double) -> MapURL { MapURL(maxZoom: maxZoom) }

    /// Reads `map://?…`, `map://NAME/?…` or `https://…/map?…`. A signature is left out.
    public init(parsing url: URL) throws(VedutaError) {
        parameters = try ParameterList(of: url, Self.form, "a map")
        parameters = try ParameterList(try canonical)
    }

    /// The canonical query: full names, fixed order, no defaults. Equal maps have equal texts.
    public var canonical: String { get throws(VedutaError) { try query() } }

    /// Path and query, to be signed or written into a page.
    public var built: BuiltURL { get throws(VedutaError) { BuiltURL(path: "/map", query: try query()) } }

    /// Path and query of what the map shows, and of where `points` are on it.
    func builtDescription(_ points: [Coordinate]) throws(VedutaError) -> BuiltURL {
        BuiltURL(path: "/map.json", query: try query(points))
    }

    /// With points the query of `/map.json`.
    private func query(_ points: [Coordinate]? = nil) throws(VedutaError) -> String {
        let point = (points ?? []).isEmpty ? [] : [QueryItem(name: "point", value: Coordinate.list(points ?? []))]
        do throws(ParameterFaults) {
            return try MapRequest.writtenQuery(
                of: parameters.queryItems + point, for: points == nil ? .picture : .positions)
        } catch {
            throw VedutaError(error)
        }
    }

    /// `map://NAME/?…`, or `map://?…` without a name. Faults are left for the load to tell.
    public func local(named service: String?) -> URL {
        Self.form.url((try? canonical) ?? parameters.text, service: service)
    }

    /// The same with a parameter given by name, as in a query.
    public func parameter(_ name: String, _ value: String?) -> MapURL {
        var copy = self
        copy.parameters.set(name, value)
        return copy
    }

    /// The same with one more value of a parameter that may stand more than once.
    func adding(_ name: String, _ value: String) -> MapURL {
        var copy = self
        copy.parameters.append(name, value)
        return copy
    }
}
