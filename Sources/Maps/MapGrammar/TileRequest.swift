package import Parameters

/// The query of a tile: its size, and changes to the style.
package struct TileRequest: Sendable, Equatable {
    /// In canonical order.
    package static let table = ParameterTable([
        .init("tileSize", aliases: ["tilesize"]), .init("labels"), .init("poi", aliases: ["pois"]),
        .init("language", aliases: ["lang"]), .init("quality", aliases: ["q"]),
    ])

    /// CSS pixels of a side: 256 or 512.
    package let side: Int
    /// Without attribution, which is in the description of the tile set.
    package let look: MapLook
    /// 1…100; nil: the format's default.
    package let quality: Int?

    /// Throws all faults at once, in URL order.
    package static func parse(_ items: [QueryItem]) throws(ParameterFaults) -> TileRequest {
        var reader = ParameterReader(items, table: table)
        var look = MapLook()
        let side = reader.choice("tileSize", ["256", "512"])
        look.readLabels(&reader)
        look.attribution = .none
        let quality = reader.int("quality", 1...100)
        try reader.finish()
        return TileRequest(side: side == "512" ? 512 : 256, look: look, quality: quality)
    }

    /// Without defaults, in fixed order.
    package var canonical: String {
        var items: [QueryItem] = []
        if side != 256 { items.append("tileSize", String(side)) }
        items += look.labelItems
        if let quality { items.append("quality", String(quality)) }
        return CanonicalQuery(items).text
    }

    /// The canonical text of the changes to the style.
    package var styleText: String { CanonicalQuery(look.labelItems).text }
}
