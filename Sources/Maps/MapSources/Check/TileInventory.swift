import Bytes
import MapRender
import MapStyle
import Raster
import Tiles

/// What a sample of a source's tiles contains.
struct TileInventory: Sendable {
    struct Layer: Sendable {
        var zooms: ClosedRange<Int>
        var featureCounts: [String: Int] = [:]
        var fields: [String: Set<String>] = [:]
    }

    /// The most layers, and fields of a layer, that are kept.
    private static let nameLimit = 2000
    private static let faultLimit = 20

    private(set) var layers: [String: Layer] = [:]
    private(set) var faults: [String] = []
    private(set) var faultCount = 0
    private(set) var tileCount = 0
    private(set) var missingCount = 0
    /// The largest tile as stored.
    private(set) var largest: (byteCount: Int, id: TileCoordinate)?
    private(set) var encodings: Set<String> = []
    private(set) var sizes: Set<String> = []

    init(
        _ archive: any SourceArchive, _ tiles: [TileCoordinate], format: TileFormat, picture: (SharedBytes) -> Texture?
    ) {
        for id in tiles {
            tileCount += 1
            do throws(ResourceError) {
                guard let stored = try archive.storedTile(id), let content = try archive.tile(id) else {
                    missingCount += 1
                    continue
                }
                encodings.insert(stored.encoding.rawValue)
                if stored.content.count > largest?.byteCount ?? -1 { largest = (stored.content.count, id) }
                if format.isPicture { add(content, id, picture) } else { add(vector: content, id) }
            } catch {
                if let cause = error.cause { fail(id, cause) }
            }
        }
    }

    private mutating func fail(_ id: TileCoordinate, _ cause: String) {
        faultCount += 1
        let text = cause.hasPrefix(id.text) ? cause : "\(id.text): \(cause)"
        if faults.count < Self.faultLimit { faults.append(text) }
    }

    private mutating func add(_ content: SharedBytes, _ id: TileCoordinate, _ picture: (SharedBytes) -> Texture?) {
        guard let texture = picture(content) else { return fail(id, "\(content.count) bytes that are not an image") }
        sizes.insert("\(texture.widthPx)×\(texture.heightPx)")
    }

    private mutating func add(vector content: SharedBytes, _ id: TileCoordinate) {
        do throws(TileError) {
            for layer in try VectorTile.decode(content).layers
            where layers[layer.name] != nil || layers.count < Self.nameLimit { add(layer, level: id.z) }
        } catch {
            fail(id, error.words)
        }
    }

    private mutating func add(_ layer: VectorLayer, level: Int) {
        var found = layers[layer.name] ?? Layer(zooms: level...level)
        found.zooms = min(found.zooms.lowerBound, level)...max(found.zooms.upperBound, level)
        for feature in layer.features { found.featureCounts[Self.word(feature.kind), default: 0] += 1 }
        for tag in stride(from: 0, to: layer.tags.count - 1, by: 2) {
            let key = layer.keys[Int(layer.tags[tag])]
            guard found.fields[key] != nil || found.fields.count < Self.nameLimit else { continue }
            found.fields[key, default: []].insert(Self.word(layer.values[Int(layer.tags[tag + 1])]))
        }
        layers[layer.name] = found
    }

    private static func word(_ kind: GeometryKind) -> String {
        switch kind {
        case .point: "points"
        case .line: "lines"
        case .polygon: "polygons"
        case .unknown: "unknown"
        }
    }

    private static func word(_ value: TileValue) -> String {
        switch value {
        case .string: "string"
        case .bool: "boolean"
        case .float, .double, .int, .uint: "number"
        }
    }
}
