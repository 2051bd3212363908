package import Bytes
import CDeflate

/// Collects the rows of a picture and encodes it, without loss.
///
/// A picture of 8 bits is written in the smallest way that gives the same pixels back: without alpha that is opaque
/// everywhere, and by a palette where it has at most 256 colours and that is smaller.
package struct PNGEncoder: ~Copyable {
    private let widthPx: Int
    private let heightPx: Int
    private let bands: Int
    private let is16Bit: Bool
    private let rowCount: Int
    private let pixels: OctetBuffer
    private var rowsSeen = 0

    /// For rows of `bands` (1–4) samples of 8 or 16 bits. nil where the picture has no pixels, more octets than
    /// `PNGCoding.encoderLimit`, or memory is short.
    package init?(widthPx: Int, heightPx: Int, bands: Int, is16Bit: Bool) {
        guard widthPx > 0, heightPx > 0, (1...4).contains(bands), widthPx <= PNGCoding.encoderLimit else { return nil }
        let rowCount = widthPx * bands * (is16Bit ? 2 : 1)
        let total = rowCount.multipliedReportingOverflow(by: heightPx)
        guard !total.overflow, total.partialValue <= PNGCoding.encoderLimit,
            let pixels = OctetBuffer(count: total.partialValue)
        else { return nil }
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.bands = bands
        self.is16Bit = is16Bit
        self.rowCount = rowCount
        self.pixels = pixels
    }

    /// Takes the next row: `rowOctetCount` octets, samples of 16 bits as the processor has them. What comes after the last
    /// row is passed over.
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

    /// The file; nil where rows are missing or memory is short. `level` is libdeflate's, 1–12.
    package consuming func finish(level: Int = 6) -> SharedBytes? {
        guard rowsSeen == heightPx else { return nil }
        let pixelCount = widthPx * heightPx
        var kept = bands
        let hasAlpha = bands.isMultiple(of: 2)
        if !is16Bit, hasAlpha, unsafe cdeflate_is_opaque(pixels.base, pixelCount, bands) != 0 {
            unsafe cdeflate_drop_alpha(pixels.base, pixelCount, bands)
            kept -= 1
        }
        let byPalette = is16Bit ? nil : withPalette(bands: kept, level: level)
        let direct = filtered(bands: kept, level: level)
        guard let byPalette else { return direct }
        guard let direct else { return byPalette }
        return byPalette.count < direct.count ? byPalette : direct
    }

    /// With all samples, each row by the filter that suits it.
    private borrowing func filtered(bands: Int, level: Int) -> SharedBytes? {
        guard let type = PNGCoding.ColourType(bands: bands) else { return nil }
        let pixel = bands * (is16Bit ? 2 : 1)
        let count = widthPx * pixel
        guard let scratch = OctetBuffer(count: count), let rows = OctetBuffer(count: (count + 1) * heightPx) else {
            return nil
        }
        for y in 0..<heightPx {
            let row = unsafe UnsafePointer(pixels.base) + y * count
            unsafe cdeflate_filter_row(
                row, y == 0 ? nil : row - count, count, pixel, scratch.base, rows.base + y * (count + 1))
        }
        return file(rows, header: header(type, bits: is16Bit ? 16 : 8), level: level)
    }

    /// By a palette; nil where there are too many colours, or so many shades of grey that nothing is won.
    private borrowing func withPalette(bands: Int, level: Int) -> SharedBytes? {
        guard let numbers = OctetBuffer(count: widthPx * heightPx) else { return nil }
        var colours = [UInt32](repeating: 0, count: 256)
        let found = unsafe Int(
            cdeflate_find_colours(pixels.base, widthPx * heightPx, bands, &colours, numbers.base))
        guard found > 0, let palette = Palette(colours: Array(colours[..<found]), isGrey: bands == 1) else {
            return nil
        }
        let count = (widthPx * palette.bits + 7) / 8
        guard let rows = OctetBuffer(count: (count + 1) * heightPx) else { return nil }
        for y in 0..<heightPx {
            let row = unsafe rows.base + y * (count + 1)
            unsafe row[0] = 0
            unsafe cdeflate_pack_row(
                numbers.base + y * widthPx, palette.places, widthPx, Int32(palette.bits), row + 1)
        }
        return file(rows, header: header(palette.type, bits: palette.bits) + palette.chunks, level: level)
    }

    private borrowing func header(_ type: PNGCoding.ColourType, bits: Int) -> [UInt8] {
        PNGCoding.signature
            + PNGCoding.chunk(
                "IHDR",
                PNGCoding.bigEndian(UInt32(clamping: widthPx)) + PNGCoding.bigEndian(UInt32(clamping: heightPx))
                    + [UInt8(clamping: bits), type.rawValue, 0, 0, 0])
    }

    /// `header`, the rows as one chunk, and the end.
    private borrowing func file(_ rows: borrowing OctetBuffer, header: [UInt8], level: Int) -> SharedBytes? {
        let end = PNGCoding.chunk("IEND", [])
        let bound = cdeflate_zlib_bound(rows.count)
        guard let out = OctetBuffer(count: header.count + 12 + bound + end.count) else { return nil }
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

/// The colours of a picture in the order in which they are written, those that are not opaque first: the table of alpha
/// ends with the last of them (§11.3.1.1).
private struct Palette {
    /// Bits of a number.
    let bits: Int
    /// Grey where the numbers are the shades themselves.
    let type: PNGCoding.ColourType
    /// The chunks PLTE and tRNS.
    let chunks: [UInt8]
    /// Where the colour that was found as number so and so stands.
    let places: [UInt8]

    /// nil for shades of grey that fewer than 8 bits do not hold: a grey picture stays grey.
    init?(colours: [UInt32], isGrey: Bool) {
        if isGrey {
            let depths = [1, 2, 4].filter { bits in
                colours.allSatisfy { ($0 & 255).isMultiple(of: UInt32(255 / ((1 << bits) - 1))) }
            }
            guard let bits = depths.first else { return nil }
            self.bits = bits
            type = .grey
            chunks = []
            places = colours.map { UInt8(Int($0 & 255) * ((1 << bits) - 1) / 255) }
            return
        }
        type = .palette
        let order = colours.indices.sorted {
            let isFirst = (colours[$0] >> 24 < 255, colours[$1] >> 24 < 255)
            return isFirst.0 != isFirst.1 ? isFirst.0 : colours[$0] & 0xff_ffff < colours[$1] & 0xff_ffff
        }
        var places = [UInt8](repeating: 0, count: 256)
        for (place, number) in order.enumerated() { places[number] = UInt8(clamping: place) }
        self.places = places
        bits = colours.count <= 2 ? 1 : colours.count <= 4 ? 2 : colours.count <= 16 ? 4 : 8
        let table = order.flatMap { number in [16, 8, 0].map { UInt8(colours[number] >> $0 & 255) } }
        let alpha = order.map { UInt8(colours[$0] >> 24) }.prefix { $0 < 255 }
        chunks =
            PNGCoding.chunk("PLTE", table) + (alpha.isEmpty ? [] : PNGCoding.chunk("tRNS", Array(alpha)))
    }
}
