import Bytes

#if canImport(Glibc)
    import Glibc
#endif

extension Bitmap {
    /// All pixels from the top down, RGB or RGBA, in memory from malloc that is the caller's; nil where the runs are not
    /// sound or memory is short. The size must have been found within the limits.
    @unsafe func decode() -> UnsafeMutableRawPointer? {
        let bands = hasAlpha ? 4 : 3
        guard let memory = unsafe calloc(widthPx * heightPx, bands) else { return nil }
        let out = unsafe memory.bindMemory(to: UInt8.self, capacity: widthPx * heightPx * bands)
        if compression == .none {
            for y in 0..<heightPx {
                let row = unsafe out + y * widthPx * bands
                let start = pixelOffset + storedRow(y) * stride
                if bits <= 8 {
                    for x in 0..<widthPx { unsafe put(number(start, x), row + x * bands) }
                } else {
                    for x in 0..<widthPx { unsafe putColour(start, x, row + x * bands) }
                }
            }
        } else {
            guard let numbers = unrolled() else {
                unsafe free(memory)
                return nil
            }
            for y in 0..<heightPx {
                let row = unsafe out + y * widthPx * bands
                for x in 0..<widthPx { unsafe put(Int(numbers[storedRow(y) * widthPx + x]), row + x * bands) }
            }
        }
        if isIcon { unsafe applyMask(out) }
        return unsafe memory
    }

    private func storedRow(_ y: Int) -> Int { isTopDown ? y : heightPx - 1 - y }

    /// The number of a pixel of at most 8 bits, the first in the highest bits.
    private func number(_ start: Int, _ x: Int) -> Int {
        let bit = x * bits
        let value = Int(octet(bytes.span, start + bit / 8) ?? 0)
        return value >> (8 - bits - bit % 8) & ((1 << bits) - 1)
    }

    /// Numbers past the end of the palette are black.
    private func put(_ number: Int, _ out: UnsafeMutablePointer<UInt8>) {
        for band in 0..<3 where number * 3 + 2 < palette.count { unsafe out[band] = palette[number * 3 + band] }
        if hasAlpha { unsafe out[3] = 255 }
    }

    private func putColour(_ start: Int, _ x: Int, _ out: UnsafeMutablePointer<UInt8>) {
        if bits == 24 {
            for band in 0..<3 { unsafe out[band] = octet(bytes.span, start + x * 3 + 2 - band) ?? 0 }
            if hasAlpha { unsafe out[3] = 255 }
            return
        }
        let value = UInt32(truncatingIfNeeded: bytes.span.little(start + x * bits / 8, bits / 8) ?? 0)
        for band in 0..<(hasAlpha ? 4 : 3) {
            let mask = masks[band]
            guard mask != 0 else {
                unsafe out[band] = band == 3 ? 255 : 0
                continue
            }
            let largest = UInt64(mask >> UInt32(mask.trailingZeroBitCount))
            let part = UInt64((value & mask) >> UInt32(mask.trailingZeroBitCount))
            unsafe out[band] = UInt8(truncatingIfNeeded: (part * 255 + largest / 2) / largest)
        }
    }

    /// The numbers of all pixels, from the bottom up, of what was written as runs; nil where it breaks off. Pixels that are
    /// skipped have number 0.
    private func unrolled() -> [UInt8]? {
        var numbers = [UInt8](repeating: 0, count: widthPx * heightPx)
        let span = bytes.span
        var (offset, x, y) = (pixelOffset, 0, 0)
        let isHalf = compression == .runs4
        func put(_ value: UInt8) {
            if x < widthPx, y < heightPx { numbers[y * widthPx + x] = value }
            x += 1
        }
        while let count = octet(span, offset), let value = octet(span, offset + 1) {
            offset += 2
            if count > 0 {
                for place in 0..<Int(count) {
                    put(isHalf ? (place.isMultiple(of: 2) ? value >> 4 : value & 15) : value)
                }
                continue
            }
            switch value {
            case 0: (x, y) = (0, y + 1)
            case 1: return numbers
            case 2:
                x += Int(octet(span, offset) ?? 0)
                y += Int(octet(span, offset + 1) ?? 0)
                offset += 2
            default:
                let stored = isHalf ? (Int(value) + 1) / 2 : Int(value)
                guard offset + stored <= span.byteCount else { return nil }
                for place in 0..<Int(value) {
                    let pair = octet(span, offset + (isHalf ? place / 2 : place)) ?? 0
                    put(isHalf ? (place.isMultiple(of: 2) ? pair >> 4 : pair & 15) : pair)
                }
                offset += stored + stored % 2
            }
            if y > heightPx { return nil }
        }
        return nil
    }

    /// Pixels that the mask of an icon names are transparent. One of 32 bits has its own alpha, unless that is 0 everywhere.
    private func applyMask(_ out: UnsafeMutablePointer<UInt8>) {
        if bits == 32 {
            guard (0..<(widthPx * heightPx)).allSatisfy({ unsafe out[$0 * 4 + 3] == 0 }) else { return }
        }
        let stride = (widthPx + 31) / 32 * 4
        let start = pixelOffset + self.stride * heightPx
        for y in 0..<heightPx {
            let row = start + storedRow(y) * stride
            for x in 0..<widthPx {
                let isMasked = (octet(bytes.span, row + x / 8) ?? 0) >> UInt8(7 - x % 8) & 1 == 1
                unsafe out[(y * widthPx + x) * 4 + 3] = isMasked ? 0 : 255
            }
        }
    }
}
