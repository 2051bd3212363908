package import Bytes
import CDeflate

/// Encodes the rows of an image, without loss. 8-bit images lose an opaque alpha channel, and get a palette if smaller.
package struct PNGEncoder: ~Copyable {
    let widthPx: Int
    let heightPx: Int
    private let bands: Int
    private let is16Bit: Bool
    private let rowCount: Int
    private let pixels: ByteBuffer
    private var rowsSeen = 0

    /// Nil for an empty image, more bytes than `PNGCoding.encoderLimit`, or if memory is short.
    package init?(widthPx: Int, heightPx: Int, bands: Int, is16Bit: Bool) {
        guard widthPx > 0, heightPx > 0, (1...4).contains(bands), widthPx <= PNGCoding.encoderLimit else { return nil }
        let rowCount = widthPx * bands * (is16Bit ? 2 : 1)
        let total = rowCount.multipliedReportingOverflow(by: heightPx)
        guard !total.overflow, total.partialValue <= PNGCoding.encoderLimit,
            let pixels = ByteBuffer(count: total.partialValue)
        else { return nil }
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.bands = bands
        self.is16Bit = is16Bit
        self.rowCount = rowCount
        self.pixels = pixels
    }

    /// For all packed rows of an 8-bit image, in malloc memory that is taken over even if the result is nil.
    @unsafe package init?(adopting memory: UnsafeMutablePointer<UInt8>, widthPx: Int, heightPx: Int, bands: Int) {
        let count = widthPx.multipliedReportingOverflow(by: heightPx)
        let pixels = unsafe ByteBuffer(adopting: memory, count: max(0, count.partialValue &* bands))
        guard widthPx > 0, heightPx > 0, (1...4).contains(bands), !count.overflow,
            count.partialValue <= PNGCoding.encoderLimit / bands
        else { return nil }
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.bands = bands
        is16Bit = false
        rowCount = widthPx * bands
        self.pixels = pixels
        rowsSeen = heightPx
    }

    /// Takes the next row; 16-bit samples are in native order. Rows after the last are ignored.
    @unsafe package mutating func append(_ row: UnsafePointer<UInt8>) {
        guard rowsSeen < heightPx else { return }
        let place = unsafe pixels.base + rowsSeen * rowCount
        if is16Bit {
            unsafe cdeflate_swap16(row, rowCount, place)
        } else {
            unsafe place.update(from: row, count: rowCount)
        }
        rowsSeen += 1
    }

    /// The file; nil if rows are missing or memory is short. `level` is libdeflate's, 1–12; 0 compresses nothing.
    package consuming func finish(level: Int = 6, strategy: PNGCoding.Strategy = .thorough) -> SharedBytes? {
        guard rowsSeen == heightPx else { return nil }
        let pixelCount = widthPx * heightPx
        var kept = bands
        let hasAlpha = bands.isMultiple(of: 2)
        if !is16Bit, hasAlpha, unsafe cdeflate_is_opaque(pixels.base, pixelCount, bands) != 0 {
            unsafe cdeflate_drop_alpha(pixels.base, pixelCount, bands)
            kept -= 1
        }
        guard level > 0 else { return file(filtered: false, bands: kept, level: 0) }
        let byPalette = is16Bit ? nil : numbered(bands: kept)
        switch strategy {
        case .thorough:
            let direct = file(filtered: true, bands: kept, level: level)
            guard let byPalette, let short = file(byPalette, level: level) else { return direct }
            guard let direct, direct.count <= short.count else { return short }
            return direct
        case .flat:
            guard let byPalette else {
                let isFiltered = sampleCount(filtered: true, bands: kept) < sampleCount(filtered: false, bands: kept)
                return file(filtered: isFiltered, bands: kept, level: level)
            }
            return file(byPalette, level: level)
        case .sampled:
            let plainCount = sampleCount(filtered: false, bands: kept)
            let filteredCount = sampleCount(filtered: true, bands: kept)
            if let byPalette, sampleCount(byPalette) <= min(plainCount, filteredCount) {
                return file(byPalette, level: level)
            }
            return file(filtered: filteredCount < plainCount, bands: kept, level: level)
        }
    }

    private borrowing func file(filtered: Bool, bands: Int, level: Int) -> SharedBytes? {
        guard let type = PNGCoding.ColorType(bands: bands),
            let rows = rows(Array(0..<heightPx), filtered: filtered, bands: bands)
        else { return nil }
        return file(rows, header: header(type, bits: is16Bit ? 16 : 8), level: level)
    }

    private borrowing func file(_ picture: borrowing NumberedPixels, level: Int) -> SharedBytes? {
        guard let rows = rows(Array(0..<heightPx), of: picture) else { return nil }
        let palette = picture.palette
        return file(rows, header: header(palette.type, bits: palette.bits) + palette.chunks, level: level)
    }

    /// `lines` with all samples, unfiltered or each by the best filter.
    borrowing func rows(_ lines: [Int], filtered: Bool, bands: Int) -> ByteBuffer? {
        let pixel = bands * (is16Bit ? 2 : 1)
        let count = widthPx * pixel
        guard let scratch = ByteBuffer(count: count), let rows = ByteBuffer(count: (count + 1) * lines.count) else {
            return nil
        }
        for (place, y) in lines.enumerated() {
            let row = unsafe UnsafePointer(pixels.base) + y * count
            let out = unsafe rows.base + place * (count + 1)
            if filtered {
                unsafe cdeflate_filter_row(row, y == 0 ? nil : row - count, count, pixel, scratch.base, out)
            } else {
                unsafe out[0] = 0
                unsafe (out + 1).update(from: row, count: count)
            }
        }
        return rows
    }

    borrowing func rows(_ lines: [Int], of picture: borrowing NumberedPixels) -> ByteBuffer? {
        let palette = picture.palette
        let count = (widthPx * palette.bits + 7) / 8
        guard let rows = ByteBuffer(count: (count + 1) * lines.count) else { return nil }
        for (place, y) in lines.enumerated() {
            let row = unsafe rows.base + place * (count + 1)
            unsafe row[0] = 0
            unsafe cdeflate_pack_row(
                picture.numbers.base + y * widthPx, palette.places, widthPx, Int32(palette.bits), row + 1)
        }
        return rows
    }

    /// The pixels by a palette; nil if there are too many colors, or too many shades of grey for a gain.
    private borrowing func numbered(bands: Int) -> NumberedPixels? {
        guard let numbers = ByteBuffer(count: widthPx * heightPx) else { return nil }
        var colors = [UInt32](repeating: 0, count: 256)
        let found = unsafe Int(cdeflate_find_colors(pixels.base, widthPx * heightPx, bands, &colors, numbers.base))
        guard found > 0, let palette = Palette(colors: Array(colors[..<found]), isGrey: bands == 1) else { return nil }
        return NumberedPixels(numbers: numbers, palette: palette)
    }

    private borrowing func header(_ type: PNGCoding.ColorType, bits: Int) -> [UInt8] {
        PNGCoding.signature
            + PNGCoding.chunk(
                "IHDR",
                PNGCoding.bigEndian(UInt32(clamping: widthPx)) + PNGCoding.bigEndian(UInt32(clamping: heightPx))
                    + [UInt8(clamping: bits), type.rawValue, 0, 0, 0])
    }

    private borrowing func file(_ rows: borrowing ByteBuffer, header: [UInt8], level: Int) -> SharedBytes? {
        let end = PNGCoding.chunk("IEND", [])
        let bound = cdeflate_zlib_bound(rows.count)
        guard let out = ByteBuffer(count: header.count + 12 + bound + end.count) else { return nil }
        let start = out.put(header, at: 0)
        let content = start + 8
        let count = unsafe cdeflate_zlib_compress(
            Int32(clamping: level), rows.base, rows.count, out.base + content, bound)
        guard count > 0 else { return nil }
        _ = out.put(PNGCoding.bigEndian(UInt32(clamping: count)) + Array("IDAT".utf8), at: start)
        let sum = unsafe cdeflate_crc32(0, out.base + start + 4, count + 4)
        let last = out.put(PNGCoding.bigEndian(sum) + end, at: content + count)
        return out.shared(last)
    }
}
