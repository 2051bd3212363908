package import ImagePlan
package import MapRender
package import Parameters

/// A map picture as asked for: validated, canonical, independent of any archive (DESIGN §2.3).
package struct MapRequest: Sendable, Equatable {
    /// Degrees north, WGS 84.
    package let latitude: PlainDecimal
    /// Degrees east, WGS 84.
    package let longitude: PlainDecimal
    /// Of the 256-pixel world; nil: the closest zoom that the source still fills with detail there.
    package let zoom: PlainDecimal?
    /// Size in CSS pixels.
    package let widthPx: Int
    package let heightPx: Int
    /// Device pixels per CSS pixel.
    package let scale: PlainDecimal
    /// The name of a style; nil: the default one.
    package let style: String?
    /// nil: by `Accept`.
    package let format: OutputFormat?
    /// 1…100; nil: the format's default.
    package let quality: Int?

    /// The largest side of a picture in device pixels.
    static let sideLimitPx = 4096

    /// What maps are sent in.
    static let formats: [OutputFormat] = [.jpeg, .png, .webp, .avif]

    /// The parameters of `/map`, in canonical order; the names that the design has and this version does not build too.
    static let table = ParameterTable(
        [
            .init("latitude", aliases: ["lat"]), .init("longitude", aliases: ["lon", "lng"]), .init("zoom"),
            .init("width", aliases: ["w"]), .init("height", aliases: ["h"]), .init("scale", aliases: ["dpr"]),
            .init("style"), .init("format"), .init("quality", aliases: ["q"]),
        ]
            + [
                "glzoom", "span", "meters", "bbox", "clip", "fit", "maxzoom", "size", "bearing", "pitch", "padding",
                "theme", "labels", "poi", "language", "marker", "path", "polygon", "circle", "geojson", "order",
                "below",
                "attribution", "filter", "download", "expires", "sig",
            ].map { ParameterTable.Parameter($0, isRepeatable: true, isBuilt: false) })

    /// Reads the parameters of `/map`; `styles` are the names of styles that there are, the default first.
    ///
    /// - Throws: every fault at once, in URL order.
    package static func parse(
        _ items: [QueryItem], styles: [String] = ["light", "dark"]
    ) throws(ParameterFaults) -> MapRequest {
        var reader = ParameterReader(items, table: table)
        reader.require("latitude")
        reader.require("longitude")
        let latitude = reader.decimal("latitude", -90...90)
        let longitude = reader.decimal("longitude", -180...180)
        let zoom = reader.decimal("zoom", 0...24)
        let width = reader.int("width", 16...sideLimitPx)
        let height = reader.int("height", 16...sideLimitPx)
        let scale = reader.decimal("scale", 1...4)
        let style = reader.choice("style", styles)
        let format = reader.choice("format", ["auto"] + Self.formats.map(\.rawValue))
        let quality = reader.int("quality", 1...100)
        for (name, side) in [("width", width), ("height", height)] {
            if let scale, let device = scale.multiplied(by: side ?? 512), device > sideLimitPx {
                reader.refuse(name, .outOfRange(allowed: "\(name) × scale of at most \(sideLimitPx) pixels"))
            }
        }
        try reader.finish()
        let output = format.flatMap(OutputFormat.init(rawValue:))
        let settledQuality = if let output { output.settled(quality) } else { quality }
        return MapRequest(
            latitude: latitude ?? 0, longitude: longitude ?? 0, zoom: zoom, widthPx: width ?? 512,
            heightPx: height ?? 512, scale: scale ?? 1,
            style: style == styles.first ? nil : style, format: output, quality: settledQuality)
    }

    /// The canonical query: defaults dropped, fixed order.
    package var canonical: String {
        var query = CanonicalQuery()
        query.append("latitude", latitude.description)
        query.append("longitude", longitude.description)
        if let zoom { query.append("zoom", zoom.description) }
        if widthPx != 512 { query.append("width", String(widthPx)) }
        if heightPx != 512 { query.append("height", String(heightPx)) }
        if scale != 1 { query.append("scale", scale.description) }
        if let style { query.append("style", style) }
        if let format { query.append("format", format.rawValue) }
        if let quality { query.append("quality", String(quality)) }
        return query.text
    }

    /// The format to answer in: the one asked for; else, among those that `Accept` names outright, the one of highest
    /// quality (WebP before AVIF at equal quality: on flat colour it is as small and costs a tenth); else PNG, or JPEG
    /// where a client refuses PNG.
    package func outputFormat(accepting quality: (OutputFormat) -> Double, named: (OutputFormat) -> Bool)
        -> OutputFormat
    {
        if let format { return format }
        var best = quality(.png) > 0 || quality(.jpeg) == 0 ? OutputFormat.png : .jpeg
        var isChosen = false
        for candidate in [OutputFormat.webp, .avif] where named(candidate) && quality(candidate) > 0 {
            let isBetter = isChosen ? quality(candidate) > quality(best) : quality(candidate) >= quality(best)
            if isBetter {
                best = candidate
                isChosen = true
            }
        }
        return best
    }

    /// From where the map is looked at, with `defaultZoom` of the 256-pixel world where none was asked for. MapLibre's world has
    /// 512 pixels: its levels are one less.
    package func camera(defaultZoom: (_ latitude: Double, _ longitude: Double) -> Double) -> Camera {
        let zoom = zoom?.double ?? defaultZoom(latitude.double, longitude.double)
        var camera = Camera(
            longitude: longitude.double, latitude: latitude.double, zoom: zoom - 1, width: Double(widthPx),
            height: Double(heightPx))
        camera.pixelRatio = scale.double
        return camera
    }
}
