import Bytes

/// A decoded vector tile (MVT 2.1). Geometries stay encoded until ``VectorLayer/geometry(of:into:)`` asks for one.
package struct VectorTile: Sendable {
    /// The layers, in the order of the tile; names are unique (of equal names the first is kept).
    package let layers: [VectorLayer]
    /// How many layers were left out because an earlier one has their name.
    package let droppedLayerCount: Int
}

/// What one tile may cost to decode, beyond its size.
package struct VectorTileLimits: Sendable {
    package var layerCount = 256
    /// Features of all layers together.
    package var featureCount = 1 << 20
    /// Keys of one layer.
    package var keyCount = 1 << 16
    /// Values of one layer.
    package var valueCount = 1 << 20

    /// The defaults, far above what real tiles hold; together they bound a 16 MiB tile to some 200 MB decoded.
    package init() {}
}

/// A property's value (MVT 2.1 §4.4).
package enum TileValue: Hashable, Sendable {
    /// UTF-8 text; malformed bytes were replaced by U+FFFD.
    case string(String)
    /// A 32-bit float.
    case float(Float)
    /// A 64-bit float.
    case double(Double)
    /// A signed integer (`int_value` or `sint_value`).
    case int(Int64)
    case uint(UInt64)
    case bool(Bool)

    /// The text, when this is one.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of any numeric kind as a double, rounded beyond 2^53; nil for text and truth values.
    package var number: Double? {
        switch self {
        case .float(let value): Double(value)
        case .double(let value): value
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .string, .bool: nil
        }
    }
}

/// One layer of a vector tile: shared tables of keys and values, and features that point into them.
package struct VectorLayer: Sendable {
    package let name: String
    /// The version of the specification, 1 or 2.
    package let version: Int
    /// Width and height of the tile in its coordinates, usually 4096; `1...2^20`.
    package let extent: Int
    /// The keys, which tags refer to by index.
    package let keys: [String]
    /// The values, which tags refer to by index. Per-value work (a class, a color) is best done once per entry here.
    package let values: [TileValue]
    package let features: [VectorFeature]
    /// How many features were left out because they had no geometry or an odd number of tags.
    package let droppedFeatureCount: Int

    /// Key and value indexes of all features, alternating; all inside their tables.
    package let tags: [UInt32]
    /// The whole decompressed tile, into which features point.
    let content: SharedBytes
}

/// One feature: 32 bytes that point into its layer. Pass it back to the layer it came from.
package struct VectorFeature: Sendable {
    let identifier: UInt64
    /// Where its tags begin in ``VectorLayer/tags``.
    package let firstTag: UInt32
    /// How many tags it has, twice the number of its properties.
    package let tagCount: UInt32
    let geometryStart: UInt32
    /// The bytes of its encoded geometry; each point takes two at least.
    package let geometryByteCount: UInt32
    package let kind: GeometryKind
    let hasIdentifier: Bool

    package var id: UInt64? { hasIdentifier ? identifier : nil }
}
