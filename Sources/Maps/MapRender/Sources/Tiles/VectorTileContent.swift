import Bytes
import MapStyle
import Tiles

final class VectorTileContent: Sendable {
    let layers: [String: FeatureLayer]
    /// About how many bytes it takes.
    let byteCount: Int

    private init(layers: [FeatureLayer]) {
        self.layers = Dictionary(layers.map { ($0.name, $0) }) { first, _ in first }
        byteCount = layers.reduce(256) { $0 + $1.byteCount }
    }

    /// The content of a tile's bytes, compressed or not; nil when they are no vector tile. What is malformed inside of a
    /// feature leaves that feature out.
    static func read(_ bytes: SharedBytes) -> VectorTileContent? {
        guard let tile = try? VectorTile.decode(VectorTile.decompressed(bytes)) else { return nil }
        var geometry = TileGeometry()
        return VectorTileContent(
            layers: tile.layers.map { layer in
                var reader = VectorLayerReader(layer)
                return reader.read(&geometry)
            })
    }
}

/// Turns a layer of a vector tile into flat arrays of the engine's own units.
private struct VectorLayerReader {
    private let layer: VectorLayer
    private var ids: [Value] = []
    private var features: [FeatureLayer.Feature] = []
    private var partEnds: [Int32] = []
    private var vertices: [TileVertex] = []

    init(_ layer: VectorLayer) {
        self.layer = layer
    }

    mutating func read(_ geometry: inout TileGeometry) -> FeatureLayer {
        features.reserveCapacity(layer.features.count)
        partEnds.reserveCapacity(layer.features.count)
        // Real tiles come close to two bytes a point, so this is little more than is needed, and in one piece.
        vertices.reserveCapacity(layer.features.reduce(0) { $0 + Int($1.geometryByteCount) } / 2)
        for feature in layer.features {
            guard let kind = Self.kind(feature.kind),
                (try? layer.geometry(of: feature, into: &geometry)) != nil, geometry.partCount > 0
            else { continue }
            append(feature, kind, geometry)
        }
        return FeatureLayer(
            name: layer.name, keys: layer.keys, values: layer.values.map(Self.value), tags: layer.tags, ids: ids,
            features: features, partEnds: partEnds, vertices: vertices)
    }

    private mutating func append(_ feature: VectorFeature, _ kind: FeatureKind, _ geometry: TileGeometry) {
        let firstPart = partEnds.count
        let firstVertex = vertices.count
        appendVertices(geometry.points)
        for end in geometry.partEnds { partEnds.append(Int32(firstVertex) + end) }
        if kind == .polygon { orient(firstPart..<partEnds.count) }
        var id: Int32 = -1
        if let number = feature.id {
            id = Int32(ids.count)
            ids.append(.number(Double(number)))
        }
        features.append(
            FeatureLayer.Feature(
                kind: kind, id: id, firstTag: Int32(feature.firstTag), tagCount: Int32(feature.tagCount),
                firstPart: Int32(firstPart), partCount: Int32(partEnds.count - firstPart)))
    }

    /// Brings points to 8192 units and rounds them, halves upwards, as the reference does.
    private mutating func appendVertices(_ points: [Tiles.TilePoint]) {
        let first = vertices.count
        // Room for all at once, then plain stores.
        vertices.append(contentsOf: repeatElement(TileVertex(x: 0, y: 0), count: points.count))
        let extent = layer.extent
        let scale = Double(FeatureLayer.extent) / Double(extent)
        vertices.withUnsafeMutableBufferPointer { vertices in
            // Doubling covers nearly all tiles there are, and in integers.
            if extent * 2 == FeatureLayer.extent {
                for (index, point) in points.enumerated() {
                    vertices[first + index] = TileVertex(
                        x: Self.held(Int(point.x) &* 2), y: Self.held(Int(point.y) &* 2))
                }
                return
            }
            for (index, point) in points.enumerated() {
                let x = (Double(point.x) * scale + 0.5).rounded(.down)
                let y = (Double(point.y) * scale + 0.5).rounded(.down)
                vertices[first + index] = TileVertex(x: Self.held(Int(x)), y: Self.held(Int(y)))
            }
        }
    }

    /// Places are held to one tile beyond the sides.
    @inline(__always)
    private static func held(_ value: Int) -> Int16 { Int16(truncatingIfNeeded: max(-16384, min(16383, value))) }

    /// The first ring with an area is an exterior one, whatever way it runs; then the others are what that makes them.
    private func ringArea(_ part: Int) -> Int {
        let ring = vertices[range(of: part)]
        return ring.doubledArea(after: ring.last)
    }

    private mutating func orient(_ parts: Range<Int>) {
        for part in parts {
            let area = ringArea(part)
            if area > 0 { return }
            guard area < 0 else { continue }
            for part in parts { vertices[range(of: part)].reverse() }
            return
        }
    }

    private func range(of part: Int) -> Range<Int> { (part == 0 ? 0 : Int(partEnds[part - 1]))..<Int(partEnds[part]) }

    private static func kind(_ kind: GeometryKind) -> FeatureKind? {
        switch kind {
        case .point: .point
        case .line: .lineString
        case .polygon: .polygon
        case .unknown: nil
        }
    }

    private static func value(_ value: TileValue) -> Value {
        switch value {
        case .string(let text): .string(text)
        case .float(let number): .number(Double(number))
        case .double(let number): .number(number)
        case .int(let number): .number(Double(number))
        case .uint(let number): .number(Double(number))
        case .bool(let boolean): .boolean(boolean)
        }
    }
}
