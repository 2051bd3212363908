import CVips
import SeededRandom
import Testing

@testable import ImageEngine

extension EngineTests {
    /// The loops in resample.c against the same sums, one by one: halves have a loop of their own, and processors with wide
    /// registers another one.
    @Suite struct ResampleLoopTests {
        private static let bits = 14

        private func clamped(_ value: Int) -> Int { max(Int(Int16.min), min(Int(Int16.max), value)) }

        private func weighed(_ samples: [Int], _ weights: ArraySlice<Int16>) -> Int {
            let sum = zip(samples, weights).reduce(1 << (Self.bits - 1)) { $0 + $1.0 * Int($1.1) }
            return clamped(sum >> Self.bits)
        }

        /// Halves, also of odd counts and too short for a loop of their own; thirds, as many, and factors between.
        @Test(arguments: [
            (1024, 512), (1030, 515), (70, 35), (34, 17), (2, 1), (90, 30), (75, 75), (97, 30), (20, 90), (601, 200),
        ]) func sumsAreExact(_ limit: Int, _ total: Int) {
            let columns = ResampleAxis(span: 0..<Double(limit), limit: limit, total: total, window: 0..<total)
            let rows = ResampleAxis(span: 0..<24, limit: 24, total: 9, window: 0..<9)
            // At either end three results have weights of their own.
            let isHalf = limit == 2 * total && total >= 22
            #expect(columns.pairedResults.count == (isHalf ? total - 6 : 0))
            var random = SeededGenerator(state: 7)
            let samples = (0..<24).map { _ in
                // Noise of the most contrast goes beyond white and black.
                columns.source.map { _ in Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 255
                }
            }
            var plane = PlaneResampler(
                bands: 1, hasAlpha: false, horizontal: columns, vertical: rows, ringRowCount: rows.groupCount)
            for row in samples { plane.take(row) }
            for index in 0..<rows.count {
                let produced = plane.produce(index)
                let mine = (0..<total).map { Int(produced[$0]) }
                let first = Int(rows.starts[index])
                let tall = columns.source.indices.map { column in
                    weighed(
                        samples[first..<min(24, first + rows.taps)].map { Int($0[column]) << 6 },
                        rows.weights[(index * rows.taps)..<((index + 1) * rows.taps)])
                }
                let exact = (0..<total).map { result in
                    weighed(
                        Array(tall[Int(columns.starts[result])...]),
                        columns.weights[(result * columns.taps)..<((result + 1) * columns.taps)])
                }
                #expect(mine == exact, "row \(index)")
            }
        }

        /// By the equations of JFIF in 1/16384, for all that kernels make of samples, and no byte more.
        @Test(arguments: [1, 2]) func colorsAreExact(_ share: Int) {
            var random = SeededGenerator(state: 9)
            func plane(_ count: Int) -> [Int16] {
                (0..<count).map { _ in Int16.random(in: -20_000...32_767, using: &random) }
            }
            for count in Array(1...40) + [512] {
                let (luma, blue, red) = (plane(count), plane(count), plane(count))
                var pixels = [UInt8](repeating: 7, count: 3 * count + 16)
                cvips_narrow_ycc(luma, blue, red, count, Int32(share), &pixels)
                let exact = (0..<count).flatMap { index -> [UInt8] in
                    let y = Int(luma[index]) * 16_384 + 524_288
                    let b = clamped(Int(blue[index / share]) - 8192)
                    let r = clamped(Int(red[index / share]) - 8192)
                    return [y + 22_970 * r, y - 5638 * b - 11_700 * r, y + 29_032 * b].map { sum in
                        UInt8(max(0, min(255, sum >> 20)))
                    }
                }
                #expect(pixels == exact + [UInt8](repeating: 7, count: 16), "\(count) pixels")
            }
        }
    }
}
