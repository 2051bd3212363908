@testable import PNGCoding

/// Writes PNG files of every kind, each row by the filter that is asked for: by the letter of ISO/IEC 15948 §9, without
/// regard for speed.
struct PNGWriter {
    var widthPx: Int
    var heightPx: Int
    var bits: Int
    var type: PNGCoding.ColorType
    var palette: [UInt8] = []
    var transparency: [UInt8] = []
    /// Bytes of each IDAT chunk.
    var chunkCount = 1 << 20

    var rowCount: Int { (widthPx * type.bandCount * bits + 7) / 8 }

    /// The file of packed rows; `filter` says which one a row takes.
    func file(_ rows: [UInt8], filter: (Int) -> Int) -> [UInt8] {
        let pixel = max(1, type.bandCount * bits / 8)
        var filtered: [UInt8] = []
        for y in 0..<heightPx {
            let number = filter(y)
            filtered.append(UInt8(clamping: number))
            for x in 0..<rowCount {
                func sample(_ x: Int, _ y: Int) -> Int { x < 0 || y < 0 ? 0 : Int(rows[y * rowCount + x]) }
                let (left, above, corner) = (sample(x - pixel, y), sample(x, y - 1), sample(x - pixel, y - 1))
                let guess =
                    switch number {
                    case 1: left
                    case 2: above
                    case 3: (left + above) / 2
                    case 4: Self.nearest(left, above, corner)
                    default: 0
                    }
                filtered.append(UInt8(truncatingIfNeeded: sample(x, y) - guess))
            }
        }
        return file(filtered: filtered)
    }

    /// The file of rows that are filtered already.
    func file(filtered: [UInt8]) -> [UInt8] {
        var file = PNGCoding.signature
        let size = PNGCoding.bigEndian(UInt32(widthPx)) + PNGCoding.bigEndian(UInt32(heightPx))
        file += PNGCoding.chunk("IHDR", size + [UInt8(bits), type.rawValue, 0, 0, 0])
        if !palette.isEmpty { file += PNGCoding.chunk("PLTE", palette) }
        if !transparency.isEmpty { file += PNGCoding.chunk("tRNS", transparency) }
        let stream = PNGCoding.compressed(filtered) ?? []
        for start in stride(from: 0, to: stream.count, by: chunkCount) {
            file += PNGCoding.chunk("IDAT", Array(stream[start..<min(stream.count, start + chunkCount)]))
        }
        return file + PNGCoding.chunk("IEND", [])
    }

    private static func nearest(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let guess = left + above - corner
        let (toLeft, toAbove, toCorner) = (abs(guess - left), abs(guess - above), abs(guess - corner))
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }
}
