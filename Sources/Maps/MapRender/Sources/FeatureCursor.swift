import JSON
import MapStyle

final class FeatureCursor: StyleFeature {
    let layer: FeatureLayer
    var index = 0

    /// The index in the layer's keys of each name that the style asks for, by slot; -1 if there is no such key.
    private let keyIndexes: [Int32]

    init(_ layer: FeatureLayer, propertyNames: [String]) {
        self.layer = layer
        var indexes: [String: Int32] = [:]
        for (index, key) in layer.keys.enumerated() where indexes[key] == nil { indexes[key] = Int32(index) }
        keyIndexes = propertyNames.map { indexes[$0] ?? -1 }
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
        return keyIndexes[key.slot] < 0 ? nil : value(keyIndex: UInt32(keyIndexes[key.slot]))
    }

    func property(named name: String) -> Value? {
        guard let index = layer.keys.firstIndex(of: name) else { return nil }
        return value(keyIndex: UInt32(index))
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
