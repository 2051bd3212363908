package import Parameters

/// What the query of a tile asks for beside its address: its size, and how the style is changed.
package struct TileRequest: Sendable, Equatable {
    /// The parameters, in canonical order.
    package static let table = ParameterTable([
        .init("tileSize", aliases: ["tilesize"]), .init("labels"), .init("poi", aliases: ["pois"]),
        .init("language", aliases: ["lang"]), .init("quality", aliases: ["q"]),
    ])

    /// CSS pixels of a side: 256 or 512.
    package let side: Int
    /// How the style is changed; tiles have no attribution, which is in the description of the tile set.
    package let look: MapLook
    /// 1…100; nil: the format's default.
    package let quality: Int?

    /// Reads the parameters of a tile.
    ///
    /// - Throws: every fault at once, in URL order.
    package static func parse(_ items: [QueryItem]) throws(ParameterFaults) -> TileRequest {
        var reader = ParameterReader(items, table: table)
        var look = MapLook()
        let side = reader.choice("tileSize", ["256", "512"])
        look.hasLabels = reader.value("labels", LookText.isOn) ?? true
        look.interests = reader.value("poi", LookText.interests) ?? .style
        look.languages = reader.value("language", LookText.languages) ?? []
        look.attribution = .none
        let quality = reader.int("quality", 1...100)
        try reader.finish()
        return TileRequest(side: side == "512" ? 512 : 256, look: look, quality: quality)
    }

    /// The canonical query: defaults dropped, fixed order.
    package var canonical: String {
        var query = CanonicalQuery()
        if side != 256 { query.append("tileSize", String(side)) }
        append(to: &query)
        if let quality { query.append("quality", String(quality)) }
        return query.text
    }

    /// The canonical text of what changes the style alone.
    package var styleText: String {
        var query = CanonicalQuery()
        append(to: &query)
        return query.text
    }

    private func append(to query: inout CanonicalQuery) {
        if !look.hasLabels { query.append("labels", "off") }
        switch look.interests {
        case .style: break
        case .all: query.append("poi", "all")
        case .none: query.append("poi", "none")
        case .only(let classes): query.append("poi", classes.joined(separator: ","))
        }
        if !look.languages.isEmpty { query.append("language", look.languages.joined(separator: ",")) }
    }
}
