package import Bytes

/// The header and directories of a PMTiles v3 archive. Reads nothing itself: from ``root`` on, ``place(of:in:)`` says
/// what to read next, until a tile or nothing; ``readLeaf(_:at:)`` takes a leaf directory's bytes. Thread-safe.
package final class PMTilesIndex: Sendable {
    /// Bytes at the start that hold the header and the root directory (PMTiles v3 §2).
    package static let beginningByteCount = Int(PMTilesHeader.rootRegionByteCount)
    /// Directories on the way to a tile, with the root (PMTiles v3 §4 advises one level of leaves).
    package static let depthLimit = 4
    /// After decompression; real directories stay below 200 KiB.
    static let directoryByteLimit = 4 << 20
    static let metadataByteLimit = 8 << 20

    package enum Place: Equatable, Sendable {
        case absent
        case tile(Range<UInt64>)
        case leaf(Range<UInt64>)
    }

    package let root: PMTilesDirectory
    package let metadata: Range<UInt64>
    package let archiveByteCount: UInt64

    let header: PMTilesHeader
    // 24 bytes an entry: 12 MiB.
    private let leaves = LeafDirectoryCache(entryLimit: 512 << 10)

    /// `beginning`: the first ``beginningByteCount`` bytes of an archive of `archiveByteCount`, or all of a shorter one. Throws
    /// ``TileError`` when it is not a readable archive.
    package init(beginning: SharedBytes, archiveByteCount: UInt64) throws(TileError) {
        header = try PMTilesHeader(beginning.span, archiveByteCount: archiveByteCount)
        let section = header.rootDirectory.range
        // The header's check bounds the root by what the beginning should be, this one by what it is.
        guard section.upperBound <= UInt64(beginning.count) else {
            throw .truncatedArchive(offset: section.lowerBound, byteCount: UInt64(section.count))
        }
        let stored = beginning.slice(Int(section.lowerBound)..<Int(section.upperBound))
        root = try Self.directory(stored, at: section.lowerBound, isCompressed: header.compressesDirectories)
        metadata = header.metadata.range
        self.archiveByteCount = archiveByteCount
    }

    package var minZoom: Int { header.minZoom }
    package var maxZoom: Int { header.maxZoom }
    package var bounds: PMTilesArchive.Bounds { header.bounds }
    package var centre: PMTilesArchive.Centre { header.centre }
    package var tileType: PMTilesArchive.TileType { header.tileType }
    package var storesGzip: Bool { header.compressesTiles }

    /// O(log entries). Throws ``TileError`` when the way leads outside of the archive or to too many bytes.
    package func place(of id: TileID, in directory: PMTilesDirectory) throws(TileError) -> Place {
        guard let entry = directory.entry(for: id.pmtilesID) else { return .absent }
        return entry.runLength == 0 ? .leaf(try leafRange(entry)) : .tile(try tileRange(entry))
    }

    func tileRange(_ entry: PMTilesDirectory.Entry) throws(TileError) -> Range<UInt64> {
        let byteCount = UInt64(entry.byteCount)
        guard byteCount <= UInt64(PMTilesArchive.tileByteLimit) else {
            throw .tooLarge(limit: PMTilesArchive.tileByteLimit)
        }
        let (start, overflows) = header.tileData.offset.addingReportingOverflow(entry.offset)
        guard !overflows, start <= archiveByteCount, byteCount <= archiveByteCount - start else {
            throw .truncatedArchive(offset: overflows ? entry.offset : start, byteCount: byteCount)
        }
        return start..<start + byteCount
    }

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

    package func leaf(at range: Range<UInt64>) -> PMTilesDirectory? { leaves.directory(at: range.lowerBound) }

    package func readLeaf(_ stored: SharedBytes, at range: Range<UInt64>) throws(TileError) -> PMTilesDirectory {
        let directory = try Self.directory(stored, at: range.lowerBound, isCompressed: header.compressesDirectories)
        leaves.insert(directory, at: range.lowerBound)
        return directory
    }

    /// Decompresses a stored tile; at most ``PMTilesArchive/tileByteLimit`` bytes.
    package func tile(_ stored: SharedBytes) throws(TileError) -> SharedBytes {
        try Self.content(stored, isCompressed: header.compressesTiles, limit: PMTilesArchive.tileByteLimit)
    }

    /// JSON text as it stands in the archive, from stored metadata; at most 8 MiB.
    package func metadataText(_ stored: SharedBytes) throws(TileError) -> String {
        guard stored.count > 0 else { return "" }
        let bytes = try Self.content(stored, isCompressed: header.compressesDirectories, limit: Self.metadataByteLimit)
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
