import Bytes
import ImagePlan

/// How the pixels of a directory of a TIFF are packed. libtiff unpacks whole tiles, also what overhangs the image, and all
/// samples. All numbers are untrusted.
struct TIFFLayout {
    /// libvips would take 10,000.
    static let sampleLimit = 16
    /// Pixels of all tiles together: so many times those of the image, and more, because the smallest levels of a pyramid
    /// are smaller than a tile.
    private static let areaLimit = (share: 4.0, pixelCount: 16_000_000.0)

    let size: PixelSize?
    /// Nil for strips.
    private let tile: PixelSize?
    /// Rows of a strip that are unpacked at once.
    private let rowCount: Int
    private let sampleCount: Int
    private let bytesPerSample: Int

    /// The sides of all tiles together; of the image where there are strips, the last of which does not overhang.
    private var unpackedSize: PixelSize? {
        guard let size, let tile, tile.widthPx > 0, tile.heightPx > 0 else { return size }
        return PixelSize(
            widthPx: (size.widthPx + tile.widthPx - 1) / tile.widthPx * tile.widthPx,
            heightPx: (size.heightPx + tile.heightPx - 1) / tile.heightPx * tile.heightPx)
    }

    /// As ``ImageHeader/unpackedByteCount``.
    var unpackedByteCount: Int {
        guard let unpackedSize else { return 0 }
        // The price is that of pictures, of one to four samples.
        let counted = sampleCount <= 4 ? 3 : sampleCount
        return Self.count(Self.area(unpackedSize) * Double(counted) * Double(bytesPerSample))
    }

    /// As ``ImageHeader/heldByteCount``.
    var heldByteCount: Int {
        guard let size else { return 0 }
        let unit = tile ?? PixelSize(widthPx: size.widthPx, heightPx: rowCount)
        return Self.count(Self.area(unit) * Double(max(1, sampleCount)) * Double(bytesPerSample))
    }

    /// Throws `unsupportedFormat` for more samples than a picture has, and `tooManyPixels` for tiles that are much larger
    /// than the image.
    func check() throws(ImageError) {
        guard sampleCount <= Self.sampleLimit else { throw .unsupportedFormat }
        guard let size, let unpackedSize else { return }
        let limit = Self.areaLimit.share * Self.area(size) + Self.areaLimit.pixelCount
        guard Self.area(unpackedSize) <= limit else {
            throw .tooManyPixels(
                widthPx: unpackedSize.widthPx, heightPx: unpackedSize.heightPx, pageCount: 1, limit: Self.count(limit))
        }
    }

    private static func area(_ size: PixelSize) -> Double { Double(size.widthPx) * Double(size.heightPx) }

    private static func count(_ number: Double) -> Int { Int(held: number, in: 0...1_000_000_000_000_000) }
}

extension TIFFLayout {
    /// Fields of TIFF 6.0 §8 and §15.
    private enum Field: Int, CaseIterable {
        case width = 256, length = 257, bits = 258, compression = 259, photometric = 262, samples = 277
        case rowsPerStrip = 278, planes = 284, tileWidth = 322, tileLength = 323
    }

    private static let tags = Set(Field.allCases.map(\.rawValue))

    /// LERC and WebP, whose decoders unpack a strip as a whole.
    private static let wholeCompressions: Set = [34887, 50001]

    /// Of the directory at `start`.
    init(_ reader: borrowing ExifReader, at start: Int) {
        var numbers: [Field: Int] = [:]
        for (tag, place) in reader.firstEntries(at: start, of: Self.tags) {
            // libtiff reads no image where it cannot read one of these.
            if let field = Field(rawValue: tag) { numbers[field] = reader.wholeOfAnyType(at: place) ?? 0 }
        }
        let height = numbers[.length] ?? 0
        size = numbers[.width].map { PixelSize(widthPx: $0, heightPx: height) }
        let isTiled = numbers[.tileWidth] != nil || numbers[.tileLength] != nil
        tile = isTiled ? PixelSize(widthPx: numbers[.tileWidth] ?? 0, heightPx: numbers[.tileLength] ?? 0) : nil
        sampleCount = numbers[.samples] ?? 1
        // Those of fewer bits become bytes.
        bytesPerSample = max(1, ((numbers[.bits] ?? 1) + 7) / 8)
        let rows = min(max(1, numbers[.rowsPerStrip] ?? height), max(1, height))
        // libvips reads longer strips row by row, but not those of separate planes or YCbCr (8.14, `tiff2vips.c`).
        let isWhole =
            rows <= 128 || numbers[.planes] == 2 || numbers[.photometric] == 6
            || Self.wholeCompressions.contains(numbers[.compression] ?? 1)
        rowCount = isWhole ? rows : 1
    }
}

extension ExifReader {
    /// Where the first entry with each of `tags` is in the directory at `start`: libtiff ignores later ones even if it
    /// cannot read the first, so `entries(at:)` may differ.
    func firstEntries(at start: Int, of tags: Set<Int>) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for index in 0..<min(number(start, width: 2) ?? 0, Self.entryLimit) {
            let place = start + 2 + index * 12
            guard let tag = number(place, width: 2) else { break }
            if tags.contains(tag), places[tag] == nil { places[tag] = place }
        }
        return places
    }

    /// The first number of the entry at `place`, of any type of whole numbers, as libtiff reads it; at most 2³² − 1.
    func wholeOfAnyType(at place: Int) -> Int? {
        guard let type = number(place + 2, width: 2), let count = number(place + 4), count > 0 else { return nil }
        let width: Int
        switch type {
        case 1, 6: width = 1
        case 3, 8: width = 2
        case 4, 9, 13: width = 4
        case 16, 17, 18: width = 8
        default: return nil
        }
        guard let offset = count * width > 4 ? number(place + 8) : place + 8 else { return nil }
        guard width == 8 else { return number(offset, width: width) }
        guard let first = number(offset), let second = number(offset + 4) else { return nil }
        let (high, low) = isBigEndian ? (first, second) : (second, first)
        return high == 0 ? low : Int(UInt32.max)
    }
}

extension ImageHeader {
    /// Counts what libtiff parses and unpacks of `page`, from 0, or of a smaller version that may take its place.
    mutating func countDirectories(ofPage page: Int, in file: RawSpan) {
        (entryCount, unpackedByteCount, heldByteCount) = (0, 0, 0)
        guard let own = TIFFPage(page: page, of: file) else { return }
        count(own.layout(ofLevel: nil), entryCount: own.parsedEntryCount)
        let isPyramid = page == 0 && TIFFReduction.areAllPages(of: file)
        for reduction in TIFFReduction.all(in: file, page: page) where reduction.level != nil || isPyramid {
            if let level = reduction.level {
                count(own.layout(ofLevel: level), entryCount: 0)
            } else if let other = TIFFPage(page: reduction.page, of: file) {
                count(other.layout(ofLevel: nil), entryCount: other.entryCount)
            }
        }
    }

    /// With the most that libtiff parses and unpacks of one of several pages of a TIFF. O(entries of these).
    func countingDirectories(of pages: PageSelection, in file: RawSpan) -> ImageHeader {
        guard format == .tiff, pages.count > 1, let reader = ExifReader(tiff: file), var start = reader.number(4) else {
            return self
        }
        var header = self
        for _ in 0..<pages.count {
            guard start > 0, let count = reader.number(start, width: 2) else { break }
            header.count(TIFFLayout(reader, at: start), entryCount: count)
            start = reader.directory(after: start) ?? 0
        }
        return header
    }

    private mutating func count(_ layout: TIFFLayout, entryCount count: Int) {
        entryCount = max(entryCount, count)
        unpackedByteCount = max(unpackedByteCount, layout.unpackedByteCount)
        heldByteCount = max(heldByteCount, layout.heldByteCount)
    }
}
