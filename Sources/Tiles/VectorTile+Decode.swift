// One pass over the tile finds its layers, one over each layer fills flat arrays: a feature costs 32 octets and its tags, no
// allocation of its own. Tags can be checked only at the end of a layer, because keys and values may follow the features.
package import Bytes

extension VectorTile {
    /// The largest tile that is decoded; offsets are held in 32 bits.
    package static let byteLimit = 256 << 20

    /// Decodes the layers, keys, values and features of `content`, a decompressed tile, which is kept for the geometries.
    ///
    /// O(octets). Unknown fields are skipped; a feature that breaks the format by itself alone is left out and counted, and
    /// so is a layer with the name of an earlier one.
    ///
    /// - Throws: ``TileError/malformedTile(_:offset:)``, ``TileError/tooLarge(limit:)`` over ``byteLimit``. MVT 2.1 §4.
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
            let start = cursor.offset
            let key = try cursor.readKey()
            guard key.number == 3 else {
                try cursor.skip(key.wireType)
                continue
            }
            try key.require(FieldKey.lengthDelimited, at: start)
            let range = try cursor.readRange()
            guard layers.count < limits.layerCount else { throw .malformedTile(.tooMany, offset: start) }
            let layer = try LayerDecoder.decode(range, of: content, limits: limits, featureRoom: &featureRoom)
            if names.insert(layer.name).inserted { layers.append(layer) } else { droppedLayerCount += 1 }
        }
        return VectorTile(layers: layers, droppedLayerCount: droppedLayerCount)
    }

    /// The octets of a tile that may still be compressed with gzip, as servers of files hand them out.
    ///
    /// - Throws: ``TileError`` for what does not decompress or is over ``PMTilesArchive/tileByteLimit``.
    package static func decompressed(_ content: SharedBytes) throws(TileError) -> SharedBytes {
        let bytes = content.span
        guard bytes.byteCount > 2, unsafe bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == 0x1f,
            unsafe bytes.unsafeLoad(fromByteOffset: 1, as: UInt8.self) == 0x8b
        else { return content }
        return try Gunzip.decompress(bytes, limit: PMTilesArchive.tileByteLimit)
    }
}
