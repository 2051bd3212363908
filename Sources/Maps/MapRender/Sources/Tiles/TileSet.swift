import Bytes
import JSON
import MapStyle

struct TileSet {
    enum Place {
        case templates(TileTemplates)
        case archive(any TileArchive, address: String)
    }

    var place: Place
    var minZoom, maxZoom: Int
    /// CSS pixels, 64 to 4096.
    var tileSize: Double
    var bounds: TileBounds
    var attribution: String?

    /// nil when the source's `url` leads nowhere or names no tiles. What the style says goes before what the document says.
    static func resolve(_ source: TileSource, _ resources: any MapResources) -> TileSet? {
        if let address = source.url, let archive = (try? resources.archive(at: address)) ?? nil {
            return TileSet(
                source, place: .archive(archive, address: address), minZoom: Double(archive.zooms.lowerBound),
                maxZoom: Double(archive.zooms.upperBound), bounds: archive.bounds, tileSize: archive.tileSize,
                attribution: archive.attribution)
        }
        var document: OrderedObject<JSONValue>?
        if let address = source.url {
            document = (try? resources.bytes(at: address))?.flatMap { bytes in
                (try? JSONReader.read(bytes.withUnsafeBytes { [UInt8]($0) }))?.object
            }
            if document == nil, source.tiles.isEmpty { return nil }
        }
        let templates = source.tiles.isEmpty ? Self.templates(of: document, at: source.url ?? "") : source.tiles
        guard !templates.isEmpty else { return nil }
        let set = TileTemplates(templates, isTMS: source.isTMS || document?["scheme"] == .string("tms"))
        let place = resources.archive(of: set).map { Place.archive($0, address: templates[0]) } ?? .templates(set)
        return TileSet(
            source, place: place, minZoom: document?["minzoom"]?.number,
            maxZoom: document?["maxzoom"]?.number, bounds: document?["bounds"]?.elements?.compactMap(\.number),
            tileSize: document?["tileSize"]?.number, attribution: document?["attribution"]?.text)
    }

    init(_ archive: any TileArchive, address: String) {
        place = .archive(archive, address: address)
        minZoom = Self.level(Double(archive.zooms.lowerBound))
        maxZoom = Self.level(Double(archive.zooms.upperBound))
        tileSize = 512
        bounds = TileBounds(archive.bounds)
        attribution = archive.attribution
    }

    /// The templates of the TileJSON document at an address. One of another server leads to no local file.
    private static func templates(of document: OrderedObject<JSONValue>?, at address: String) -> [String] {
        let named = document?["tiles"]?.elements?.compactMap(\.text) ?? []
        return isOnServer(address) ? named.filter(isOnServer) : named
    }

    private static func isOnServer(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private init(
        _ source: TileSource, place: Place, minZoom: Double?, maxZoom: Double?, bounds: [Double]?,
        tileSize: Double? = nil, attribution: String?
    ) {
        self.attribution = source.attribution ?? attribution
        self.place = place
        self.minZoom = Self.level(source.minZoom ?? minZoom ?? 0)
        self.maxZoom = Self.level(source.maxZoom ?? maxZoom ?? 22)
        self.tileSize = Self.side(source.tileSize ?? tileSize ?? 512)
        self.bounds = TileBounds(source.bounds ?? bounds)
    }

    /// Smaller tiles would be too many; what is no side is the usual one.
    private static func side(_ pixels: Double) -> Double { pixels >= 1 ? min(max(pixels, 64), 4096) : 512 }
    private static func level(_ zoom: Double) -> Int { zoom >= 0 ? Int(min(zoom, 24)) : 0 }
}
