/// Reads and rewrites a block of EXIF (CIPA DC-008 §4.6), a TIFF file of tags. Every offset is untrusted.
struct EXIFBlock {
    private var bytes: [UInt8]
    private let isBigEndian: Bool

    private static let orientation = 0x0112
    /// Order, number and the place of the first directory (TIFF 6.0 §2).
    private static let headByteCount = 8
    static let artist = 0x013b
    static let copyright = 0x8298

    /// `bytes` may begin with JPEG's name for the block. Nil if no TIFF file follows.
    init?(_ bytes: [UInt8]) {
        let file = bytes.starts(with: "Exif\0\0".utf8) ? Array(bytes.dropFirst(6)) : bytes
        guard file.count >= 14, file.count < 1 << 24 else { return nil }
        switch Array(file[0..<4]) {
        case [0x4d, 0x4d, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: return nil
        }
        self.bytes = file
        // A directory that lies in the head would be changed with it.
        guard firstDirectory >= Self.headByteCount else { return nil }
    }

    init?(describing file: RawSpan) {
        guard let reader = ExifReader(tiff: file), let start = reader.number(4) else { return nil }
        let directory = TIFFDirectory(describing: reader, at: start)
        guard !directory.isEmpty else { return nil }
        self.init(Self.file(directory))
    }

    /// All of it, for an upright picture: orientation 1, and no thumbnail, which would show parts that were cut away.
    func upright() -> [UInt8] {
        var copy = self
        for entry in entries where number(entry, 2) == Self.orientation { copy.set(entry + 8, 1) }
        let next = firstDirectory + 2 + entries.count * 12
        if let thumbnail = number(next, 4), thumbnail > 0 {
            copy.clear(next)
            copy.cut(from: thumbnail, keeping: firstDirectory..<(next + 4))
        }
        return copy.bytes
    }

    /// Artist and copyright alone; nil if there is neither.
    func credits() -> [UInt8]? {
        let texts = [Self.artist, Self.copyright].compactMap { tag in
            text(tag).map { (tag: tag, bytes: Array($0.prefix(1000)) + [0]) }
        }
        guard !texts.isEmpty else { return nil }
        var directory = TIFFDirectory()
        for (tag, bytes) in texts { directory.add(tag, text: bytes) }
        return Self.file(directory)
    }

    private static func file(_ directory: TIFFDirectory) -> [UInt8] {
        [0x4d, 0x4d, 0, 42, 0, 0, 0, 8] + directory.written(at: 8, isBigEndian: true)
    }

    private var firstDirectory: Int { number(4, 4) ?? 0 }

    /// The offsets of the entries of the first directory, all inside the file.
    private var entries: [Int] {
        let start = firstDirectory
        let count = min(number(start, 2) ?? 0, 1000)
        return (0..<count).map { start + 2 + $0 * 12 }.prefix { $0 + 12 <= bytes.count }
    }

    private func text(_ tag: Int) -> ArraySlice<UInt8>? {
        guard let entry = entries.first(where: { number($0, 2) == tag }), number(entry + 2, 2) == 2,
            let count = number(entry + 4, 4), count > 0
        else { return nil }
        guard let start = count <= 4 ? entry + 8 : number(entry + 8, 4), start <= bytes.count,
            count <= bytes.count - start
        else { return nil }
        let text = bytes[start..<(start + count)].prefix { $0 != 0 }
        return text.contains { !$0.isBlank } ? text : nil
    }

    private func number(_ offset: Int, _ count: Int) -> Int? {
        unsafe isBigEndian ? bytes.span.bytes.big(offset, count) : bytes.span.bytes.little(offset, count)
    }

    private mutating func set(_ offset: Int, _ value: UInt8) {
        bytes[offset] = isBigEndian ? 0 : value
        bytes[offset + 1] = isBigEndian ? value : 0
    }

    private mutating func clear(_ offset: Int) {
        for place in offset..<(offset + 4) { bytes[place] = 0 }
    }

    /// Wipes the pixels of the directories from `directory` on. The head of the file and `kept` always stay.
    private mutating func cut(from directory: Int, keeping kept: Range<Int>) {
        var ranges: [Range<Int>] = []
        var next = directory
        for _ in 0..<Self.directoryLimit where next > 0 {
            let found = smallPictures(of: next)
            for range in found.ranges {
                let before = range.clamped(to: 8..<max(8, kept.lowerBound))
                let after = range.clamped(to: kept.upperBound..<max(kept.upperBound, bytes.count))
                ranges += [before, after].filter { !$0.isEmpty }
            }
            next = found.next
        }
        // From the end, each byte once: overlapping ranges may add up to more than a file can have.
        var wiped = bytes.count
        for range in ranges.sorted(by: { $0.upperBound > $1.upperBound }) where range.lowerBound < wiped {
            if range.upperBound >= bytes.count {
                bytes.removeLast(bytes.count - range.lowerBound)
            } else {
                for index in range.lowerBound..<min(range.upperBound, wiped) { bytes[index] = 0 }
            }
            wiped = range.lowerBound
        }
    }

    /// The ranges of a directory's pixels inside the file, and the next directory.
    private func smallPictures(of directory: Int) -> (ranges: [Range<Int>], next: Int) {
        let count = min(number(directory, 2) ?? 0, 1000)
        var places: [Int: Int] = [:]
        for entry in (0..<count).map({ directory + 2 + $0 * 12 }) {
            if let tag = number(entry, 2) { places[tag] = entry }
        }
        var ranges: [Range<Int>] = []
        for (start, length) in Self.pixelTags {
            guard let starts = places[start].map(numbers) else { continue }
            // A missing or too large length extends to the end: better to wipe too much than too little.
            let lengths = places[length].map(numbers) ?? []
            for (index, start) in starts.enumerated() where start < bytes.count {
                let rest = bytes.count - start
                ranges.append(start..<(start + min(index < lengths.count ? lengths[index] : rest, rest)))
            }
        }
        return (ranges, number(directory + 2 + count * 12, 4) ?? 0)
    }

    /// The whole numbers of an entry, of two bytes (type 3) or four, as far as they lie inside the file.
    private func numbers(_ entry: Int) -> [Int] {
        let size = number(entry + 2, 2) == 3 ? 2 : 4
        guard let count = number(entry + 4, 4), let start = count * size <= 4 ? entry + 8 : number(entry + 8, 4) else {
            return []
        }
        return (0..<min(count, Self.stripLimit)).compactMap { number(start + $0 * size, size) }
    }

    /// Tags of offset and length of a JPEG, strips and tiles (TIFF 6.0 §§3, 15, 22).
    private static let pixelTags = [(0x0201, 0x0202), (0x0111, 0x0117), (0x0144, 0x0145)]
    /// Strips read of a thumbnail, more than it has rows.
    private static let stripLimit = 4096
    private static let directoryLimit = 8
}
