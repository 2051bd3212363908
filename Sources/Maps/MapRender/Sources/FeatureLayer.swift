import MapStyle
import Synchronization

/// A place in a tile, in 1/8192 of its side; as far beyond as 16 bits go.
struct TileVertex: Hashable, Sendable { var x, y: Int16 }

/// The least rectangle around some places in a tile, its sides included; touches nothing where there are none.
struct TileBox: Equatable, Sendable {
    private(set) var low = TileVertex(x: .max, y: .max)
    private(set) var high = TileVertex(x: .min, y: .min)

    init(_ vertices: UnsafeBufferPointer<TileVertex>) {
        for vertex in vertices {
            low.x = min(low.x, vertex.x)
            low.y = min(low.y, vertex.y)
            high.x = max(high.x, vertex.x)
            high.y = max(high.y, vertex.y)
        }
    }
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

/// Shares of the whole line at which a part begins and ends: one part a feature; NaN for a line without length.
struct LineClip: Equatable, Sendable { var start, end: Double }

/// The features of one layer of one tile, from vector tiles or GeoJSON, in flat arrays: a feature costs no allocation.
final class FeatureLayer: Sendable {
    static let extent = 8192
    /// The properties that tell a ``LineClip``.
    static let clipStartKey = "mapbox_clip_start"
    static let clipEndKey = "mapbox_clip_end"

    struct Feature: Sendable {
        var kind: FeatureKind
        /// The index in ``FeatureLayer/ids``; -1 without an id.
        var id: Int32
        /// In ``FeatureLayer/tags``; the count is twice the number of properties.
        var firstTag: Int32, tagCount: Int32
        /// In ``FeatureLayer/partEnds``: points (each a part of its own or several in one), lines or rings.
        var firstPart: Int32, partCount: Int32
    }

    let number = SerialNumber.next()
    /// Empty for GeoJSON.
    let name: String
    let keys: [String]
    let values: [Value]
    let tags: [UInt32]
    let ids: [Value]
    let features: [Feature]
    /// In ``vertices``; a part begins where the one before it ends.
    let partEnds: [Int32]
    /// Rings do not repeat their first vertex; exterior rings have positive area with y downwards.
    let vertices: [TileVertex]
    /// Of each part: what a picture does not reach is left out without a look at its vertices.
    let boxes: [TileBox]
    /// By the index of the feature, beside its tags; nil unless the source has `lineMetrics`.
    let clips: [Int: LineClip]?
    /// Where the keys, values and tags come from if all tiles of the source have the same ones.
    private let shared: GeoRecords?

    init(
        name: String, keys: [String], values: [Value], tags: [UInt32], ids: [Value], features: [Feature],
        partEnds: [Int32], vertices: [TileVertex], clips: [Int: LineClip]? = nil, shared: GeoRecords? = nil
    ) {
        (self.clips, self.shared) = (clips, shared)
        (self.name, self.keys, self.values, self.tags) = (name, keys, values, tags)
        (self.ids, self.features, self.partEnds, self.vertices) = (ids, features, partEnds, vertices)
        boxes = vertices.withUnsafeBufferPointer { vertices in
            var start = 0
            return partEnds.map { partEnd in
                defer { start = Int(partEnd) }
                return TileBox(UnsafeBufferPointer(rebasing: vertices[start..<Int(partEnd)]))
            }
        }
    }

    @inline(__always)
    func part(_ index: Int) -> Range<Int> { (index == 0 ? 0 : Int(partEnds[index - 1]))..<Int(partEnds[index]) }

    /// Without what it shares with other tiles.
    var byteCount: Int {
        let places = vertices.count * 4 + partEnds.count * 12 + (clips?.count ?? 0) * 48
        let own =
            256 + places + features.count * (24 + 4 * Self.rememberedShare) + ids.count * MemoryLayout<Value>.stride
        if shared != nil { return own }
        return own + tags.count * 4 + values.reduce(0) { $0 + 64 + ($1.string?.utf8.count ?? 0) }
            + keys.reduce(0) { $0 + 32 + $1.utf8.count }
    }

    var hasLineMetrics: Bool { clips != nil || keyIndex(of: Self.clipStartKey) != nil }

    /// The place of a name in ``keys``; O(keys) unless they are shared.
    func keyIndex(of name: String) -> UInt32? {
        if let shared { return shared.keyIndex(of: name) }
        return keys.firstIndex(of: name).map { UInt32($0) }
    }

    /// The places of several names; -1 for those that are no keys.
    func keyIndexes(of names: [String]) -> [Int32] {
        if let shared { return names.map { name in shared.keyIndex(of: name).map { Int32($0) } ?? -1 } }
        var indexes: [String: Int32] = [:]
        for (index, key) in keys.enumerated() where indexes[key] == nil { indexes[key] = Int32(index) }
        return names.map { indexes[$0] ?? -1 }
    }

    private struct Selection: Sendable {
        let layer: UInt64
        let zoom: Double
        let indexes: [Int32]
    }

    /// Remembered indexes, as a multiple of the number of features.
    private static let rememberedShare = 4
    private let selections = Mutex<[Selection]>([])

    func selection(of layer: StyleLayer, zoom: Double) -> [Int32]? {
        selections.withLock { $0.first { $0.layer == layer.number && $0.zoom == zoom }?.indexes }
    }

    func remember(_ indexes: [Int32], of layer: StyleLayer, zoom: Double) {
        selections.withLock { selections in
            var room = features.count * Self.rememberedShare - indexes.count
            // A limit for selections without features too.
            let kept = selections.suffix(127).reversed().prefix { selection in
                room -= selection.indexes.count
                return room >= 0
            }
            selections = kept.reversed() + [Selection(layer: layer.number, zoom: zoom, indexes: indexes)]
        }
    }
}

struct FeatureLayerBuilder {
    var ids: [Value] = []
    var features: [FeatureLayer.Feature] = []
    var partEnds: [Int32] = []
    var vertices: [TileVertex] = []
    /// Not nil for sources with `lineMetrics`.
    var clips: [Int: LineClip]?

    /// Adds a feature with the parts from `firstPart` on; leaves it out if its tags lie beyond what 32 bits count.
    mutating func add(
        _ kind: FeatureKind, id: Value?, tags: Range<Int>, firstPart: Int, clip: LineClip? = nil
    ) {
        guard let firstTag = Int32(exactly: tags.lowerBound), Int32(exactly: tags.upperBound) != nil else { return }
        let feature = FeatureLayer.Feature(
            kind: kind, id: id == nil ? -1 : Int32(ids.count), firstTag: firstTag,
            tagCount: Int32(tags.count), firstPart: Int32(firstPart), partCount: Int32(partEnds.count - firstPart))
        if let clip { clips?[features.count] = clip }
        features.append(feature)
        if let id { ids.append(id) }
    }

    func layer(name: String = "", keys: [String], values: [Value], tags: [UInt32]) -> FeatureLayer {
        FeatureLayer(
            name: name, keys: keys, values: values, tags: tags, ids: ids, features: features, partEnds: partEnds,
            vertices: vertices)
    }

    /// A layer of GeoJSON: all tiles of a source have the arrays of its records, without a copy.
    func layer(sharing records: GeoRecords) -> FeatureLayer {
        FeatureLayer(
            name: "", keys: records.keys, values: records.values, tags: records.tags, ids: ids, features: features,
            partEnds: partEnds, vertices: vertices, clips: clips, shared: records)
    }
}
