import Bytes
import MapStyle
import Tiles

final class VectorTileContent: Sendable {
    let layers: [String: FeatureLayer]
    let byteCount: Int

    private init(layers: [FeatureLayer]) {
        self.layers = Dictionary(layers.map { ($0.name, $0) }) { first, _ in first }
        byteCount = layers.reduce(256) { $0 + $1.byteCount }
    }

    /// From a tile's bytes, compressed or not; nil when they are no vector tile. Malformed features are left out.
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

private struct VectorLayerReader {
    private let layer: VectorLayer
    private var built = FeatureLayerBuilder()

    init(_ layer: VectorLayer) { self.layer = layer }

    mutating func read(_ geometry: inout TileGeometry) -> FeatureLayer {
        built.features.reserveCapacity(layer.features.count)
        built.partEnds.reserveCapacity(layer.features.count)
        // Real tiles come close to two bytes a point, so this is little more than is needed, and in one piece.
        built.vertices.reserveCapacity(layer.features.reduce(0) { $0 + Int($1.geometryByteCount) } / 2)
        for feature in layer.features {
            guard let kind = Self.kind(feature.kind),
                (try? layer.geometry(of: feature, into: &geometry)) != nil, geometry.partCount > 0
            else { continue }
            append(feature, kind, geometry)
        }
        return built.layer(name: layer.name, keys: layer.keys, values: layer.values.map(Self.value), tags: layer.tags)
    }

    private mutating func append(_ feature: VectorFeature, _ kind: FeatureKind, _ geometry: TileGeometry) {
        let (firstPart, firstVertex) = (built.partEnds.count, Int32(built.vertices.count))
        appendVertices(geometry.points)
        for end in geometry.partEnds { built.partEnds.append(firstVertex + end) }
        if kind == .polygon { orient(firstPart..<built.partEnds.count) }
        let tags = Int(feature.firstTag)..<Int(feature.firstTag + feature.tagCount)
        built.add(kind, id: feature.id.map { .number(Double($0)) }, tags: tags, firstPart: firstPart)
    }

    /// Scales points to 8192 units and rounds them, halves upwards, as in the reference.
    private mutating func appendVertices(_ points: [Tiles.TilePoint]) {
        let first = built.vertices.count
        // Room for all at once, then plain stores.
        built.vertices.append(contentsOf: repeatElement(TileVertex(x: 0, y: 0), count: points.count))
        let extent = layer.extent
        let scale = Double(FeatureLayer.extent) / Double(extent)
        built.vertices.withUnsafeMutableBufferPointer { vertices in
            // Doubling serves nearly all tiles, in integers.
            if extent * 2 == FeatureLayer.extent {
                for (index, point) in points.enumerated() {
                    let (x, y) = (Int(point.x) &* 2, Int(point.y) &* 2)
                    vertices[first + index] = TileVertex(x: Self.held(x), y: Self.held(y))
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

    @inline(__always)
    private static func held(_ value: Int) -> Int16 { Int16(truncatingIfNeeded: max(-16384, min(16383, value))) }

    private mutating func orient(_ parts: Range<Int>) {
        for part in parts {
            let ring = built.vertices[range(of: part)]
            let area = ring.doubledArea(after: ring.last)
            if area > 0 { return }
            guard area < 0 else { continue }
            for part in parts { built.vertices[range(of: part)].reverse() }
            return
        }
    }

    private func range(of part: Int) -> Range<Int> {
        (part == 0 ? 0 : Int(built.partEnds[part - 1]))..<Int(built.partEnds[part])
    }

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
