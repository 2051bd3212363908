import ImagePlan

/// The image file directories of a TIFF (TIFF 6.0 §2), one per page.
enum TIFFDirectories {
    /// How many follow one another, counted up to `limit` + 1; 0 if the file is no TIFF. A chain that leads back into
    /// itself ends there, as in libtiff.
    static func count(in file: RawSpan, limit: Int) -> Int {
        guard let reader = ExifReader(tiff: file) else { return 0 }
        var seen: Set<Int> = []
        var next = reader.number(4)
        while seen.count <= limit, let start = next, start > 0, let following = reader.directory(after: start),
            seen.insert(start).inserted
        {
            next = following
        }
        return seen.count
    }
}

/// One of them. libvips parses every directory whenever it opens a file, unless it is given a single one.
struct TIFFPage {
    /// A smaller version of the picture inside its page (SubIFDs).
    struct Level {
        let size: PixelSize?
        let entryCount: Int
    }

    static let levelLimit = 16

    let offset: Int
    let entryCount: Int
    let isLast: Bool
    let size: PixelSize?
    let levels: ArraySlice<Level>

    /// Where the offset of the next directory stands.
    var linkOffset: Int { offset + 2 + entryCount * 12 }
    /// Of the page and of a level: more than these two are never parsed.
    var parsedEntryCount: Int { entryCount + (levels.map(\.entryCount).max() ?? 0) }

    /// That of `page`, from 0; nil if there is none. O(`page`).
    init?(page: Int, of file: RawSpan) {
        guard let reader = ExifReader(tiff: file), var start = reader.number(4) else { return nil }
        for _ in 0..<page {
            guard start > 0, let next = reader.directory(after: start) else { return nil }
            start = next
        }
        guard start > 0, let count = reader.number(start, width: 2) else { return nil }
        (offset, entryCount, isLast) = (start, count, reader.directory(after: start) ?? 0 == 0)
        let entries = reader.entries(at: start)
        size = reader.size(entries)
        levels = reader.numbers(entries[330], limit: Self.levelLimit).map { start in
            Level(size: reader.size(reader.entries(at: start)), entryCount: reader.number(start, width: 2) ?? 0)
        }.prefix { $0.entryCount <= ExifReader.entryLimit }
    }
}

extension ExifReader {
    /// ImageWidth and ImageLength.
    fileprivate func size(_ entries: [Int: Entry]) -> PixelSize? {
        guard let width = whole(entries[256]), let height = whole(entries[257]) else { return nil }
        return PixelSize(widthPx: width, heightPx: height)
    }

    /// The first numbers of 32 bits of `entry`.
    fileprivate func numbers(_ entry: Entry?, limit: Int) -> [Int] {
        guard let entry, entry.type == 4 || entry.type == 13 else { return [] }
        return (0..<min(entry.count, limit)).compactMap { number(entry.offset + 4 * $0) }
    }
}
