import MapStyle

/// All that the symbols of a layer in a tile are made of, apart from the camera.
struct SymbolKey: Hashable, Sendable {
    private let features, layer: UInt64
    private let tile: TileCoordinate
    private let level: Int
    private let glyphs: String
    /// Empty for a layer without images.
    private let sheets: [ImageSet.Sheet]

    /// nil for symbols that are not kept: of GeoJSON, which is cut anew for each picture; with images that a request brings;
    /// and of layers that depend on anything but features, zoom levels and images.
    init?(_ layer: StyleLayer, _ frame: Frame, _ shown: ShownFeatures) {
        let dependence = layer.layoutDependence
        guard !shown.features.name.isEmpty, dependence.isSubset(of: [.feature, .zoom, .images]) else { return nil }
        let hasImages = layer.gives(.iconImage) || dependence.contains(.images)
        guard let sheets = hasImages ? frame.images.sheets : [] else { return nil }
        (self.features, self.layer, self.sheets) = (shown.features.number, layer.number, sheets)
        (self.tile, self.level) = (shown.tile.id, shown.tile.overscaledZ)
        glyphs = frame.shaper.glyphs.name
    }
}

/// The symbols of a layer in a tile, laid out for all cameras: each picture takes those within its reach, and sizes and
/// paints at its own level. Unreachable once the tile or the style was read anew.
struct KeptSymbols: Sendable {
    struct Entry: Sendable {
        let symbol: FeatureSymbol
        var places: [SymbolPlaces] = []
    }

    /// Tiles with more are laid out for each picture.
    private static let byteLimit = 4 << 20

    private(set) var entries: [Entry] = []
    /// What texts were made of: with other glyphs they are others.
    var witnesses: [GlyphWitness] = []
    private var entryByteCount = 0

    var isTooLarge: Bool { entryByteCount > Self.byteLimit }
    var byteCount: Int { 384 + entryByteCount + witnesses.count * 48 }

    mutating func begin(_ symbol: FeatureSymbol) {
        if !isTooLarge { entries.append(Entry(symbol: symbol)) }
    }

    /// Adds places of the symbol that began last.
    mutating func add(_ places: SymbolPlaces) {
        entryByteCount += places.byteCount
        if isTooLarge { entries = [] } else { entries[entries.count - 1].places.append(places) }
    }

    /// Forgets the symbol that began last if it is nowhere. Icons count even so: one with distances decides about all.
    mutating func end() {
        guard let last = entries.last else { return }
        if last.places.isEmpty, last.symbol.parts.icon == nil {
            entries.removeLast()
        } else {
            entryByteCount += 48 + last.symbol.byteCount
        }
    }
}
