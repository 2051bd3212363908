import Bytes
import Tiles

/// A Protocol Buffers message under construction.
struct Message {
    private(set) var octets: [UInt8] = []

    static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value
        var octets: [UInt8] = []
        while rest >= 0x80 {
            octets.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return octets + [UInt8(rest)]
    }

    mutating func add(_ field: UInt64, _ value: UInt64) {
        octets += Self.varint(field << 3) + Self.varint(value)
    }

    mutating func add(_ field: UInt64, _ content: [UInt8]) {
        octets += Self.varint(field << 3 | 2) + Self.varint(UInt64(content.count)) + content
    }
}

/// A layer of a vector tile under construction, extent 4096.
struct TestLayer {
    var name: String
    private var keys: [String] = []
    private var values: [TileValue] = []
    private var features: [[UInt8]] = []

    init(_ name: String) {
        self.name = name
    }

    /// Adds a line or, as rings of which the first is the exterior, a polygon.
    mutating func add(_ kind: GeometryKind, _ parts: [[(Int, Int)]], _ properties: [(String, TileValue)] = []) {
        var tags: [UInt8] = []
        for (key, value) in properties {
            if !keys.contains(key) { keys.append(key) }
            if !values.contains(value) { values.append(value) }
            tags += Message.varint(UInt64(keys.firstIndex(of: key) ?? 0))
            tags += Message.varint(UInt64(values.firstIndex(of: value) ?? 0))
        }
        var geometry: [UInt8] = []
        var (x, y) = (0, 0)
        func move(to place: (Int, Int)) {
            for delta in [place.0 - x, place.1 - y] {
                geometry += Message.varint(UInt64(truncatingIfNeeded: (delta << 1) ^ (delta >> 63)))
            }
            (x, y) = place
        }
        for part in parts {
            geometry += Message.varint(9)
            move(to: part[0])
            geometry += Message.varint(UInt64((part.count - 1) << 3 | 2))
            for place in part.dropFirst() { move(to: place) }
            if kind == .polygon { geometry += Message.varint(15) }
        }
        var feature = Message()
        feature.add(2, tags)
        feature.add(3, UInt64(kind.rawValue))
        feature.add(4, geometry)
        features.append(feature.octets)
    }

    var octets: [UInt8] {
        var layer = Message()
        layer.add(15, 2)
        layer.add(1, Array(name.utf8))
        for feature in features { layer.add(2, feature) }
        for key in keys { layer.add(3, Array(key.utf8)) }
        for value in values {
            var message = Message()
            switch value {
            case .string(let text): message.add(1, Array(text.utf8))
            case .bool(let flag): message.add(7, flag ? 1 : 0)
            case .int(let number): message.add(6, UInt64(bitPattern: (number << 1) ^ (number >> 63)))
            case .uint(let number): message.add(5, number)
            case .float, .double: break
            }
            layer.add(4, message.octets)
        }
        layer.add(5, 4096)
        return layer.octets
    }

    static func tile(_ layers: [TestLayer]) -> [UInt8] {
        var tile = Message()
        for layer in layers { tile.add(3, layer.octets) }
        return tile.octets
    }

    static let square = [(0, 0), (4096, 0), (4096, 4096), (0, 4096)]
}

/// A PMTiles v3 archive in memory: one directory, nothing compressed.
enum TestArchive {
    static func make(
        _ tiles: [(TileID, [UInt8])], minZoom: Int, maxZoom: Int, tileType: UInt8 = 1
    ) throws -> PMTilesArchive {
        let sorted = tiles.sorted { $0.0.pmtilesID < $1.0.pmtilesID }
        var directory = Message.varint(UInt64(sorted.count))
        var previous: UInt64 = 0
        for (id, _) in sorted {
            directory += Message.varint(id.pmtilesID - previous)
            previous = id.pmtilesID
        }
        for _ in sorted { directory += Message.varint(1) }
        for (_, content) in sorted { directory += Message.varint(UInt64(content.count)) }
        for index in sorted.indices { directory += Message.varint(index == 0 ? 1 : 0) }
        let metadata = Array("{}".utf8)
        let content = sorted.flatMap(\.1)
        let afterDirectory = 127 + directory.count
        var header = Array("PMTiles".utf8) + [3]
        for number in [
            127, directory.count, afterDirectory, metadata.count, afterDirectory + metadata.count, 0,
            afterDirectory + metadata.count, content.count, sorted.count, sorted.count, sorted.count,
        ] {
            header += littleEndian(UInt64(number))
        }
        header += [1, 1, 1, tileType, UInt8(minZoom), UInt8(maxZoom)]
        for degrees in [-180, -85, 180, 85] { header += littleEndian(Int32(degrees * 10_000_000)) }
        header += [UInt8(minZoom)] + littleEndian(Int32(0)) + littleEndian(Int32(0))
        return try PMTilesArchive(bytes: SharedBytes(header + directory + metadata + content))
    }

    /// Tiles of level `zoom` with the same content: all of a small level, of a deep one those in the middle of the world.
    static func everywhere(_ content: [UInt8], zoom: Int) throws -> PMTilesArchive {
        let side = 1 << zoom
        let range = zoom <= 3 ? 0..<side : (side / 2 - 2)..<(side / 2 + 2)
        let ids = range.flatMap { y in range.compactMap { x in TileID(z: zoom, x: x, y: y) } }
        return try make(ids.map { ($0, content) }, minZoom: min(zoom, 3), maxZoom: zoom)
    }

    private static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
