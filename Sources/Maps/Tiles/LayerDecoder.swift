import Bytes

struct LayerDecoder {
    private static let extentLimit = 1 << 20
    private static let defaultExtent = 4096

    private let limits: VectorTileLimits
    private var name = ""
    private var version = 0
    private var extent = LayerDecoder.defaultExtent
    private var keys: [String] = []
    private var values: [TileValue] = []
    private var features: [VectorFeature] = []
    private var tags: [UInt32] = []
    private var droppedFeatureCount = 0

    private init(limits: VectorTileLimits) { self.limits = limits }

    /// The layer at `range` of `content`; counts its features down from `featureRoom`.
    static func decode(
        _ range: Range<Int>, of content: SharedBytes, limits: VectorTileLimits, featureRoom: inout Int
    ) throws(TileError) -> VectorLayer {
        var decoder = LayerDecoder(limits: limits)
        let bytes = content.span
        var cursor = MessageCursor(bytes, range: range)
        while !cursor.isAtEnd { try decoder.readField(&cursor, bytes: bytes, featureRoom: &featureRoom) }
        guard decoder.version == 1 || decoder.version == 2 else {
            throw .malformedTile(.layerVersion, offset: range.lowerBound)
        }
        guard !decoder.name.isEmpty else { throw .malformedTile(.layerName, offset: range.lowerBound) }
        try decoder.checkTags(offset: range.lowerBound)
        return VectorLayer(
            name: decoder.name, version: decoder.version, extent: decoder.extent, keys: decoder.keys,
            values: decoder.values, features: decoder.features, droppedFeatureCount: decoder.droppedFeatureCount,
            tags: decoder.tags, content: content)
    }

    private mutating func readField(
        _ cursor: inout MessageCursor, bytes: RawSpan, featureRoom: inout Int
    ) throws(TileError) {
        let key = try cursor.readKey()
        switch key.number {
        case 1: name = Self.text(bytes, try cursor.readRange(of: key))
        case 2:
            guard featureRoom > 0 else { throw .malformedTile(.tooMany, offset: key.offset) }
            featureRoom -= 1
            try readFeature(bytes, range: try cursor.readRange(of: key))
        case 3:
            guard keys.count < limits.keyCount else { throw .malformedTile(.tooMany, offset: key.offset) }
            keys.append(Self.text(bytes, try cursor.readRange(of: key)))
        case 4:
            guard values.count < limits.valueCount else { throw .malformedTile(.tooMany, offset: key.offset) }
            values.append(try Self.readValue(bytes, range: try cursor.readRange(of: key)))
        case 5:
            guard let value = Int(exactly: try cursor.readVarint(of: key)), (1...Self.extentLimit).contains(value)
            else { throw .malformedTile(.extent, offset: key.offset) }
            extent = value
        case 15: version = Int(clamping: try cursor.readVarint(of: key))
        default: try cursor.skip(key.wireType)
        }
    }

    private mutating func readFeature(_ bytes: RawSpan, range: Range<Int>) throws(TileError) {
        var identifier: UInt64?
        var kind = GeometryKind.unknown
        var geometry: Range<Int>?
        let firstTag = tags.count
        var isSound = true
        var cursor = MessageCursor(bytes, range: range)
        while !cursor.isAtEnd {
            let key = try cursor.readKey()
            switch key.number {
            case 1: identifier = try cursor.readVarint(of: key)
            case 2: try readTags(bytes, range: try cursor.readRange(of: key))
            case 3: kind = GeometryKind(rawValue: UInt8(clamping: try cursor.readVarint(of: key))) ?? .unknown
            case 4:
                // Which of two geometries is meant cannot be known.
                if geometry != nil { isSound = false }
                geometry = try cursor.readRange(of: key)
            default: try cursor.skip(key.wireType)
            }
        }
        guard isSound, let geometry, !geometry.isEmpty, (tags.count - firstTag).isMultiple(of: 2) else {
            tags.removeSubrange(firstTag...)
            droppedFeatureCount += 1
            return
        }
        features.append(
            VectorFeature(
                identifier: identifier ?? 0, firstTag: UInt32(firstTag), tagCount: UInt32(tags.count - firstTag),
                geometryStart: UInt32(geometry.lowerBound), geometryByteCount: UInt32(geometry.count), kind: kind,
                hasIdentifier: identifier != nil))
    }

    private mutating func readTags(_ bytes: RawSpan, range: Range<Int>) throws(TileError) {
        var cursor = MessageCursor(bytes, range: range)
        while !cursor.isAtEnd { tags.append(try cursor.readUInt32()) }
    }

    private func checkTags(offset: Int) throws(TileError) {
        let (keyCount, valueCount) = (UInt32(keys.count), UInt32(values.count))
        var index = 0
        while index + 1 < tags.count {
            guard tags[index] < keyCount, tags[index + 1] < valueCount else {
                throw .malformedTile(.tagIndex, offset: offset)
            }
            index += 2
        }
    }

    private static func readValue(_ bytes: RawSpan, range: Range<Int>) throws(TileError) -> TileValue {
        var value: TileValue?
        var cursor = MessageCursor(bytes, range: range)
        while !cursor.isAtEnd {
            let key = try cursor.readKey()
            switch key.number {
            case 1: value = .string(text(bytes, try cursor.readRange(of: key)))
            case 2: value = .float(Float(bitPattern: try cursor.readFixed32(of: key)))
            case 3: value = .double(Double(bitPattern: try cursor.readFixed64(of: key)))
            case 4: value = .int(Int64(bitPattern: try cursor.readVarint(of: key)))
            case 5: value = .uint(try cursor.readVarint(of: key))
            case 6:
                let zigzag = try cursor.readVarint(of: key)
                value = .int(Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
            case 7: value = .bool(try cursor.readVarint(of: key) != 0)
            default: try cursor.skip(key.wireType)
            }
        }
        guard let value else { throw .malformedTile(.value, offset: range.lowerBound) }
        return value
    }

    private static func text(_ bytes: RawSpan, _ range: Range<Int>) -> String {
        unsafe bytes.extracting(range).withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
