// One pass over the tile finds its layers, one over each layer fills flat arrays, without an allocation a feature.
// Tags are checked at the end of a layer, because keys and values may follow the features.
package import Bytes

extension VectorTile {
    /// Offsets are held in 32 bits.
    package static let byteLimit = 256 << 20

    /// Decodes the layers of a decompressed tile, which is kept for the geometries. O(bytes). Skips unknown fields;
    /// counts and leaves out malformed features, and layers with the name of an earlier one. Throws
    /// ``TileError/malformedTile(_:offset:)``, or ``TileError/tooLarge(limit:)`` over ``byteLimit``. MVT 2.1 §4.
    package static func decode(
        _ content: SharedBytes, limits: VectorTileLimits = VectorTileLimits()
    ) throws(TileError) -> VectorTile {
        guard content.count <= byteLimit else { throw .tooLarge(limit: byteLimit) }
        var layers: [VectorLayer] = []
        var names: Set<String> = []
        var droppedLayerCount = 0
        var featureRoom = limits.featureCount
        let bytes = content.span
        var cursor = MessageCursor(bytes, range: 0..<bytes.byteCount)
        while !cursor.isAtEnd {
            let key = try cursor.readKey()
            guard key.number == 3 else {
                try cursor.skip(key.wireType)
                continue
            }
            let range = try cursor.readRange(of: key)
            guard layers.count < limits.layerCount else { throw .malformedTile(.tooMany, offset: key.offset) }
            let layer = try LayerDecoder.decode(range, of: content, limits: limits, featureRoom: &featureRoom)
            if names.insert(layer.name).inserted { layers.append(layer) } else { droppedLayerCount += 1 }
        }
        return VectorTile(layers: layers, droppedLayerCount: droppedLayerCount)
    }

    package enum Compression: Sendable {
        case none
        /// RFC 1952.
        case gzip
        /// RFC 1950.
        case zlib
    }

    package static func compression(of content: SharedBytes) -> Compression {
        let bytes = content.span
        guard bytes.byteCount > 2 else { return .none }
        let (first, second) = (bytes.byte(at: 0), bytes.byte(at: 1))
        if first == 0x1f, second == 0x8b { return .gzip }
        // Method 8 with a window of 32 KiB, and a check of the two bytes (RFC 1950 §2.2).
        return first == 0x78 && (Int(first) << 8 | Int(second)) % 31 == 0 ? .zlib : .none
    }

    /// Throws ``TileError`` for what does not decompress, or to more than `limit` bytes.
    package static func decompressed(
        _ content: SharedBytes, limit: Int = PMTilesArchive.tileByteLimit
    ) throws(TileError) -> SharedBytes {
        switch compression(of: content) {
        case .none: content
        case .gzip: try Gunzip.decompress(content.span, limit: limit)
        case .zlib: try Gunzip.decompressZlib(content.span, limit: limit)
        }
    }
}

extension RawSpan {
    fileprivate func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
