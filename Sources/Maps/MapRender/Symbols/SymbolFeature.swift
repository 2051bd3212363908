import MapStyle

/// A feature that a symbol layer shows: what it says there, and where.
struct SymbolFeature: Sendable {
    /// Its index in the layer of the tile.
    var index: Int
    /// The kind of geometry.
    var kind: FeatureKind
    /// The text, in capitals where these are wanted.
    var text: FormattedText?
    /// The name of the icon.
    var icon: String?
    /// Its points, lines or rings; rings repeat their first vertex.
    var lines: [[TileVertex]]
    /// What it is sorted by; 0 where features are not.
    var sortKey = 0.0
}
