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
        let layout: TIFFLayout
        let entryCount: Int

        var size: PixelSize? { layout.size }
    }

    static let levelLimit = 16

    let offset: Int
    let entryCount: Int
    let isLast: Bool
    let levels: ArraySlice<Level>
    private let layout: TIFFLayout

    var size: PixelSize? { layout.size }
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
        layout = TIFFLayout(reader, at: start)
        levels = reader.offsets(ofTag: 330, at: start, limit: Self.levelLimit).map { start in
            Level(layout: TIFFLayout(reader, at: start), entryCount: reader.number(start, width: 2) ?? 0)
        }.prefix { $0.entryCount <= ExifReader.entryLimit }
    }

    /// Of the level with this index; nil for that of the page itself.
    func layout(ofLevel level: Int?) -> TIFFLayout {
        guard let level, levels.indices.contains(level) else { return layout }
        return levels[level].layout
    }
}

extension ExifReader {
    /// The first numbers of 32 bits of the first entry with `tag` in the directory at `start`.
    fileprivate func offsets(ofTag tag: Int, at start: Int, limit: Int) -> [Int] {
        guard let place = firstEntries(at: start, of: [tag])[tag], let type = number(place + 2, width: 2),
            type == 4 || type == 13, let count = number(place + 4),
            let offset = count > 1 ? number(place + 8) : place + 8, offset <= file.byteCount - count * 4
        else { return [] }
        return (0..<min(count, limit)).compactMap { number(offset + 4 * $0) }
    }
}
