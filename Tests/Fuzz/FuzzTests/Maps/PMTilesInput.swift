import Bytes

@testable import Tiles

// The first byte of an input says whether the rest is an archive, or what stands in one: directories and tiles.

/// What `scripts/fuzz pmtiles` runs: archives, their directories, and the numbers of tiles.
enum PMTilesInput {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var input = FuzzInput(bytes)
        let selector = input.next()
        switch selector & 3 {
        case 0: try checkArchive(input.rest())
        case 1: try checkDirectory(input.rest())
        case 2:
            let root = input.take(Int(input.next()))
            let leaves = input.take(Int(input.next()))
            try checkArchive(archive(root: root, leaves: leaves, tiles: input.rest()))
        default: try checkGzip(input.rest())
        }
    }

    // MARK: Archives

    private static func checkArchive(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let archive = try? PMTilesArchive(bytes: SharedBytes(bytes)) else { return }
        try BrokenInvariant.require(
            archive.minZoom <= archive.maxZoom && archive.maxZoom <= TileID.maximumZoom, "levels of \(archive)")
        _ = try? archive.readMetadata()
        try? archive.checkIsWhole()
        var ids = (try? archive.sampleTiles(16)) ?? []
        try BrokenInvariant.require(ids.count <= 16, "\(ids.count) samples")
        ids += [0, 1, 5, 21, 1 << 40, 1 << 61].compactMap(TileID.init(pmtilesID:))
        for id in ids {
            try BrokenInvariant.require(TileID(pmtilesID: id.pmtilesID) == id, "\(id) has another number")
            if let stored = try? archive.storedTile(id) {
                try BrokenInvariant.require(stored.count <= bytes.count, "\(id): \(stored.count) bytes")
            }
            if let tile = try? archive.tile(id) {
                try BrokenInvariant.require(tile.count <= PMTilesArchive.tileByteLimit, "\(id): \(tile.count) bytes")
            }
        }
    }

    /// An archive with a sound header, uncompressed (PMTiles v3 §3).
    private static func archive(root: [UInt8], leaves: [UInt8], tiles: [UInt8]) -> [UInt8] {
        var header = Array("PMTiles".utf8) + [3]
        func add(_ number: Int) { header += (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        var place = PMTilesHeader.byteCount
        for section in [root, [], leaves, tiles] {
            add(place)
            add(section.count)
            place += section.count
        }
        header += [UInt8](repeating: 0, count: 24) + [0, 1, 1, 1, 0, 30]
        header += [UInt8](repeating: 0, count: PMTilesHeader.byteCount - header.count)
        return header + root + leaves + tiles
    }

    // MARK: Directories

    private static func checkDirectory(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let directory = try? PMTilesDirectory(bytes.span.bytes) else { return }
        let entries = directory.entries
        try BrokenInvariant.require(entries.count <= bytes.count / 4, "\(entries.count) entries")
        for (left, right) in zip(entries, entries.dropFirst()) {
            try BrokenInvariant.require(left.tileID < right.tileID, "\(left.tileID) before \(right.tileID)")
        }
        let again = try? PMTilesDirectory(written(entries).span.bytes)
        try BrokenInvariant.require(again?.entries == entries, "\(entries) are read in another way")
        for entry in entries.prefix(32) {
            for id in [entry.tileID, entry.tileID &+ 1, entry.tileID &+ UInt64(entry.runLength), entry.tileID &- 1] {
                try BrokenInvariant.require(directory.entry(for: id) == searched(id, entries), "the entry of \(id)")
            }
        }
    }

    /// The entry of a tile by PMTiles v3 §4, without a search by halves.
    private static func searched(_ id: UInt64, _ entries: [PMTilesDirectory.Entry]) -> PMTilesDirectory.Entry? {
        guard let entry = entries.last(where: { $0.tileID <= id }) else { return nil }
        return entry.runLength == 0 || id - entry.tileID < UInt64(entry.runLength) ? entry : nil
    }

    /// The directory of `entries`, columns one after the other (PMTiles v3 §4).
    private static func written(_ entries: [PMTilesDirectory.Entry]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            bytes += varint(entry.tileID - last)
            last = entry.tileID
        }
        for entry in entries { bytes += varint(UInt64(entry.runLength)) }
        for entry in entries { bytes += varint(UInt64(entry.byteCount)) }
        for (index, entry) in entries.enumerated() {
            // An offset that cannot be written as itself follows the entry before.
            let isNext = index > 0 && entry.offset == entries[index - 1].offset &+ UInt64(entries[index - 1].byteCount)
            bytes += varint(isNext ? 0 : entry.offset + 1)
        }
        return bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    // MARK: Compression

    private static func checkGzip(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let content = SharedBytes(bytes)
        for limit in [64, 4096] {
            guard let found = try? VectorTile.decompressed(content, limit: limit) else { continue }
            let isHeld = found.count <= limit || VectorTile.compression(of: content) == .none
            try BrokenInvariant.require(isHeld, "\(found.count) bytes over \(limit)")
        }
    }
}
