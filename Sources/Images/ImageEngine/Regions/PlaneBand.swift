package import Bytes
import CJPEG
import ImagePlan

/// An entry of the cache that is read in parts, each all or nil.
package struct KeptBytes {
    package let byteCount: Int
    package let read: (Range<Int>) -> SharedBytes?

    package init(byteCount: Int, read: @escaping (Range<Int>) -> SharedBytes?) {
        (self.byteCount, self.read) = (byteCount, read)
    }
}

/// Rows of the planes of a large JPEG as the decoder shrinks them, kept beside its region copy, so that a tile at 1/4 or less
/// reads a few samples for each pixel and decodes nothing.
///
/// Format: `VPLANES1`; as 32-bit little-endian numbers columns and rows of the original, the first row and the rows of the band,
/// for each of three planes the samples that are made of 8 along an axis; of each plane strips of 256 columns from left to right,
/// each row by row.
package struct PlaneBand {
    /// Unique among the bands of an original.
    package let name: String
    package let byteCount: Int
    /// Of three planes, whether or not there are so many: 1, 2, 4 or 8.
    package let sizes: [Int]
    /// Of the original.
    let rows: Range<Int>
    let planes: [cjpeg_plane]
    private let head: [UInt8]
    private let offsets: [Int]

    private static let columnCount = 256
    private static let magic = Array("VPLANES1".utf8)

    /// `whole`: the planes of full size. `sizes` has three.
    init(of original: PixelSize, rows: Range<Int>, sizes: [Int], whole: [cjpeg_plane]) {
        let numbers = [original.widthPx, original.heightPx, rows.lowerBound, rows.count] + sizes
        (self.rows, self.sizes) = (rows, sizes)
        name = "\(sizes[0]) \(rows.lowerBound)"
        head = Self.magic + numbers.flatMap { littleEndian($0, 4) }
        let pixels = PixelSize(widthPx: original.widthPx, heightPx: rows.count)
        planes = zip(whole, sizes).map { $0.reduced(to: $1, of: pixels) }
        var (end, offsets) = (head.count, [Int]())
        for plane in planes {
            offsets.append(end)
            end += plane.sampleCount
        }
        (self.offsets, byteCount) = (offsets, end)
    }

    package func fits(_ content: SharedBytes) -> Bool { content.count == byteCount && content.span.has(head) }

    func fits(_ kept: KeptBytes) -> Bool { kept.byteCount == byteCount && kept.read(0..<head.count)?.array == head }

    /// Copies what the band has of plane `index` within `rect`, in samples of the whole plane, to `out`, which has all rows of
    /// `rect` without gaps. False if that cannot be read.
    @unsafe func copy(
        _ index: Int, within rect: PixelRect, of kept: KeptBytes, to out: UnsafeMutableRawPointer
    ) -> Bool {
        let (width, height) = (Int(planes[index].width), Int(planes[index].height))
        let top = planes[index].row(of: rows.lowerBound)
        let (first, end) = (max(rect.y, top), min(rect.y + rect.heightPx, top + height))
        guard first < end, rect.x >= 0, rect.x + rect.widthPx <= width else { return false }
        for left in stride(
            from: rect.x / Self.columnCount * Self.columnCount, to: rect.x + rect.widthPx, by: Self.columnCount)
        {
            let stripWidth = min(Self.columnCount, width - left)
            let start = offsets[index] + left * height + (first - top) * stripWidth
            let count = (end - first) * stripWidth
            guard let found = kept.read(start..<(start + count)), found.count == count else { return false }
            let low = max(rect.x, left)
            let used = min(rect.x + rect.widthPx, left + stripWidth) - low
            unsafe found.withUnsafeBytes { samples in
                for row in 0..<(end - first) {
                    let place = row * stripWidth + low - left
                    let target = unsafe UnsafeMutableRawBufferPointer(
                        start: out + (first - rect.y + row) * rect.widthPx + low - rect.x, count: used)
                    unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: samples[place..<(place + used)]))
                }
            }
        }
        return true
    }

    /// Begins `out`, which has `byteCount` bytes.
    @unsafe func begin(_ out: UnsafeMutablePointer<UInt8>) { unsafe out.update(from: head, count: head.count) }

    /// Takes strip `number` of plane `index`.
    @unsafe func put(_ index: Int, _ strip: cjpeg_rows, number: Int, into out: UnsafeMutablePointer<UInt8>) {
        let (width, height) = (Int(planes[index].width), Int(planes[index].height))
        let rowCount = Int(planes[index].strip_rows)
        let first = number * rowCount
        for left in stride(from: 0, to: width, by: Self.columnCount) {
            let count = min(Self.columnCount, width - left)
            for row in first..<max(first, min(height, first + rowCount)) {
                let target = unsafe out + offsets[index] + left * height + row * count
                unsafe target.update(from: strip.first + (row - first) * strip.stride + left, count: count)
            }
        }
    }
}

extension cjpeg_plane {
    /// What libjpeg makes of this plane of full size for a picture of `pixels`, `size` samples of 8 (`describe` in decode.c).
    func reduced(to size: Int, of pixels: PixelSize) -> cjpeg_plane {
        // Exact: shares and samples per pixel are powers of two.
        let share = Double(size) / 8
        let sides = 0...Int(Int32.max)
        let (across, down) = (per_column * share, per_row * share)
        return cjpeg_plane(
            width: Int(held: (Double(pixels.widthPx) * across).rounded(.up), in: sides).cInt,
            height: Int(held: (Double(pixels.heightPx) * down).rounded(.up), in: sides).cInt,
            per_column: across, per_row: down, strip_rows: (Int(strip_rows) * size / 8).cInt)
    }

    var sampleCount: Int { Int(width) * Int(height) }
    var stripCount: Int { (Int(height) + Int(strip_rows) - 1) / max(1, Int(strip_rows)) }

    /// Where a column or row of the picture, the first of a unit (MCU), begins in the plane.
    func column(of x: Int) -> Int { Int(held: Double(x) * per_column, in: 0...Int(Int32.max)) }
    func row(of y: Int) -> Int { Int(held: Double(y) * per_row, in: 0...Int(Int32.max)) }

    func isSame(as other: cjpeg_plane) -> Bool {
        width == other.width && height == other.height && strip_rows == other.strip_rows
            && per_column == other.per_column && per_row == other.per_row
    }
}
