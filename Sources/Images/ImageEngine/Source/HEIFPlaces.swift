/// Where the data of items lie in a HEIF file: the box `iloc` (ISO/IEC 14496-12 §8.11.3).
struct HEIFPlaces {
    /// As many as ``HEIFItems`` reads.
    private static let itemLimit = 4096
    /// Pieces of one item; libheif reads as many.
    private static let pieceLimit = 32

    private struct Place {
        /// 0: in the file; 1: in the box `idat`; 2: in another item, which libheif does not read.
        let method: Int
        /// Starts, from the beginning of the file or of `idat`, and lengths.
        var pieces: [(start: Int, count: Int)] = []
    }

    private var places: [Int: Place] = [:]
    private var innerData: Range<Int>?

    init(_ file: RawSpan, _ boxes: [MediaBox]) throws(ImageError) {
        innerData = try HEIFBoxes.only("idat", of: boxes)
        if let list = try HEIFBoxes.only("iloc", of: boxes) { try read(file, list) }
    }

    /// nil where there are none, or some lie outside the file: libheif does not read such an item.
    func data(of item: Int, in file: RawSpan) throws(ImageError) -> HEIFData? {
        guard let place = places[item] else { return nil }
        guard place.method < 2 else { throw .unsupportedFormat }
        guard let origin = place.method == 0 ? 0 : innerData?.lowerBound else { return nil }
        var data = HEIFData()
        for piece in place.pieces {
            // libheif reads beyond `idat`, but not beyond the file.
            let start = origin + piece.start
            guard start + piece.count <= file.byteCount else { return nil }
            data.append(start..<(start + piece.count))
        }
        return data
    }

    private mutating func read(_ file: RawSpan, _ list: Range<Int>) throws(ImageError) {
        var reader = Reader(place: list.lowerBound, end: list.upperBound)
        let version = try reader.number(1, in: file)
        _ = try reader.number(3, in: file)
        let widths = try reader.number(2, in: file)
        let (start, length, base, index) = (widths >> 12, (widths >> 8) & 15, (widths >> 4) & 15, widths & 15)
        // libheif takes other widths for 0, and passes over an index in version 2 alone.
        guard version < 3, [start, length, base].allSatisfy({ [0, 4, 8].contains($0) }),
            version == 0 || index == 0 || (version == 2 && [4, 8].contains(index))
        else { throw .corrupt(log: "a box iloc of version \(version) with numbers of \(widths) bytes") }
        let count = try reader.number(version < 2 ? 2 : 4, in: file)
        guard count <= Self.itemLimit else { throw .tooManyParts(limit: Self.itemLimit) }
        for _ in 0..<count {
            let item = try reader.number(version < 2 ? 2 : 4, in: file)
            let method = try reader.number(version == 0 ? 0 : 2, in: file) & 15
            var place = Place(method: method)
            // Which file it is in; libheif takes this one.
            _ = try reader.number(2, in: file)
            let origin = try reader.number(base, in: file)
            let pieceCount = try reader.number(2, in: file)
            guard pieceCount <= Self.pieceLimit else { throw .tooManyParts(limit: Self.pieceLimit) }
            for _ in 0..<pieceCount {
                if version == 2 { _ = try reader.number(index, in: file) }
                let offset = try reader.number(start, in: file)
                let count = try reader.number(length, in: file)
                place.pieces.append((start: origin + offset, count: count))
            }
            guard places.updateValue(place, forKey: item) == nil else {
                throw .corrupt(log: "two places of item \(item)")
            }
        }
    }

    private struct Reader {
        var place: Int
        let end: Int

        /// Of up to four bytes, or of eight. Such as are longer than any file are refused, so sums cannot overflow.
        mutating func number(_ width: Int, in file: RawSpan) throws(ImageError) -> Int {
            let start = place
            place += width
            guard place <= end, let low = file.big(place - min(width, 4), min(width, 4)) else {
                throw .corrupt(log: "a box iloc that breaks off")
            }
            guard width == 8 else { return low }
            guard let high = file.big(start, 4), high < 1 << 16 else {
                throw .corrupt(log: "a number at byte \(start) that is longer than any file")
            }
            return (high << 32) | low
        }
    }
}

/// The data of an item, which may lie in several pieces of the file.
struct HEIFData {
    private(set) var count = 0
    private var pieces: [Range<Int>] = []

    /// `piece` lies within the file.
    mutating func append(_ piece: Range<Int>) {
        pieces.append(piece)
        count += piece.count
    }

    mutating func append(_ other: HEIFData) {
        for piece in other.pieces { append(piece) }
    }

    /// Up to `count` bytes from `offset` on; fewer at the end.
    func bytes(_ file: RawSpan, from offset: Int, count: Int) -> [UInt8] {
        var found: [UInt8] = []
        var passed = 0
        for piece in pieces where found.count < count {
            let start = piece.lowerBound + max(0, offset - passed)
            passed += piece.count
            guard start < piece.upperBound else { continue }
            found += file.array(start..<min(piece.upperBound, start + count - found.count))
        }
        return found
    }
}
