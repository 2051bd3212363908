import Colors
import SeededRandom
import Bytes
import Testing

@testable import Raster

/// Black on transparent, so that alpha is coverage.
struct Drawing {
    var list = DisplayList()
    var path = Path()
    var widthPx = 64
    var heightPx = 64

    static let ink = Color(rgb: 0)

    /// Adds a part through pixel coordinates.
    mutating func add(_ places: [(Double, Double)], closed: Bool = false) {
        addPoints(places)
        path.endPart(closed: closed)
    }

    mutating func addPoints(_ places: [(Double, Double)]) {
        for (x, y) in places { path.add(FixedPoint(x: Int32(x * 256), y: Int32(y * 256))) }
    }

    /// Hands the parts added so far to the list.
    mutating func takeParts() -> PartRange {
        defer { path = Path() }
        return list.add(path)
    }

    mutating func fill(_ rule: FillRule, color: Color) { list.fill(takeParts(), rule, .color(color)) }

    mutating func stroke(_ style: StrokeStyle, color: Color) { list.stroke(takeParts(), style, color: color) }

    /// The alpha of every pixel.
    func coverage() throws -> [UInt8] {
        let buffer = try Rasteriser.draw(list, widthPx: widthPx, heightPx: heightPx, background: .transparent)
        return buffer.pixels.withUnsafeBytes { bytes in stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } }
    }

    /// The painted area in pixels.
    func area() throws -> Double { try coverage().reduce(0.0) { $0 + Double($1) / 255 } }

    /// Drawing ends when it is told to stop, at each of these questions whether it shall.
    func expectStops(at questions: Range<Int>) {
        for limit in questions {
            var asked = 0
            #expect(throws: RasterError.cancelled) {
                _ = try Rasteriser.draw(list, widthPx: widthPx, heightPx: heightPx, background: .transparent) {
                    asked += 1
                    return asked > limit
                }
            }
        }
    }
}

extension PixelBuffer {
    /// FNV-1a over all bytes.
    var fingerprint: UInt64 {
        pixels.withUnsafeBytes { bytes in
            bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
    }
}

extension SeededGenerator {
    mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }
}
