import MapTestKit

/// Writes small vector tiles field by field, also ones that no sound encoder would write.
struct TileWriter {
    struct Feature {
        var id: UInt64?
        var tags: [UInt32] = []
        var kind: UInt64? = 1
        var geometry: [UInt32]? = [9, 50, 34]
    }

    var name: String? = "layer"
    var version: UInt64? = 2
    var extent: UInt64?
    var keys: [String] = []
    /// Each an encoded `Value` message.
    var values: [[UInt8]] = []
    var features: [Feature] = [Feature()]

    func tile() -> [UInt8] { field(3, layer()) }

    func layer() -> [UInt8] {
        var bytes: [UInt8] = []
        if let version { bytes += field(15, version) }
        if let name { bytes += field(1, Array(name.utf8)) }
        for feature in features { bytes += field(2, encoded(feature)) }
        for key in keys { bytes += field(3, Array(key.utf8)) }
        for value in values { bytes += field(4, value) }
        if let extent { bytes += field(5, extent) }
        return bytes
    }

    private func encoded(_ feature: Feature) -> [UInt8] {
        var bytes: [UInt8] = []
        if let id = feature.id { bytes += field(1, id) }
        if !feature.tags.isEmpty { bytes += field(2, feature.tags.flatMap { varint(UInt64($0)) }) }
        if let kind = feature.kind { bytes += field(3, kind) }
        if let geometry = feature.geometry { bytes += field(4, geometry.flatMap { varint(UInt64($0)) }) }
        return bytes
    }
}

func field(_ number: UInt64, _ value: UInt64) -> [UInt8] { varint(number << 3) + varint(value) }

func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(content.count)) + content
}

func moveTo(_ x: Int32, _ y: Int32) -> [UInt32] { [9, zigzag(x), zigzag(y)] }

func lineTo(_ steps: (Int32, Int32)...) -> [UInt32] {
    [UInt32(steps.count) << 3 | 2] + steps.flatMap { [zigzag($0.0), zigzag($0.1)] }
}

let closePath: [UInt32] = [15]

func zigzag(_ value: Int32) -> UInt32 { UInt32(bitPattern: (value << 1) ^ (value >> 31)) }
