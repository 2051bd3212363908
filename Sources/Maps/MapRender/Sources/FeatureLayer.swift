package import MapStyle
import Synchronization

/// A place in a tile: 8192 to its side; beyond the sides as far as 16 bits go.
package struct TileVertex: Hashable, Sendable {
    /// To the right.
    package var x: Int16
    package var y: Int16

    /// The place at these coordinates.
    package init(x: Int16, y: Int16) {
        self.x = x
        self.y = y
    }
}

/// The features of one layer of one tile, decoded, in flat arrays: a feature costs no allocation. Vector tiles and GeoJSON
/// both end as this; it never changes and is shared by pictures.
package final class FeatureLayer: Sendable {
    /// Units from one side of a tile to the other.
    package static let extent = 8192

    /// A feature: ranges in the arrays of its layer.
    package struct Feature: Sendable {
        /// The kind of geometry.
        package var kind: FeatureKind
        /// The index of its id in ``FeatureLayer/ids``; -1 without one.
        package var id: Int32
        /// Its tags in ``FeatureLayer/tags``.
        package var firstTag: Int32
        /// Twice the number of its properties.
        package var tagCount: Int32
        /// Its parts in ``FeatureLayer/partEnds``.
        package var firstPart: Int32
        /// How many parts there are: points (each a part of its own or several in one), lines or rings.
        package var partCount: Int32

        /// A feature from its ranges.
        package init(
            kind: FeatureKind, id: Int32, firstTag: Int32, tagCount: Int32, firstPart: Int32, partCount: Int32
        ) {
            self.kind = kind
            self.id = id
            self.firstTag = firstTag
            self.tagCount = tagCount
            self.firstPart = firstPart
            self.partCount = partCount
        }
    }

    /// The name in the tile; empty for GeoJSON.
    package let name: String
    /// The names of properties.
    package let keys: [String]
    /// The values of properties.
    package let values: [Value]
    /// Indexes of a key and a value, by turns.
    package let tags: [UInt32]
    /// The ids that features have.
    package let ids: [Value]
    /// The features, in the order of the tile.
    package let features: [Feature]
    /// Where each part ends in ``vertices``; it begins where the one before it ends.
    package let partEnds: [Int32]
    /// The vertices of all parts. Rings do not repeat their first vertex; exterior rings have positive area with y downwards.
    package let vertices: [TileVertex]

    /// A layer of these arrays; the ranges must fit each other.
    package init(
        name: String, keys: [String], values: [Value], tags: [UInt32], ids: [Value], features: [Feature],
        partEnds: [Int32], vertices: [TileVertex]
    ) {
        self.name = name
        self.keys = keys
        self.values = values
        self.tags = tags
        self.ids = ids
        self.features = features
        self.partEnds = partEnds
        self.vertices = vertices
    }

    /// The range of ``vertices`` of a part.
    @inline(__always)
    package func part(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(partEnds[index - 1]))..<Int(partEnds[index])
    }

    /// About how many bytes it holds, with what it may remember of filters.
    package var byteCount: Int {
        vertices.count * 4 + partEnds.count * 4 + features.count * (24 + 4 * Self.rememberedShare) + tags.count * 4
            + values.reduce(256) { $0 + 64 + ($1.string?.utf8.count ?? 0) }
            + keys.reduce(0) { $0 + 32 + $1.utf8.count }
    }

    /// The features that the filter of a layer accepts, by their indexes. The layer itself is not held: tiles outlive styles.
    private struct Selection: Sendable {
        let layer: UInt64
        let zoom: Double
        let indexes: [Int32]
    }

    /// How many times as many indexes are remembered as there are features.
    private static let rememberedShare = 4
    private let selections = Mutex<[Selection]>([])

    /// The indexes of the features that `layer` draws at a zoom level, if they are remembered.
    func selection(of layer: StyleLayer, zoom: Double) -> [Int32]? {
        selections.withLock { selections in
            selections.first { $0.layer == layer.number && $0.zoom == zoom }?.indexes
        }
    }

    /// Remembers the features that `layer` draws at a zoom level; the oldest such knowledge makes room.
    func remember(_ indexes: [Int32], of layer: StyleLayer, zoom: Double) {
        selections.withLock { selections in
            var room = features.count * Self.rememberedShare - indexes.count
            // Also of selections without features there are not more than this many.
            let kept = selections.suffix(127).reversed().prefix { selection in
                room -= selection.indexes.count
                return room >= 0
            }
            selections = kept.reversed() + [Selection(layer: layer.number, zoom: zoom, indexes: indexes)]
        }
    }
}
