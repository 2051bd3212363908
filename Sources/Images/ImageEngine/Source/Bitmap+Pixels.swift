import Bytes
import Glibc

extension Bitmap {
    /// All pixels from the top down, RGB or RGBA, in malloc memory owned by the caller; nil for malformed runs, or
    /// after a stop. The size must be within the limits. O(pixels + bytes of the file).
    @unsafe func decode(shouldStop: () -> Bool) throws(ImageError) -> UnsafeMutableRawPointer? {
        let memory = try PixelMemory(byteCount: widthPx * heightPx * (hasAlpha ? 4 : 3), isZero: true)
        guard try unsafe fill(memory.first, shouldStop) else { return nil }
        if isIcon {
            guard unsafe applyMask(memory.first, shouldStop) else { return nil }
        }
        return unsafe UnsafeMutableRawPointer(memory.handOver())
    }

    private func fill(_ out: UnsafeMutablePointer<UInt8>, _ shouldStop: () -> Bool) throws(ImageError) -> Bool {
        let bands = hasAlpha ? 4 : 3
        let numbers = try PixelMemory(byteCount: compression == .none ? 0 : widthPx * heightPx, isZero: true)
        if compression != .none {
            guard unsafe unroll(into: numbers.first, shouldStop) else { return false }
        }
        for y in 0..<heightPx {
            if y.isMultiple(of: Self.rowsPerQuestion), shouldStop() { return false }
            let row = unsafe out + y * widthPx * bands
            let start = pixelOffset + storedRow(y) * stride
            for x in 0..<widthPx {
                if compression != .none {
                    unsafe put(Int(numbers.first[storedRow(y) * widthPx + x]), row + x * bands)
                } else if bits <= 8 {
                    unsafe put(number(start, x), row + x * bands)
                } else {
                    unsafe putColor(start, x, row + x * bands)
                }
            }
        }
        return true
    }

    private static let rowsPerQuestion = 16
    private static let runsPerQuestion = 1 << 16

    private func storedRow(_ y: Int) -> Int { isTopDown ? y : heightPx - 1 - y }

    private func number(_ start: Int, _ x: Int) -> Int {
        let bit = x * bits
        let value = Int(bytes.span.byte(start + bit / 8) ?? 0)
        return value >> (8 - bits - bit % 8) & ((1 << bits) - 1)
    }

    /// Indices past the end of the palette are black.
    private func put(_ number: Int, _ out: UnsafeMutablePointer<UInt8>) {
        for band in 0..<3 where number * 3 + 2 < palette.count { unsafe out[band] = palette[number * 3 + band] }
        if hasAlpha { unsafe out[3] = 255 }
    }

    private func putColor(_ start: Int, _ x: Int, _ out: UnsafeMutablePointer<UInt8>) {
        if bits == 24 {
            for band in 0..<3 { unsafe out[band] = bytes.span.byte(start + x * 3 + 2 - band) ?? 0 }
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

    /// Decodes run lengths into palette indices, from the bottom up; returns false if they are truncated.
    private func unroll(into numbers: UnsafeMutablePointer<UInt8>, _ shouldStop: () -> Bool) -> Bool {
        let span = bytes.span
        var (offset, x, y, runCount) = (pixelOffset, 0, 0, 0)
        let isHalf = compression == .runs4
        // The part past the end of a row is not walked: two bytes would cost 255 steps.
        func run(_ count: Int, _ value: (Int) -> UInt8) {
            let shown = y < heightPx ? min(count, widthPx - x) : 0
            if shown > 0 { for place in 0..<shown { unsafe numbers[y * widthPx + x + place] = value(place) } }
            x = min(x + count, widthPx)
        }
        while let count = span.byte(offset), let value = span.byte(offset + 1) {
            runCount += 1
            if runCount.isMultiple(of: Self.runsPerQuestion), shouldStop() { return false }
            offset += 2
            if count > 0 {
                run(Int(count)) { isHalf ? ($0.isMultiple(of: 2) ? value >> 4 : value & 15) : value }
                continue
            }
            switch value {
            case 0: (x, y) = (0, y + 1)
            case 1: return true
            case 2:
                x = min(x + Int(span.byte(offset) ?? 0), widthPx)
                y += Int(span.byte(offset + 1) ?? 0)
                offset += 2
            default:
                let stored = isHalf ? (Int(value) + 1) / 2 : Int(value)
                guard offset + stored <= span.byteCount else { return false }
                run(Int(value)) { place in
                    let pair = span.byte(offset + (isHalf ? place / 2 : place)) ?? 0
                    return isHalf ? (place.isMultiple(of: 2) ? pair >> 4 : pair & 15) : pair
                }
                offset += stored + stored % 2
            }
            if y > heightPx { return false }
        }
        return false
    }

    /// Makes masked pixels of an icon transparent. One of 32 bits has its own alpha, unless that is 0 everywhere. Returns
    /// false after a stop.
    private func applyMask(_ out: UnsafeMutablePointer<UInt8>, _ shouldStop: () -> Bool) -> Bool {
        if bits == 32 {
            for y in 0..<heightPx {
                if y.isMultiple(of: Self.rowsPerQuestion), shouldStop() { return false }
                for place in (y * widthPx)..<((y + 1) * widthPx) {
                    guard unsafe out[place * 4 + 3] == 0 else { return true }
                }
            }
        }
        let stride = (widthPx + 31) / 32 * 4
        let start = pixelOffset + self.stride * heightPx
        for y in 0..<heightPx {
            if y.isMultiple(of: Self.rowsPerQuestion), shouldStop() { return false }
            let row = start + storedRow(y) * stride
            for x in 0..<widthPx {
                let isMasked = (bytes.span.byte(row + x / 8) ?? 0) >> UInt8(7 - x % 8) & 1 == 1
                unsafe out[(y * widthPx + x) * 4 + 3] = isMasked ? 0 : 255
            }
        }
        return true
    }
}
