/// Offsets are from the start of what was being read.
package enum TileError: Error, Equatable, Sendable {
    /// The file could not be opened or inspected; `code` is the `errno`.
    case cannotOpen(code: Int32)
    case notRegularFile
    case notPMTiles
    case unsupportedVersion(Int)
    /// Neither uncompressed nor gzip; `code` is the header's value.
    case unsupportedCompression(code: Int)
    /// For example MapLibre tiles; `code` is the header's value.
    case unsupportedTileType(code: Int)
    case malformedHeader(HeaderField)
    /// The archive ends before `offset + byteCount`: it was cut, or shrank while it was open.
    case truncatedArchive(offset: UInt64, byteCount: UInt64)
    case readFailed(code: Int32)
    /// Contradicts itself or the archive; `offset` is its place in the archive.
    case malformedDirectory(offset: UInt64)
    case directoriesTooDeep
    /// More bytes than `limit`, before or after decompression.
    case tooLarge(limit: Int)
    case corruptCompression
    /// `offset` is from the start of the decompressed tile.
    case malformedTile(TileFault, offset: Int)

    package enum HeaderField: Equatable, Sendable {
        case length
        /// Outside the first 16 KiB or outside the archive.
        case rootDirectory
        case metadata, leafDirectories
        case zoom
        case bounds
    }

    /// A breach of MVT 2.1 or of its Protocol Buffers encoding.
    package enum TileFault: Equatable, Sendable {
        case truncated
        case varint
        /// A known field with the wrong wire type, or an unknown wire type.
        case wireType
        /// Missing, or not 1 or 2.
        case layerVersion
        case layerName
        /// 0 or beyond 2^20.
        case extent
        case value, tagIndex, tooMany
        /// Unknown, out of order or with a forbidden count.
        case command
        case commandParameters
    }
}
