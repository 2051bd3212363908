package import Bytes

/// A PMTiles v3 archive, open for reading from any number of threads.
///
/// The header and the root directory are read once, leaf directories as they are needed (some are kept), tiles every time:
/// caching tiles is for the layers above. Tiles of one archive are of one kind and one compression, nothing or gzip.
package final class PMTilesArchive: Sendable {
    /// The kind of tiles in an archive.
    package enum TileType: UInt8, Sendable {
        /// Not said.
        case unknown = 0
        /// Mapbox vector tiles.
        case vector = 1
        /// PNG pictures.
        case png = 2
        /// JPEG pictures.
        case jpeg = 3
        /// WebP pictures.
        case webp = 4
        /// AVIF pictures.
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
    package let minZoom: Int
    /// The last level with tiles.
    package let maxZoom: Int
    /// What the archive covers.
    package let bounds: Bounds
    /// Where to look first.
    package let centre: Centre
    /// The kind of its tiles.
    package let tileType: TileType
    /// Changes whenever the archive changes: size, modification time and header; the same on every replica of the file.
    package let validator: String

    /// The largest tile, compressed or not.
    package static let tileByteLimit = 16 << 20
    /// The largest directory after decompression; real ones stay below 200 KiB.
    static let directoryByteLimit = 4 << 20
    /// The largest metadata after decompression.
    static let metadataByteLimit = 8 << 20
    /// How many directories lead to a tile at most, the root included (PMTiles v3 §4 advises one level of leaves).
    static let directoryDepthLimit = 4

    private let source: ArchiveSource
    private let header: PMTilesHeader
    private let root: PMTilesDirectory
    // 24 octets an entry: 12 MiB.
    private let leaves = LeafDirectoryCache(entryLimit: 512 << 10)

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
        let head = try source.read(offset: 0, count: Int(min(UInt64(PMTilesHeader.byteCount), source.byteCount)))
        header = try PMTilesHeader(head.span, archiveByteCount: source.byteCount)
        root = try Self.readDirectory(header.rootDirectory, of: source, isCompressed: header.compressesDirectories)
        self.source = source
        minZoom = header.minZoom
        maxZoom = header.maxZoom
        bounds = header.bounds
        centre = header.centre
        tileType = header.tileType
        validator = try Self.makeValidator(source, header: header)
    }

    /// The decompressed tile, or nil when the archive has none there.
    ///
    /// One or two reads by position and one decompression; no lock is held meanwhile. At most ``tileByteLimit`` octets.
    ///
    /// - Throws: ``TileError``: the archive was cut or changed, the tile is corrupt or too large. Other tiles may still do.
    package func tile(_ id: TileID) throws(TileError) -> SharedBytes? {
        let tileID = id.pmtilesID
        var directory = root
        for _ in 0..<Self.directoryDepthLimit {
            guard let entry = directory.entry(for: tileID) else { return nil }
            guard entry.runLength == 0 else { return try readTile(entry) }
            directory = try leaf(entry)
        }
        throw .directoriesTooDeep
    }

    /// The metadata: JSON text as it stands in the archive, read anew; at most 8 MiB.
    package func readMetadata() throws(TileError) -> String {
        guard header.metadata.byteCount > 0 else { return "" }
        let bytes = try Self.readSection(
            header.metadata, of: source, isCompressed: header.compressesDirectories, limit: Self.metadataByteLimit)
        return unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension PMTilesArchive {
    private func readTile(_ entry: PMTilesDirectory.Entry) throws(TileError) -> SharedBytes {
        let (offset, overflows) = header.tileData.offset.addingReportingOverflow(entry.offset)
        guard !overflows else { throw .truncatedArchive(offset: entry.offset, byteCount: UInt64(entry.byteCount)) }
        let section = PMTilesHeader.Section(offset: offset, byteCount: UInt64(entry.byteCount))
        return try Self.readSection(
            section, of: source, isCompressed: header.compressesTiles, limit: Self.tileByteLimit)
    }

    private func leaf(_ entry: PMTilesDirectory.Entry) throws(TileError) -> PMTilesDirectory {
        let leaves = header.leafDirectories
        guard entry.offset <= leaves.byteCount, UInt64(entry.byteCount) <= leaves.byteCount - entry.offset else {
            throw .malformedDirectory(offset: entry.offset)
        }
        // The header's check holds these sections inside the archive, so the sum cannot overflow.
        let section = PMTilesHeader.Section(offset: leaves.offset + entry.offset, byteCount: UInt64(entry.byteCount))
        if let known = self.leaves.directory(at: section.offset) { return known }
        let directory = try Self.readDirectory(section, of: source, isCompressed: header.compressesDirectories)
        self.leaves.insert(directory, at: section.offset)
        return directory
    }

    private static func readDirectory(
        _ section: PMTilesHeader.Section, of source: ArchiveSource, isCompressed: Bool
    ) throws(TileError) -> PMTilesDirectory {
        let bytes = try readSection(section, of: source, isCompressed: isCompressed, limit: directoryByteLimit)
        do throws(ByteError) {
            return try PMTilesDirectory(bytes.span)
        } catch {
            throw .malformedDirectory(offset: section.offset)
        }
    }

    private static func readSection(
        _ section: PMTilesHeader.Section, of source: ArchiveSource, isCompressed: Bool, limit: Int
    ) throws(TileError) -> SharedBytes {
        guard section.byteCount <= UInt64(limit) else { throw .tooLarge(limit: limit) }
        let bytes = try source.read(offset: section.offset, count: Int(section.byteCount))
        guard isCompressed else { return bytes }
        return try Gunzip.decompress(bytes.span, limit: limit)
    }

    /// Size, modification time and a digest (FNV-1a) of header, root directory and metadata; of everything when the archive
    /// is memory, which has no modification time. It tells states of one archive apart, it does not resist forgery.
    private static func makeValidator(_ source: ArchiveSource, header: PMTilesHeader) throws(TileError) -> String {
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
            try add(offset: header.rootDirectory.offset, byteCount: header.rootDirectory.byteCount)
            try add(
                offset: header.metadata.offset, byteCount: min(header.metadata.byteCount, UInt64(metadataByteLimit)))
        }
        return String(source.byteCount, radix: 16) + "-" + String(source.modifiedNanoseconds, radix: 16) + "-"
            + String(hash, radix: 16)
    }
}
