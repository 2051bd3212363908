package import Bytes

/// A PMTiles v3 archive, open for reading from any number of threads.
///
/// The header and the root directory are read once, leaf directories as they are needed (some are kept), tiles every time:
/// caching tiles is for the layers above. Tiles of one archive are of one kind and one compression, nothing or gzip.
package final class PMTilesArchive: Sendable {
    package enum TileType: UInt8, Sendable {
        case unknown = 0
        case vector = 1
        case png = 2
        case jpeg = 3
        case webp = 4
        case avif = 5
    }

    /// A rectangle of the world in degrees.
    package struct Bounds: Equatable, Sendable {
        /// The western edge, -180...180.
        package let west: Double
        /// The southern edge, -90...90.
        package let south: Double
        /// The eastern edge, -180...180.
        package let east: Double
        /// The northern edge, -90...90.
        package let north: Double
    }

    /// The view that the archive suggests.
    package struct Centre: Equatable, Sendable {
        /// Degrees, -180...180.
        package let longitude: Double
        /// Degrees, -90...90.
        package let latitude: Double
        /// A level of the archive.
        package let zoom: Int
    }

    /// The first level with tiles.
    package var minZoom: Int { index.minZoom }
    /// The last level with tiles.
    package var maxZoom: Int { index.maxZoom }
    package var bounds: Bounds { index.bounds }
    package var centre: Centre { index.centre }
    package var tileType: TileType { index.tileType }
    /// Changes whenever the archive changes: size, modification time and header; the same on every replica of the file.
    package let validator: String

    package static let tileByteLimit = 16 << 20

    package let index: PMTilesIndex

    let source: ArchiveSource

    /// Opens the archive at `path`, which stays open as long as this object.
    ///
    /// - Throws: ``TileError`` that says why this is no archive that can be read: not a file, not PMTiles, another version,
    ///   an unknown compression or tile type, a header or root directory that contradicts the file.
    package convenience init(path: String) throws(TileError) {
        try self.init(source: ArchiveSource(path: path))
    }

    /// Opens the archive in `bytes`, which are kept; uncompressed tiles share their memory. Errors as ``init(path:)``.
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

    /// The decompressed tile, or nil when the archive has none there.
    ///
    /// One or two reads by position and one decompression; no lock is held meanwhile. At most ``tileByteLimit`` bytes.
    ///
    /// - Throws: ``TileError``: the archive was cut or changed, the tile is corrupt or too large. Other tiles may still do.
    package func tile(_ id: TileID) throws(TileError) -> SharedBytes? {
        guard let range = try place(of: id) else { return nil }
        return try index.tile(read(range))
    }

    /// The tile as it is kept, compressed by gzip where ``storesGzip`` says so; nil when the archive has none there.
    ///
    /// - Throws: as ``tile(_:)``, but for what only decompressing finds out.
    package func storedTile(_ id: TileID) throws(TileError) -> SharedBytes? {
        guard let range = try place(of: id) else { return nil }
        return try read(range)
    }

    /// The metadata: JSON text as it stands in the archive, read anew; at most 8 MiB.
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

    /// The leaf directory at a place, read if need be.
    func leaf(at range: Range<UInt64>) throws(TileError) -> PMTilesDirectory {
        if let known = index.leaf(at: range) { return known }
        return try index.readLeaf(read(range), at: range)
    }

    private func read(_ range: Range<UInt64>) throws(TileError) -> SharedBytes {
        try source.read(offset: range.lowerBound, count: range.count)
    }

    /// Size, modification time and a digest (FNV-1a) of header, root directory and metadata; of everything when the archive
    /// is memory, which has no modification time. It tells states of one archive apart, it does not resist forgery.
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
