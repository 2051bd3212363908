import Bytes

/// A decoded vector tile (MVT 2.1). Geometries stay encoded until ``VectorLayer/geometry(of:into:)`` asks for one.
package struct VectorTile: Sendable {
    /// In the order of the tile; of equal names the first is kept.
    package let layers: [VectorLayer]
    package let droppedLayerCount: Int
}

/// The defaults are far above real tiles and bound a 16 MiB tile to some 200 MB decoded.
package struct VectorTileLimits: Sendable {
    package var layerCount = 256
    /// Of all layers together.
    package var featureCount = 1 << 20
    /// Of one layer.
    package var keyCount = 1 << 16
    package var valueCount = 1 << 20

    package init() {}
}

/// MVT 2.1 §4.4.
package enum TileValue: Hashable, Sendable {
    /// Malformed UTF-8 was replaced by U+FFFD.
    case string(String)
    case float(Float)
    case double(Double)
    /// `int_value` or `sint_value`.
    case int(Int64)
    case uint(UInt64)
    case bool(Bool)

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// Rounded beyond 2^53; nil for text and truth values.
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

package struct VectorLayer: Sendable {
    package let name: String
    package let version: Int
    /// Width and height of the tile in its coordinates, usually 4096; `1...2^20`.
    package let extent: Int
    package let keys: [String]
    package let values: [TileValue]
    package let features: [VectorFeature]
    /// Features without a geometry or with an odd number of tags.
    package let droppedFeatureCount: Int
    /// Key and value indexes of all features, alternating; all inside their tables.
    package let tags: [UInt32]
    let content: SharedBytes
}

package struct VectorFeature: Sendable {
    let identifier: UInt64
    /// In ``VectorLayer/tags``; the count is twice the number of properties.
    package let firstTag: UInt32, tagCount: UInt32
    let geometryStart: UInt32
    /// Each point takes at least two.
    package let geometryByteCount: UInt32
    package let kind: GeometryKind
    let hasIdentifier: Bool

    package var id: UInt64? { hasIdentifier ? identifier : nil }
}
