package import Bytes

/// The header and the directories of a PMTiles v3 archive: what there is of it and where that lies.
///
/// It reads nothing itself. Whoever has the bytes, of a file or of a server, hands them over, and is told what to read next:
/// from ``root`` on, ``place(of:in:)`` leads to a tile, to nothing, or to a leaf directory, whose bytes ``readLeaf(_:at:)``
/// takes. Any number of threads may ask.
package final class PMTilesIndex: Sendable {
    /// How many bytes at the start hold the header and the root directory (PMTiles v3 §2).
    package static let beginningByteCount = Int(PMTilesHeader.rootRegionByteCount)
    /// How many directories lead to a tile at most, the root included (PMTiles v3 §4 advises one level of leaves).
    package static let depthLimit = 4
    /// The largest directory after decompression; real ones stay below 200 KiB.
    static let directoryByteLimit = 4 << 20
    /// The largest metadata after decompression.
    static let metadataByteLimit = 8 << 20

    /// Where the way to a tile leads.
    package enum Place: Equatable, Sendable {
        case absent
        /// To its bytes in the archive, as they are stored.
        case tile(Range<UInt64>)
        /// To the bytes of a directory in which to look further.
        case leaf(Range<UInt64>)
    }

    package let root: PMTilesDirectory
    /// Where the metadata are; empty without.
    package let metadata: Range<UInt64>
    package let archiveByteCount: UInt64

    let header: PMTilesHeader
    // 24 bytes an entry: 12 MiB.
    private let leaves = LeafDirectoryCache(entryLimit: 512 << 10)

    /// Reads the header and the root directory in `beginning`: the first ``beginningByteCount`` bytes of an archive of
    /// `archiveByteCount`, or all of it when it is shorter.
    ///
    /// - Throws: ``TileError`` that says why this is no archive that can be read.
    package init(beginning: SharedBytes, archiveByteCount: UInt64) throws(TileError) {
        header = try PMTilesHeader(beginning.span, archiveByteCount: archiveByteCount)
        let section = header.rootDirectory.range
        // The header's check holds the root inside the beginning as it should be, and this one as it is.
        guard section.upperBound <= UInt64(beginning.count) else {
            throw .truncatedArchive(offset: section.lowerBound, byteCount: UInt64(section.count))
        }
        let stored = beginning.slice(Int(section.lowerBound)..<Int(section.upperBound))
        root = try Self.directory(stored, at: section.lowerBound, isCompressed: header.compressesDirectories)
        metadata = header.metadata.range
        self.archiveByteCount = archiveByteCount
    }

    /// The first level with tiles.
    package var minZoom: Int { header.minZoom }
    /// The last level with tiles.
    package var maxZoom: Int { header.maxZoom }
    package var bounds: PMTilesArchive.Bounds { header.bounds }
    package var centre: PMTilesArchive.Centre { header.centre }
    package var tileType: PMTilesArchive.TileType { header.tileType }

    /// Whether tiles are kept compressed by gzip.
    package var storesGzip: Bool { header.compressesTiles }

    /// Where the way from `directory` to a tile leads. O(log entries).
    ///
    /// - Throws: ``TileError``: the directory points outside of the archive, or to more bytes than a tile or directory has.
    package func place(of id: TileID, in directory: PMTilesDirectory) throws(TileError) -> Place {
        guard let entry = directory.entry(for: id.pmtilesID) else { return .absent }
        let byteCount = UInt64(entry.byteCount)
        if entry.runLength == 0 { return .leaf(try leafRange(entry)) }
        guard byteCount <= UInt64(PMTilesArchive.tileByteLimit) else {
            throw .tooLarge(limit: PMTilesArchive.tileByteLimit)
        }
        let (start, overflows) = header.tileData.offset.addingReportingOverflow(entry.offset)
        guard !overflows, start <= archiveByteCount, byteCount <= archiveByteCount - start else {
            throw .truncatedArchive(offset: overflows ? entry.offset : start, byteCount: byteCount)
        }
        return .tile(start..<start + byteCount)
    }

    /// Where the leaf directory is that an entry points to.
    func leafRange(_ entry: PMTilesDirectory.Entry) throws(TileError) -> Range<UInt64> {
        let (leaves, byteCount) = (header.leafDirectories, UInt64(entry.byteCount))
        guard entry.offset <= leaves.byteCount, byteCount <= leaves.byteCount - entry.offset else {
            throw .malformedDirectory(offset: entry.offset)
        }
        guard byteCount <= UInt64(Self.directoryByteLimit) else { throw .tooLarge(limit: Self.directoryByteLimit) }
        // The header's check holds these sections inside the archive, so the sum cannot overflow.
        let start = leaves.offset + entry.offset
        return start..<start + byteCount
    }

    /// The leaf directory at a place, if it was read and is kept.
    package func leaf(at range: Range<UInt64>) -> PMTilesDirectory? { leaves.directory(at: range.lowerBound) }

    /// Reads, and keeps in bounded memory, the leaf directory whose bytes are `stored` at a place.
    package func readLeaf(_ stored: SharedBytes, at range: Range<UInt64>) throws(TileError) -> PMTilesDirectory {
        let directory = try Self.directory(
            stored, at: range.lowerBound, isCompressed: header.compressesDirectories)
        leaves.insert(directory, at: range.lowerBound)
        return directory
    }

    /// A tile, whose bytes are `stored`, decompressed; at most ``PMTilesArchive/tileByteLimit`` bytes.
    package func tile(_ stored: SharedBytes) throws(TileError) -> SharedBytes {
        try Self.content(stored, isCompressed: header.compressesTiles, limit: PMTilesArchive.tileByteLimit)
    }

    /// The metadata, whose bytes are `stored`: JSON text as it stands in the archive, at most 8 MiB.
    package func metadataText(_ stored: SharedBytes) throws(TileError) -> String {
        guard stored.count > 0 else { return "" }
        let bytes = try Self.content(
            stored, isCompressed: header.compressesDirectories, limit: Self.metadataByteLimit)
        return unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    private static func directory(
        _ stored: SharedBytes, at offset: UInt64, isCompressed: Bool
    ) throws(TileError) -> PMTilesDirectory {
        let bytes = try content(stored, isCompressed: isCompressed, limit: directoryByteLimit)
        do throws(ByteError) {
            return try PMTilesDirectory(bytes.span)
        } catch {
            throw .malformedDirectory(offset: offset)
        }
    }

    private static func content(
        _ stored: SharedBytes, isCompressed: Bool, limit: Int
    ) throws(TileError) -> SharedBytes {
        guard stored.count <= limit else { throw .tooLarge(limit: limit) }
        return isCompressed ? try Gunzip.decompress(stored.span, limit: limit) : stored
    }
}

extension PMTilesHeader.Section {
    /// First and last byte; the header's check keeps the sum from overflowing.
    fileprivate var range: Range<UInt64> { offset..<offset + byteCount }
}
