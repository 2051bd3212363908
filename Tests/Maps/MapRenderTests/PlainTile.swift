import Bytes
import MapStyle
import Raster

@testable import MapRender

/// A tile of few features, written by hand: enough to see whether a style draws a schema.
enum PlainTile {
    /// Where and what a feature is, on a grid of 4,096 units.
    enum Shape {
        case point(Int, Int)
        case line([(Int, Int)])
        case polygon([(Int, Int)])
    }

    /// One feature of a layer, with properties that are text or, where they look like it, whole numbers.
    struct Feature {
        var layer: String
        var shape: Shape
        var properties: [(key: String, value: String)]
    }

    /// The bytes of a tile with a layer for each feature.
    static func bytes(_ features: [Feature]) -> SharedBytes { SharedBytes(features.flatMap { field(3, layer($0)) }) }

    private static func layer(_ feature: Feature) -> [UInt8] {
        let tags = feature.properties.indices.flatMap { varint(UInt64($0)) + varint(UInt64($0)) }
        let (kind, commands) = geometry(feature.shape)
        var layer = field(1, Array(feature.layer.utf8))
        var content = field(2, tags)
        content += [3 << 3] + varint(kind)
        content += field(4, commands.flatMap(varint))
        layer += field(2, content)
        for (key, _) in feature.properties { layer += field(3, Array(key.utf8)) }
        for (_, value) in feature.properties {
            let number = UInt64(value).map { [5 << 3] + varint($0) }
            layer += field(4, number ?? field(1, Array(value.utf8)))
        }
        return layer + [5 << 3] + varint(4096) + [15 << 3, 2]
    }

    private static func geometry(_ shape: Shape) -> (kind: UInt64, commands: [UInt64]) {
        switch shape {
        case .point(let x, let y): (1, path([(x, y)], isClosed: false))
        case .line(let points): (2, path(points, isClosed: false))
        case .polygon(let points): (3, path(points, isClosed: true))
        }
    }

    private static func path(_ points: [(Int, Int)], isClosed: Bool) -> [UInt64] {
        var commands: [UInt64] = []
        var (x, y) = (0, 0)
        for (index, point) in points.enumerated() {
            if index == 0 { commands.append(1 | 1 << 3) }
            if index == 1 { commands.append(2 | UInt64(points.count - 1) << 3) }
            commands.append(zigzag(point.0 - x))
            commands.append(zigzag(point.1 - y))
            (x, y) = point
        }
        return isClosed ? commands + [7 | 1 << 3] : commands
    }

    private static func zigzag(_ step: Int) -> UInt64 { step < 0 ? UInt64(-2 * step - 1) : UInt64(2 * step) }

    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        let tag = number << 3 | 2
        return [tag] + varint(UInt64(content.count)) + content
    }

    private static func varint(_ number: UInt64) -> [UInt8] {
        guard number > 127 else { return [UInt8(number)] }
        let group = UInt8(number & 127) | 128
        return [group] + varint(number >> 7)
    }
}

/// One tile that stands for the whole world, as the archive of the built-in styles.
struct OneTileResources: MapResources, TileArchive {
    let content: SharedBytes

    let validator = "one"
    let zooms = 0...0
    let bounds: [Double]? = nil
    var attribution: String?

    func tile(_ id: TileCoordinate) throws(ResourceError) -> SharedBytes? { content }
    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { self }
}

/// Most resources of tests have one kind of content.
extension MapResources {
    func bytes(at address: String) throws(ResourceError) -> SharedBytes? { nil }
    func archive(at address: String) throws(ResourceError) -> (any TileArchive)? { nil }
    func picture(_ bytes: SharedBytes) -> Texture? { nil }
}

struct NoResources: MapResources {}
