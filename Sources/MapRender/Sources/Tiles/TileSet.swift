import Bytes
import MapStyle

/// A source of tiles with everything known about it: from the style, from its TileJSON document or from its archive.
struct TileSet {
    /// Where the tiles are.
    enum Place {
        /// At addresses by templates.
        case templates([String], isTMS: Bool)
        /// In an archive at an address.
        case archive(any TileArchive, address: String)
    }

    /// Where the tiles are.
    var place: Place
    /// The first level.
    var minZoom: Int
    /// The last level.
    var maxZoom: Int
    /// CSS pixels of a tile's side.
    var tileSize: Double
    /// What there is.
    var bounds: TileBounds

    /// What `source` says, completed by what its `url` leads to; nil when that is not to be had or names no tiles.
    ///
    /// What the style says itself goes before what the document says.
    static func resolve(_ source: TileSource, _ resources: any MapResources) -> TileSet? {
        if let address = source.url, let archive = (try? resources.archive(at: address)) ?? nil {
            return TileSet(
                source, place: .archive(archive, address: address), minZoom: Double(archive.zooms.lowerBound),
                maxZoom: Double(archive.zooms.upperBound), bounds: archive.bounds)
        }
        var document: OrderedObject<JSONValue>?
        if let address = source.url {
            document = (try? resources.bytes(at: address))?.flatMap { bytes in
                (try? JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) }))?.object
            }
            if document == nil, source.tiles.isEmpty { return nil }
        }
        let templates = source.tiles.isEmpty ? document?["tiles"]?.elements?.compactMap(\.text) ?? [] : source.tiles
        guard !templates.isEmpty else { return nil }
        let isTMS = source.isTMS || document?["scheme"] == .string("tms")
        return TileSet(
            source, place: .templates(templates, isTMS: isTMS), minZoom: document?["minzoom"]?.number,
            maxZoom: document?["maxzoom"]?.number, bounds: document?["bounds"]?.elements?.compactMap(\.number),
            tileSize: document?["tileSize"]?.number)
    }

    private init(
        _ source: TileSource, place: Place, minZoom: Double?, maxZoom: Double?, bounds: [Double]?,
        tileSize: Double? = nil
    ) {
        self.place = place
        self.minZoom = Self.level(source.minZoom ?? minZoom ?? 0)
        self.maxZoom = Self.level(source.maxZoom ?? maxZoom ?? 22)
        self.tileSize = source.tileSize ?? tileSize.map { $0 >= 1 && $0 <= 4096 ? $0 : 512 } ?? 512
        self.bounds = TileBounds(source.bounds ?? bounds)
    }

    private static func level(_ zoom: Double) -> Int { zoom >= 0 ? Int(min(zoom, 24)) : 0 }

    /// The address of a tile from the templates; `ratio` is the picture's device pixels of a CSS pixel.
    static func address(_ tile: TileCoordinate, _ templates: [String], isTMS: Bool, ratio: Double) -> String {
        let template = templates[(tile.x + tile.y) % templates.count]
        guard template.contains("{") else { return template }
        var address = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            address += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}") else { break }
            let token = rest[rest.index(after: open)..<close]
            if let value = value(token, tile, isTMS: isTMS, ratio: ratio) {
                address += value
                rest = rest[rest.index(after: close)...]
            } else {
                // No token of ours: the brace stands for itself.
                address += "{"
                rest = rest.dropFirst()
            }
        }
        return address + rest
    }

    private static func value(_ token: Substring, _ tile: TileCoordinate, isTMS: Bool, ratio: Double) -> String? {
        switch token {
        case "z": String(tile.z)
        case "x": String(tile.x)
        case "y": String(isTMS ? (1 << tile.z) - tile.y - 1 : tile.y)
        case "ratio": ratio > 1 ? "@2x" : ""
        case "prefix": String(tile.x % 16, radix: 16) + String(tile.y % 16, radix: 16)
        case "quadkey": quadkey(tile)
        case "bbox-epsg-3857": boundingBox(tile)
        default: nil
        }
    }

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
