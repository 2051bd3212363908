import Bytes
import Foundation
import MapRender
import Testing

/// Pictures on record, as PNG files that anyone can look at. They are written without compression, so comparing files is
/// comparing pixels. Record anew with `VEDUTA_RECORD_GOLDENS=1 swift test`, then look at what changed.
enum Golden {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens")

    static func check(_ map: RenderedMap, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let actual = png(map)
        let file = folder.appending(path: "\(name).png")
        if ProcessInfo.processInfo.environment["VEDUTA_RECORD_GOLDENS"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(actual).write(to: file)
        }
        let expected = try [UInt8](Data(contentsOf: file))
        guard actual != expected else { return }
        let seen = FileManager.default.temporaryDirectory.appending(path: "veduta-\(name).actual.png")
        try Data(actual).write(to: seen)
        Issue.record("\(name) differs from its golden picture; see \(seen.path)", sourceLocation: sourceLocation)
    }

    /// An RGB PNG of stored blocks.
    private static func png(_ map: RenderedMap) -> [UInt8] {
        var rows: [UInt8] = []
        map.pixels.withUnsafeBytes { octets in
            for row in 0..<map.heightPx {
                rows.append(0)
                for pixel in 0..<map.widthPx {
                    let start = (row * map.widthPx + pixel) * 4
                    rows += [octets[start], octets[start + 1], octets[start + 2]]
                }
            }
        }
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < rows.count {
            let end = min(start + 65535, rows.count)
            let length = UInt16(end - start)
            stream.append(end == rows.count ? 1 : 0)
            for number in [length, ~length] { stream += [UInt8(number & 255), UInt8(number >> 8)] }
            stream += rows[start..<end]
            start = end
        }
        stream += bigEndian(adler(rows))
        let header = bigEndian(UInt32(map.widthPx)) + bigEndian(UInt32(map.heightPx)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + chunk("IDAT", stream)
            + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(crc(body))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func adler(_ octets: [UInt8]) -> UInt32 {
        var (a, b) = (1 as UInt32, 0 as UInt32)
        for octet in octets {
            a = (a + UInt32(octet)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }

    private static func crc(_ octets: [UInt8]) -> UInt32 {
        let table = (0..<256 as Range<UInt32>).map { start in
            (0..<8).reduce(start) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xedb8_8320 }
        }
        return ~octets.reduce(0xffff_ffff as UInt32) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

extension RenderedMap {
    /// Red, green and blue of a pixel.
    func colour(x: Int, y: Int) -> [UInt8] {
        pixels.withUnsafeBytes { octets in Array(octets[((y * widthPx + x) * 4)..<((y * widthPx + x) * 4 + 3)]) }
    }

    /// All octets.
    var octets: [UInt8] { pixels.withUnsafeBytes { Array($0) } }
}
