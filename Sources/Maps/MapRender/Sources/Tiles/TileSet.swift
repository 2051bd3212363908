import Bytes
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

    /// nil when the source's `url` leads nowhere or names no tiles. What the style says goes before what the document says,
    /// which is read once as long as its bytes stay the same. Throws `cancelled`.
    static func resolve(
        _ source: TileSource, _ resources: any MapResources, keptIn caches: MapCaches,
        shouldStop: () -> Bool = { false }
    ) throws(MapError) -> TileSet? {
        var document: TileDocument?
        if let address = source.url {
            let archive = try MapError.orGap { () throws(ResourceError) -> (any TileArchive)? in
                try resources.archive(at: address, shouldStop: shouldStop)
            }
            if let archive {
                return TileSet(
                    source, place: .archive(archive, address: address), minZoom: Double(archive.zooms.lowerBound),
                    maxZoom: Double(archive.zooms.upperBound), bounds: archive.bounds, tileSize: archive.tileSize,
                    attribution: archive.attribution)
            }
            let bytes = try MapError.orGap { () throws(ResourceError) -> SharedBytes? in
                try resources.bytes(at: address, shouldStop: shouldStop)
            }
            document = bytes.flatMap { Self.document($0, at: address, keptIn: caches) }
            if document == nil, source.tiles.isEmpty { return nil }
        }
        let templates = source.tiles.isEmpty ? document?.templates ?? [] : source.tiles
        guard !templates.isEmpty else { return nil }
        let set = TileTemplates(templates, isTMS: source.isTMS || document?.isTMS == true)
        let place = resources.archive(of: set).map { Place.archive($0, address: templates[0]) } ?? .templates(set)
        return TileSet(
            source, place: place, minZoom: document?.minZoom, maxZoom: document?.maxZoom, bounds: document?.bounds,
            tileSize: document?.tileSize, attribution: document?.attribution)
    }

    private static func document(
        _ bytes: SharedBytes, at address: String, keptIn caches: MapCaches
    ) -> TileDocument? {
        // What is too long is not even hashed.
        guard bytes.count <= TileDocument.byteLimit else { return nil }
        return caches.documents.value(for: ContentKey(address: address, content: bytes)) {
            let document = TileDocument(bytes, at: address)
            return SharedCache.Weighed(document, byteCount: document?.byteCount ?? 256)
        }
    }

    init(_ archive: any TileArchive, address: String) {
        place = .archive(archive, address: address)
        minZoom = Self.level(Double(archive.zooms.lowerBound))
        maxZoom = Self.level(Double(archive.zooms.upperBound))
        tileSize = 512
        bounds = TileBounds(archive.bounds)
        attribution = archive.attribution
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
