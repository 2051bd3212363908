import JSON
import MapStyle

final class FeatureCursor: StyleFeature {
    let layer: FeatureLayer
    var index = 0

    /// The index in the layer's keys of each name that the style asks for, by slot; -1 if there is no such key.
    private let keyIndexes: [Int32]

    init(_ layer: FeatureLayer, propertyNames: [String]) {
        self.layer = layer
        keyIndexes = layer.keyIndexes(of: propertyNames)
    }

    var feature: FeatureLayer.Feature { layer.features[index] }
    var parts: Range<Int> { Int(feature.firstPart)..<Int(feature.firstPart + feature.partCount) }
    var kind: FeatureKind? { feature.kind }
    var id: Value { feature.id < 0 ? .null : layer.ids[Int(feature.id)] }

    var properties: OrderedObject<Value> {
        var object = OrderedObject<Value>()
        let first = Int(feature.firstTag)
        for tag in stride(from: first, to: first + Int(feature.tagCount), by: 2) {
            object[layer.keys[Int(layer.tags[tag])]] = layer.values[Int(layer.tags[tag + 1])]
        }
        if let clip = layer.clips?[index] {
            object[FeatureLayer.clipStartKey] = .number(clip.start)
            object[FeatureLayer.clipEndKey] = .number(clip.end)
        }
        return object
    }

    /// Rings return to their first vertex, as expressions expect.
    var geometry: [[TilePoint]] {
        parts.map { part in
            let vertices = layer.vertices[layer.part(part)]
            return (vertices + (kind == .polygon ? vertices.prefix(1) : []))
                .map { TilePoint(x: Double($0.x), y: Double($0.y)) }
        }
    }

    func property(_ key: PropertyKey) -> Value? {
        guard key.slot < keyIndexes.count else { return property(named: key.name) }
        return keyIndexes[key.slot] < 0 ? clip(named: key.name) : value(keyIndex: UInt32(keyIndexes[key.slot]))
    }

    func property(named name: String) -> Value? {
        guard let index = layer.keyIndex(of: name) else { return clip(named: name) }
        return value(keyIndex: index)
    }

    /// A property of the same name in the data goes before.
    private func clip(named name: String) -> Value? {
        guard let clip = layer.clips?[index] else { return nil }
        if name == FeatureLayer.clipStartKey { return .number(clip.start) }
        return name == FeatureLayer.clipEndKey ? .number(clip.end) : nil
    }

    /// Visits the vertices within the tile; those between two tiles belong to one of them. Rings return to their first vertex.
    func forEachVertexInTile(_ body: (TileVertex) -> Void) {
        let limit = Int16(FeatureLayer.extent)
        func visit(_ vertex: TileVertex) {
            if vertex.x >= 0, vertex.y >= 0, vertex.x < limit, vertex.y < limit { body(vertex) }
        }
        for part in parts {
            let vertices = layer.vertices[layer.part(part)]
            for vertex in vertices { visit(vertex) }
            if kind == .polygon, let first = vertices.first { visit(first) }
        }
    }

    private func value(keyIndex: UInt32) -> Value? {
        let first = Int(feature.firstTag)
        var tag = first
        let end = first + Int(feature.tagCount)
        while tag < end {
            if layer.tags[tag] == keyIndex { return layer.values[Int(layer.tags[tag + 1])] }
            tag += 2
        }
        return nil
    }
}
