import MapStyle
import Synchronization

/// A place in a tile: 8192 to its side; beyond the sides as far as 16 bits go.
struct TileVertex: Hashable, Sendable {
    var x: Int16
    var y: Int16
}

extension Sequence<TileVertex> {
    /// Twice the area of a ring, positive when it runs clockwise with y downwards; `last` is its last vertex.
    func doubledArea(after last: TileVertex?) -> Int {
        guard var before = last else { return 0 }
        var area = 0
        for vertex in self {
            area &+= Int(before.x) &* Int(vertex.y) &- Int(vertex.x) &* Int(before.y)
            before = vertex
        }
        return area
    }
}

/// The features of one layer of one tile, decoded, in flat arrays: a feature costs no allocation. Vector tiles and GeoJSON
/// both end as this; it never changes and is shared by pictures.
final class FeatureLayer: Sendable {
    /// Units from one side of a tile to the other.
    static let extent = 8192

    struct Feature: Sendable {
        var kind: FeatureKind
        /// The index of its id in ``FeatureLayer/ids``; -1 without one.
        var id: Int32
        /// Its tags in ``FeatureLayer/tags``.
        var firstTag: Int32
        /// Twice the number of its properties.
        var tagCount: Int32
        /// Its parts in ``FeatureLayer/partEnds``.
        var firstPart: Int32
        /// How many parts there are: points (each a part of its own or several in one), lines or rings.
        var partCount: Int32
    }

    /// The name in the tile; empty for GeoJSON.
    let name: String
    let keys: [String]
    let values: [Value]
    /// Indexes of a key and a value, by turns.
    let tags: [UInt32]
    let ids: [Value]
    /// The features, in the order of the tile.
    let features: [Feature]
    /// Where each part ends in ``vertices``; it begins where the one before it ends.
    let partEnds: [Int32]
    /// The vertices of all parts. Rings do not repeat their first vertex; exterior rings have positive area with y downwards.
    let vertices: [TileVertex]

    /// A layer of these arrays; the ranges must fit each other.
    init(
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

    @inline(__always)
    func part(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(partEnds[index - 1]))..<Int(partEnds[index])
    }

    /// About how many bytes it holds, with what it may remember of filters.
    var byteCount: Int {
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
