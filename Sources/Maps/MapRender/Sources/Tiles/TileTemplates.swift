package import MapStyle

/// Templates of addresses of tiles. In braces: `z`, `x`, `y`, `-y` (the row from the south), `s` (a subdomain),
/// `switch:a,b` (one of these), `ratio` (`@2x` for sharp pictures), `quadkey`, `bbox-epsg-3857`, `prefix`. Other braces
/// stand for themselves.
package struct TileTemplates: Hashable, Sendable {
    package let addresses: [String]
    /// `y` counts from the south.
    package let isTMS: Bool
    /// For `s`: always the same one for a tile.
    package let subdomains: [String]

    /// Without any address, that of every tile is empty.
    package init(_ addresses: [String], isTMS: Bool = false, subdomains: [String] = ["a", "b", "c"]) {
        (self.addresses, self.isTMS, self.subdomains) = (addresses, isTMS, subdomains)
    }

    /// `ratio`: device pixels per CSS pixel. O(length).
    package func address(of tile: TileCoordinate, ratio: Double) -> String {
        guard let template = Self.choice(addresses, tile) else { return "" }
        guard template.contains("{") else { return template }
        var address = ""
        var rest = template[...]
        // Each piece ends with a closing brace and is searched once: there is no brace within what stands for something.
        while let close = rest.firstIndex(of: "}") {
            let piece = rest[..<close]
            rest = rest[rest.index(after: close)...]
            if let open = piece.lastIndex(of: "{"),
                let value = value(piece[piece.index(after: open)...], tile, ratio: ratio)
            {
                address += piece[..<open]
                address += value
            } else {
                address += piece
                address += "}"
            }
        }
        return address + rest
    }

    private static func choice<Element>(_ elements: [Element], _ tile: TileCoordinate) -> Element? {
        elements.isEmpty ? nil : elements[(tile.x + tile.y) % elements.count]
    }

    private func value(_ token: Substring, _ tile: TileCoordinate, ratio: Double) -> String? {
        switch token {
        case "z": String(tile.z)
        case "x": String(tile.x)
        case "y": String(isTMS ? Self.rowFromSouth(tile) : tile.y)
        case "-y": String(Self.rowFromSouth(tile))
        case "s": Self.choice(subdomains, tile)
        case "ratio": ratio > 1 ? "@2x" : ""
        case "prefix": String(tile.x % 16, radix: 16) + String(tile.y % 16, radix: 16)
        case "quadkey": Self.quadkey(tile)
        case "bbox-epsg-3857": Self.boundingBox(tile)
        case _ where token.hasPrefix("switch:"):
            Self.choice(token.dropFirst(7).split(separator: ",", omittingEmptySubsequences: false), tile).map(
                String.init)
        default: nil
        }
    }

    private static func rowFromSouth(_ tile: TileCoordinate) -> Int { (1 << tile.z) - tile.y - 1 }

    private static func quadkey(_ tile: TileCoordinate) -> String {
        var key = ""
        for level in stride(from: tile.z - 1, through: 0, by: -1) {
            key += String((tile.x >> level & 1) + 2 * (tile.y >> level & 1))
        }
        return key
    }

    /// West, south, east and north in metres of web Mercator.
    private static func boundingBox(_ tile: TileCoordinate) -> String {
        let halfWorld = 6_378_137 * Double.pi
        let side = 2 * halfWorld / Trigonometry.powerOfTwo(Double(tile.z))
        let west = Double(tile.x) * side - halfWorld
        let north = halfWorld - Double(tile.y) * side
        return [west, north - side, west + side, north].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
            .joined(separator: ",")
    }
}
