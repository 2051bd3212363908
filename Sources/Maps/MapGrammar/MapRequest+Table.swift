import ImagePlan
package import Parameters

extension MapRequest {
    /// The parameters of `/map`, in canonical order.
    package static let table = ParameterTable(rows)

    /// The parameters of `/map.json`: those of `/map`, and `point`.
    package static let positionsTable = ParameterTable(rows + [.init("point", aliases: ["points"], isRepeatable: true)])

    package static func table(_ purpose: Purpose) -> ParameterTable {
        switch purpose {
        case .picture: table
        case .positions: positionsTable
        }
    }

    private static let rows: [ParameterTable.Parameter] =
        [
            .init("latitude", aliases: ["lat"]), .init("longitude", aliases: ["lon", "lng"]),
            .init("center", aliases: ["centre"]),
            .init("zoom"), .init("glzoom"), .init("span"), .init("meters", aliases: ["metres"]),
            .init("bbox"), .init("clip"), .init("fit"), .init("maxzoom"),
            .init("width", aliases: ["w"]), .init("height", aliases: ["h"]), .init("size"),
            .init("scale", aliases: ["dpr"]),
            .init("bearing", aliases: ["heading"]), .init("pitch", aliases: ["tilt"]), .init("padding"),
            .init("style"), .init("theme"),
            .init("labels"), .init("poi", aliases: ["pois"]), .init("language", aliases: ["lang"]),
            .init("marker", aliases: ["markers"], isRepeatable: true),
            .init("path", aliases: ["paths"], isRepeatable: true),
            .init("polygon", aliases: ["polygons"], isRepeatable: true),
            .init("circle", aliases: ["circles"], isRepeatable: true), .init("geojson", isRepeatable: true),
            .init("order"), .init("below", aliases: ["before_layer"]), .init("attribution"),
            .init("scalebar"), .init("north"),
        ] + DrawnEncoding.parameters
}
