import Colors
import SeededRandom
import Bytes
import Testing

@testable import Raster

@Suite(.timeLimit(.minutes(5))) struct RobustnessTests {
    private static let extremes: [Int32] = [
        .min, .max, 0, 1, -1, 255, 256, 64 << 8, (64 << 8) - 1, 1 << 28, -(1 << 28),
    ]

    private func scene(seed: UInt64, commandCount: Int, wild: Bool) -> DisplayList {
        var numbers = SeededGenerator(state: seed)
        var list = DisplayList()
        for _ in 0..<commandCount {
            var path = Path()
            for _ in 0..<numbers.within(0...4) {
                for _ in 0..<numbers.within(0...9) {
                    let coordinate = { (numbers: inout SeededGenerator) -> Int32 in
                        switch wild ? numbers.within(0...3) : 3 {
                        case 0: Self.extremes[numbers.within(0...(Self.extremes.count - 1))]
                        case 1: Int32(truncatingIfNeeded: numbers.next())
                        default: Int32(numbers.within(-2000...20000))
                        }
                    }
                    let x = coordinate(&numbers)
                    path.add(FixedPoint(x: x, y: coordinate(&numbers)))
                }
                path.endPart(closed: numbers.within(0...1) == 0)
            }
            let color = Color(
                rgb: UInt32(truncatingIfNeeded: numbers.next()), alpha: numbers.within(0...1) == 0 ? 255 : 90)
            switch numbers.within(0...3) {
            case 0: list.fill(path, .nonZero, .color(color))
            case 1: list.fill(path, .evenOdd, .color(color))
            default:
                let caps = [LineCap.butt, .round, .square]
                let joins = [LineJoin.miter, .round, .bevel]
                let widths: [Int32] = [0, 1, 300, 5000, .max, .min]
                let width = wild ? widths[numbers.within(0...5)] : Int32(numbers.within(60...3000))
                let dashes: [[Int32]] = [[], [], [900, 700], [300], [0, 0, 64], [-5, .max], [1, 2, 1, 70]]
                list.stroke(
                    path,
                    StrokeStyle(
                        width: width, cap: caps[numbers.within(0...2)], join: joins[numbers.within(0...2)],
                        miterLimit: wild ? [.nan, -1, 4, .infinity][numbers.within(0...3)] : 4,
                        dashes: dashes[numbers.within(0...6)]),
                    color: color)
            }
        }
        return list
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func wildInput_neverTraps(seed: UInt64) throws {
        for (widthPx, heightPx) in [(64, 64), (1, 1), (65, 3), (2, 200)] {
            let list = scene(seed: seed &* 977 &+ UInt64(widthPx), commandCount: 40, wild: true)
            let buffer = try Rasteriser.draw(list, widthPx: widthPx, heightPx: heightPx, background: .transparent)
            #expect(buffer.pixels.count == widthPx * heightPx * 4)
            // Premultiplied: no channel exceeds alpha.
            let isPremultiplied = buffer.pixels.withUnsafeBytes { bytes in
                bytes.indices.allSatisfy { bytes[$0] <= bytes[$0 | 3] }
            }
            #expect(isPremultiplied)
        }
    }

    /// The recorded value is of a picture that was looked at; it holds for every CPU.
    @Test func scene_hasTheRecordedPixels() throws {
        let list = scene(seed: 2026, commandCount: 25, wild: false)
        let buffer = try Rasteriser.draw(list, widthPx: 80, heightPx: 80, background: Color(rgb: 0xf4f1ea))
        #expect(buffer.fingerprint == 6_414_038_842_414_692_399)
    }
}
