package import Bytes

/// A PMTiles v3 archive, readable from any thread. Reads the header and root directory once, leaf directories when
/// needed, tiles every time. Its tiles are of one kind and one compression, none or gzip.
package final class PMTilesArchive: Sendable {
    package enum TileType: UInt8, Sendable {
        case unknown = 0
        case vector = 1
        case png = 2
        case jpeg = 3
        case webp = 4
        case avif = 5
    }

    /// In degrees.
    package struct Bounds: Equatable, Sendable { package let west, south, east, north: Double }

    /// The view that the archive suggests, in degrees.
    package struct Centre: Equatable, Sendable {
        package let longitude, latitude: Double
        package let zoom: Int
    }

    package var minZoom: Int { index.minZoom }
    package var maxZoom: Int { index.maxZoom }
    package var bounds: Bounds { index.bounds }
    package var centre: Centre { index.centre }
    package var tileType: TileType { index.tileType }
    /// Size, modification time and header: changes with the archive, and is the same on every replica of the file.
    package let validator: String

    package static let tileByteLimit = 16 << 20
    package let index: PMTilesIndex
    let source: ArchiveSource

    /// The file stays open as long as this object. Throws ``TileError`` for what is not a file or not PMTiles 3, an unknown
    /// compression or tile type, or a header or root directory that contradicts the file.
    package convenience init(path: String) throws(TileError) { try self.init(source: ArchiveSource(path: path)) }

    /// `bytes` are kept; uncompressed tiles share their memory. Errors as ``init(path:)``.
    package convenience init(bytes: SharedBytes) throws(TileError) {
        try self.init(source: ArchiveSource(bytes: bytes))
    }

    private init(source: ArchiveSource) throws(TileError) {
        let count = min(UInt64(PMTilesIndex.beginningByteCount), source.byteCount)
        index = try PMTilesIndex(
            beginning: source.read(offset: 0, count: Int(count)), archiveByteCount: source.byteCount)
        self.source = source
        validator = try Self.makeValidator(source, index: index)
    }

    /// At most ``tileByteLimit`` bytes, decompressed; nil when there is none. Holds no lock. Throws ``TileError`` when the
    /// archive was cut or changed, or the tile is corrupt or too large.
    package func tile(_ id: TileID) throws(TileError) -> SharedBytes? {
        guard let range = try place(of: id) else { return nil }
        return try index.tile(read(range))
    }

    /// The tile as stored, compressed by gzip if ``storesGzip``; nil when there is none. Throws as ``tile(_:)``.
    package func storedTile(_ id: TileID) throws(TileError) -> SharedBytes? {
        guard let range = try place(of: id) else { return nil }
        return try read(range)
    }

    /// JSON text as it stands in the archive, read each time; at most 8 MiB.
    package func readMetadata() throws(TileError) -> String {
        guard index.metadata.count <= PMTilesIndex.metadataByteLimit else {
            throw .tooLarge(limit: PMTilesIndex.metadataByteLimit)
        }
        return try index.metadataText(read(index.metadata))
    }
}

extension PMTilesArchive {
    private func place(of id: TileID) throws(TileError) -> Range<UInt64>? {
        var directory = index.root
        for _ in 0..<PMTilesIndex.depthLimit {
            switch try index.place(of: id, in: directory) {
            case .absent: return nil
            case .tile(let range): return range
            case .leaf(let range): directory = try leaf(at: range)
            }
        }
        throw .directoriesTooDeep
    }

    func leaf(at range: Range<UInt64>) throws(TileError) -> PMTilesDirectory {
        if let known = index.leaf(at: range) { return known }
        return try index.readLeaf(read(range), at: range)
    }

    private func read(_ range: Range<UInt64>) throws(TileError) -> SharedBytes {
        try source.read(offset: range.lowerBound, count: range.count)
    }

    /// Size, modification time and a digest (FNV-1a) of header, root directory and metadata; of everything for memory.
    /// It tells states of one archive apart and does not resist forgery.
    private static func makeValidator(_ source: ArchiveSource, index: PMTilesIndex) throws(TileError) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(offset: UInt64, byteCount: UInt64) throws(TileError) {
            let bytes = try source.read(offset: offset, count: Int(byteCount))
            let span = bytes.span
            for index in 0..<span.byteCount {
                hash = (hash ^ UInt64(unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self))) &* 0x100_0000_01b3
            }
        }
        if source.isMemory {
            try add(offset: 0, byteCount: source.byteCount)
        } else {
            try add(offset: 0, byteCount: UInt64(PMTilesHeader.byteCount))
            let header = index.header
            try add(offset: header.rootDirectory.offset, byteCount: header.rootDirectory.byteCount)
            try add(
                offset: header.metadata.offset,
                byteCount: min(header.metadata.byteCount, UInt64(PMTilesIndex.metadataByteLimit)))
        }
        return String(source.byteCount, radix: 16) + "-" + String(source.modifiedNanoseconds, radix: 16) + "-"
            + String(hash, radix: 16)
    }
}
