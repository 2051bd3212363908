package import Bytes

/// Writes an animated PNG (third edition, §11.3.2) that plays once. Readers that know no animations show `still`.
package struct PNGAnimation {
    private static let bandCount = 4
    /// The denominator of delays.
    private static let thousandth: [UInt8] = [0x03, 0xe8]

    private let widthPx, heightPx: Int
    private var file: [UInt8]
    private var sequenceNumber: UInt32 = 0
    private var previous: [UInt8]?

    /// Frames and `still` are rows of opaque RGBA of 8 bits. Nil where `still` has another size, or memory is short.
    package init?(widthPx: Int, heightPx: Int, frameCount: Int, still: [UInt8]) {
        guard widthPx > 0, heightPx > 0, still.count == widthPx * heightPx * Self.bandCount,
            let stream = Self.compressed(still[...], rowCount: widthPx * Self.bandCount)
        else { return nil }
        (self.widthPx, self.heightPx) = (widthPx, heightPx)
        file =
            PNGCoding.signature
            + PNGCoding.chunk(
                "IHDR", Self.words(widthPx, heightPx) + [8, PNGCoding.ColorType.colorAlpha.rawValue, 0, 0, 0])
            + PNGCoding.chunk("acTL", Self.words(frameCount, 1)) + PNGCoding.chunk("IDAT", stream)
    }

    /// Writes of the next frame what changed; false where it has another size, or memory is short.
    package mutating func append(_ frame: [UInt8], delayMs: Int) -> Bool {
        guard frame.count == widthPx * heightPx * Self.bandCount else { return false }
        let part = previous.map { Self.change(from: $0, to: frame, widthPx: widthPx) } ?? Part(widthPx, heightPx)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(part.width * part.height * Self.bandCount)
        for y in part.top..<(part.top + part.height) {
            let start = (y * widthPx + part.left) * Self.bandCount
            for place in stride(from: start, to: start + part.width * Self.bandCount, by: Self.bandCount) {
                // What is transparent leaves the frame before as it is.
                let isSame = previous.map { Self.isSame($0, frame, place) } ?? false
                if isSame {
                    pixels += [0, 0, 0, 0]
                } else {
                    pixels += frame[place..<(place + Self.bandCount)]
                }
            }
        }
        guard let stream = Self.compressed(pixels[...], rowCount: part.width * Self.bandCount) else { return false }
        let delay = UInt16(clamping: delayMs)
        file += PNGCoding.chunk(
            "fcTL",
            nextNumber() + Self.words(part.width, part.height, part.left, part.top)
                + [UInt8(delay >> 8), UInt8(delay & 255)] + Self.thousandth + [0, 1])
        file += PNGCoding.chunk("fdAT", nextNumber() + stream)
        previous = frame
        return true
    }

    package consuming func finish() -> SharedBytes { SharedBytes(file + PNGCoding.chunk("IEND", [])) }

    private struct Part {
        var left = 0
        var top = 0
        var width, height: Int

        init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }
    }

    private mutating func nextNumber() -> [UInt8] {
        defer { sequenceNumber += 1 }
        return PNGCoding.bigEndian(sequenceNumber)
    }

    /// The rectangle in which two frames differ; one pixel where they do not.
    private static func change(from one: [UInt8], to other: [UInt8], widthPx: Int) -> Part {
        var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
        for place in stride(from: 0, to: other.count, by: bandCount) where !isSame(one, other, place) {
            let (y, x) = (place / bandCount).quotientAndRemainder(dividingBy: widthPx)
            (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x), max(bottom, y))
        }
        guard right >= 0 else { return Part(1, 1) }
        var part = Part(right - left + 1, bottom - top + 1)
        (part.left, part.top) = (left, top)
        return part
    }

    private static func isSame(_ one: [UInt8], _ other: [UInt8], _ place: Int) -> Bool {
        one[place] == other[place] && one[place + 1] == other[place + 1] && one[place + 2] == other[place + 2]
    }

    /// A zlib stream of rows without filters.
    private static func compressed(_ pixels: ArraySlice<UInt8>, rowCount: Int) -> [UInt8]? {
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels.count + pixels.count / max(1, rowCount))
        for start in stride(from: pixels.startIndex, to: pixels.endIndex, by: rowCount) {
            rows.append(0)
            rows += pixels[start..<min(start + rowCount, pixels.endIndex)]
        }
        return PNGCoding.compressed(rows)
    }

    private static func words(_ numbers: Int...) -> [UInt8] {
        numbers.flatMap { PNGCoding.bigEndian(UInt32(clamping: $0)) }
    }
}
