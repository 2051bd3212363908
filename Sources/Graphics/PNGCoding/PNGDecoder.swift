package import Bytes
import CDeflate
import Glibc

/// A PNG that is not interlaced, has no transparent color except in a palette, and is within `PNGCoding.decoderLimit`.
/// Samples are as libvips gives them; 16-bit ones are in native order. Nothing in the file is trusted.
package struct PNGDecoder: Sendable {
    package let widthPx: Int
    package let heightPx: Int
    package let bands: Int
    package let is16Bit: Bool

    private let bytes: SharedBytes
    private let bits: Int
    private let isPalette: Bool
    private let storedBands: Int
    private let chunks: PNGChunks

    /// Reads the chunks up to the pixels; nil if the file cannot be decoded here.
    package init?(_ bytes: SharedBytes) {
        guard let chunks = PNGChunks(bytes.span) else { return nil }
        let header = chunks.header
        guard let type = PNGCoding.ColorType(rawValue: header.colorType), !header.isInterlaced else { return nil }
        let allowed: [Int] =
            switch type {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .color, .greyAlpha, .colorAlpha: [8, 16]
            }
        isPalette = type == .palette
        guard allowed.contains(header.bits), isPalette != chunks.palette.isEmpty || type == .color,
            isPalette || chunks.transparency.isEmpty
        else { return nil }
        self.bytes = bytes
        self.chunks = chunks
        widthPx = header.widthPx
        heightPx = header.heightPx
        bits = header.bits
        storedBands = type.bandCount
        bands = isPalette ? (chunks.transparency.isEmpty ? 3 : 4) : type.bandCount
        is16Bit = header.bits == 16
        guard let byteCount, byteCount <= PNGCoding.decoderLimit else { return nil }
    }

    /// Bytes of a stored row, without the filter byte.
    private var rowCount: Int { (widthPx * storedBands * bits + 7) / 8 }

    /// The most bytes that decoding holds; nil on overflow.
    private var byteCount: Int? {
        guard widthPx <= 1 << 24, heightPx <= 1 << 24 else { return nil }
        let expanded = widthPx * bands * (is16Bit ? 2 : 1)
        let rows = (rowCount + 1 + (bits < 8 || isPalette ? expanded : 0)).multipliedReportingOverflow(by: heightPx)
        guard !rows.overflow else { return nil }
        return rows.partialValue + (chunks.pixels.count > 1 ? chunks.pixelByteCount : 0)
    }

    /// Packed rows in malloc memory owned by the caller; nil if malformed or memory is short. Some 3 ns per byte.
    @unsafe package func decode() -> UnsafeMutableRawPointer? {
        guard let rows = unsafe inflated() else { return nil }
        guard unsafe unfiltered(rows) else {
            unsafe free(rows)
            return nil
        }
        if is16Bit { unsafe cdeflate_swap16(rows, rowCount * heightPx, rows) }
        guard isPalette || bits < 8 else { return UnsafeMutableRawPointer(rows) }
        defer { unsafe free(rows) }
        return unsafe expanded(rows)
    }

    private func inflated() -> UnsafeMutablePointer<UInt8>? {
        let count = (rowCount + 1) * heightPx
        guard let memory = unsafe malloc(count) else { return nil }
        let out = unsafe memory.bindMemory(to: UInt8.self, capacity: count)
        let isSound = unsafe bytes.withUnsafeBytes { file in
            if chunks.pixels.count == 1 {
                let part = unsafe UnsafeRawBufferPointer(rebasing: file[chunks.pixels[0]])
                return unsafe cdeflate_zlib_decompress(part.baseAddress, part.count, out, count) == 0
            }
            guard let joined = unsafe malloc(max(1, chunks.pixelByteCount)) else { return false }
            defer { unsafe free(joined) }
            var end = 0
            for range in chunks.pixels where !range.isEmpty {
                guard let base = file.baseAddress else { return false }
                unsafe (joined + end).copyMemory(from: base + range.lowerBound, byteCount: range.count)
                end += range.count
            }
            return unsafe cdeflate_zlib_decompress(joined, end, out, count) == 0
        }
        guard isSound else {
            unsafe free(memory)
            return nil
        }
        return unsafe out
    }

    /// Undoes the filters and removes the filter bytes, from top to bottom in place.
    private func unfiltered(_ rows: UnsafeMutablePointer<UInt8>) -> Bool {
        let pixel = max(1, storedBands * bits / 8)
        for y in 0..<heightPx {
            let stored = unsafe rows + y * (rowCount + 1)
            let row = unsafe rows + y * rowCount
            let filter = unsafe Int32(stored[0])
            unsafe memmove(row, stored + 1, rowCount)
            let above = unsafe y == 0 ? nil : UnsafePointer(row - rowCount)
            guard unsafe cdeflate_unfilter_row(filter, row, above, rowCount, pixel) == 0 else { return false }
        }
        return true
    }

    /// Colors of a palette, bytes of small grey samples. Indices past the end of the palette are opaque black.
    private func expanded(_ rows: UnsafeMutablePointer<UInt8>) -> UnsafeMutableRawPointer? {
        var table = [UInt8](repeating: 255, count: 256 * bands)
        for number in 0..<256 {
            guard isPalette else {
                // The largest grey value is white; larger ones do not occur.
                table[number] = UInt8(truncatingIfNeeded: number * 255 / ((1 << bits) - 1))
                continue
            }
            for band in 0..<3 {
                let place = number * 3 + band
                table[number * bands + band] = place < chunks.palette.count ? chunks.palette[place] : 0
            }
            if bands == 4 {
                table[number * 4 + 3] = number < chunks.transparency.count ? chunks.transparency[number] : 255
            }
        }
        guard let memory = unsafe malloc(widthPx * heightPx * bands) else { return nil }
        let out = unsafe memory.bindMemory(to: UInt8.self, capacity: widthPx * heightPx * bands)
        for y in 0..<heightPx {
            unsafe cdeflate_expand_row(
                rows + y * rowCount, table, widthPx, Int32(bits), bands, out + y * widthPx * bands)
        }
        return unsafe memory
    }
}
