// Written from ISO/IEC 15948 §7, §9 and §11 without a look at how the reader works, so that the two can disagree.

@testable import PNGCoding

/// A small PNG by its parts, and what its pixels are.
struct PlainPNG: CustomStringConvertible {
    /// Color type, bits and samples of a pixel (§11.2.2).
    private static let kinds = [
        (0, 1, 1), (0, 2, 1), (0, 4, 1), (0, 8, 1), (0, 16, 1), (2, 8, 3), (2, 16, 3), (3, 1, 1), (3, 2, 1), (3, 4, 1),
        (3, 8, 1), (4, 8, 2), (4, 16, 2), (6, 8, 4), (6, 16, 4),
    ]

    private let widthPx: Int
    private let heightPx: Int
    private let type: Int
    private let bits: Int
    private let samples: Int
    private let palette: [UInt8]
    private let transparency: [UInt8]
    /// Each a filter and its bytes.
    private let rows: [[UInt8]]

    init(_ input: inout FuzzInput) {
        (widthPx, heightPx) = (1 + Int(input.next() % 24), 1 + Int(input.next() % 8))
        (type, bits, samples) = Self.kinds[Int(input.next()) % Self.kinds.count]
        let colorCount = type == 3 ? 1 + Int(input.next()) : 0
        let alphaCount = type == 3 ? Int(input.next()) : 0
        palette = input.repeated(count: 3 * min(colorCount, 1 << bits))
        transparency = input.repeated(count: min(alphaCount, 1 << bits))
        let rowCount = 1 + (widthPx * samples * bits + 7) / 8
        let bytes = input.repeated(count: rowCount * heightPx)
        rows = (0..<heightPx).map { y in
            // A filter that does not exist comes rarely.
            var row = Array(bytes[(y * rowCount)..<((y + 1) * rowCount)])
            row[0] = row[0] < 250 ? row[0] % 5 : row[0]
            return row
        }
    }

    var description: String {
        "\(widthPx) x \(heightPx), type \(type), \(bits) bits, palette \(palette), \(transparency), rows \(rows)"
    }

    /// The file with its pixels in so many chunks; nil if memory is short.
    func file(pieceCount: Int) -> [UInt8]? {
        guard let stream = PNGCoding.compressed(rows.flatMap(\.self)) else { return nil }
        let header =
            PNGCoding.bigEndian(UInt32(widthPx)) + PNGCoding.bigEndian(UInt32(heightPx))
            + [UInt8(bits), UInt8(type), 0, 0, 0]
        var file = PNGCoding.signature + PNGCoding.chunk("IHDR", header)
        if type == 3 { file += PNGCoding.chunk("PLTE", palette) }
        if !transparency.isEmpty { file += PNGCoding.chunk("tRNS", transparency) }
        for piece in 0..<pieceCount {
            let range = (piece * stream.count / pieceCount)..<((piece + 1) * stream.count / pieceCount)
            file += PNGCoding.chunk("IDAT", Array(stream[range]))
        }
        return file + PNGCoding.chunk("IEND", [])
    }

    /// Samples as the reader gives them; nil if a row has no filter of the standard.
    func pixels() -> [UInt8]? {
        let distance = max(1, samples * bits / 8)
        var above = [UInt8](repeating: 0, count: rows[0].count - 1)
        var pixels: [UInt8] = []
        for stored in rows {
            var row = Array(stored.dropFirst())
            for index in row.indices {
                let left = index >= distance ? Int(row[index - distance]) : 0
                let corner = index >= distance ? Int(above[index - distance]) : 0
                guard let guess = Self.guess(stored[0], left: left, up: Int(above[index]), corner: corner) else {
                    return nil
                }
                row[index] = UInt8(truncatingIfNeeded: Int(row[index]) + guess)
            }
            above = row
            pixels += samples(of: row)
        }
        return pixels
    }

    /// §9.2 and §9.4.
    private static func guess(_ filter: UInt8, left: Int, up: Int, corner: Int) -> Int? {
        switch filter {
        case 0: return 0
        case 1: return left
        case 2: return up
        case 3: return (left + up) / 2
        case 4:
            let sum = left + up - corner
            let (a, b, c) = (abs(sum - left), abs(sum - up), abs(sum - corner))
            return a <= b && a <= c ? left : b <= c ? up : corner
        default: return nil
        }
    }

    private func samples(of row: [UInt8]) -> [UInt8] {
        if bits == 16 { return stride(from: 0, to: row.count, by: 2).flatMap { [row[$0 + 1], row[$0]] } }
        if bits == 8, type != 3 { return row }
        return (0..<widthPx).flatMap { x -> [UInt8] in
            let number = Int(row[x * bits / 8]) >> (8 - bits - x * bits % 8) & ((1 << bits) - 1)
            guard type == 3 else { return [UInt8(number * 255 / ((1 << bits) - 1))] }
            // What the standard calls an error (§11.2.2), decoders show as black.
            let color = number * 3 < palette.count ? Array(palette[(number * 3)..<(number * 3 + 3)]) : [0, 0, 0]
            let alpha = number < transparency.count ? transparency[number] : 255
            return color + (transparency.isEmpty ? [] : [alpha])
        }
    }
}
