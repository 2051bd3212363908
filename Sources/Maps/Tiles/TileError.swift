/// What went wrong with an archive or a tile. Offsets are from the start of what was being read.
package enum TileError: Error, Equatable, Sendable {
    /// The file could not be opened or inspected; `code` is the `errno`.
    case cannotOpen(code: Int32)
    /// The path leads to a folder, device or pipe.
    case notRegularFile
    /// The bytes do not begin like a PMTiles archive.
    case notPMTiles
    /// A PMTiles archive of another version than 3.
    case unsupportedVersion(Int)
    /// Tiles or directories are compressed by something other than nothing or gzip; `code` is the header's value.
    case unsupportedCompression(code: Int)
    /// The tiles are of a kind that this reader does not know, for example MapLibre tiles; `code` is the header's value.
    case unsupportedTileType(code: Int)
    /// A field of the header contradicts the format or the size of the archive.
    case malformedHeader(HeaderField)
    /// The archive ends before `offset + byteCount`: it was cut, or shrank while it was open.
    case truncatedArchive(offset: UInt64, byteCount: UInt64)
    case readFailed(code: Int32)
    /// A directory contradicts itself or the archive; `offset` is its place in the archive.
    case malformedDirectory(offset: UInt64)
    /// Leaf directories lead to leaf directories beyond the depth that the format allows.
    case directoriesTooDeep
    /// More bytes than `limit`, before or after decompression.
    case tooLarge(limit: Int)
    case corruptCompression
    /// A vector tile that breaks its format; `offset` is from the start of the decompressed tile.
    case malformedTile(TileFault, offset: Int)

    package enum HeaderField: Equatable, Sendable {
        /// Header shorter than 127 bytes.
        case length
        /// Root directory outside the first 16 KiB or outside the archive.
        case rootDirectory
        case metadata
        case leafDirectories
        /// Minimum or maximum zoom out of range or crossed.
        case zoom
        /// Bounds or centre outside the world.
        case bounds
    }

    /// How a vector tile breaks MVT 2.1 or its Protocol Buffers encoding.
    package enum TileFault: Equatable, Sendable {
        /// A message ends inside a value.
        case truncated
        case varint
        /// A known field with the wrong wire type, or an unknown wire type.
        case wireType
        /// A layer without version, or of a version other than 1 and 2.
        case layerVersion
        case layerName
        /// An extent of 0 or beyond 2^20.
        case extent
        /// A value that holds none of the seven kinds.
        case value
        /// A tag that points outside the keys or values of its layer.
        case tagIndex
        /// More layers, keys, values or features than the limits allow.
        case tooMany
        /// A geometry command that is unknown, out of order or has a forbidden count.
        case command
        /// A geometry that ends inside a command's parameters.
        case commandParameters
    }
}
