import Bytes
import Glibc
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct ResamplerTests {
        @Test func weightsAlwaysSumToOneAndStayInside() {
            for limit in [1, 2, 3, 5, 7, 16, 33, 100, 1001] {
                for total in [1, 2, 3, 6, 10, 31, 200, 2003] {
                    for shift in [0, 0.25, 0.5] where shift < Double(limit) {
                        let axis = ResampleAxis(
                            span: shift..<Double(limit), limit: limit, total: total, window: 0..<total)
                        #expect(axis.count == total)
                        #expect(axis.source.lowerBound >= 0 && axis.source.upperBound <= limit)
                        for result in 0..<total {
                            let weights = axis.weights[(result * axis.taps)..<((result + 1) * axis.taps)]
                            let start = Int(axis.starts[result])
                            #expect(weights.reduce(0) { $0 + Int($1) } == ResampleAxis.unit)
                            #expect(start >= 0)
                            for (tap, weight) in weights.enumerated() where weight != 0 {
                                #expect(start + tap < axis.groupCount)
                            }
                        }
                        #expect(zip(axis.starts, axis.starts.dropFirst()).allSatisfy { $0 <= $1 })
                    }
                }
            }
        }

        /// A wave of a tenth of a period per sample. The mean of two lets cos(π/10) of it through, 0.951.
        @Test func whatADecoderTookFromDetail_isGivenBackInPart() {
            func response(mean: Int) -> Double {
                let axis = ResampleAxis(span: 0..<250, limit: 250, total: 100, window: 0..<100, mean: mean)
                let place = 50
                return (0..<axis.taps).reduce(0) { sum, tap in
                    let position = Double(Int(axis.starts[place]) + tap) + 0.5 - (Double(place) + 0.5) * 2.5
                    return sum + Double(axis.weights[place * axis.taps + tap]) * cos(position * .pi / 5)
                } / Double(ResampleAxis.unit)
            }
            let gain = response(mean: 2) / response(mean: 1)
            #expect((1.002...1.004).contains(gain), "\(gain)")
            #expect(response(mean: 4) > response(mean: 2))
        }

        @Test func aWindowHasTheWeightsOfTheWhole() {
            let whole = ResampleAxis(span: 0..<100, limit: 100, total: 37, window: 0..<37)
            let part = ResampleAxis(span: 0..<100, limit: 100, total: 37, window: 10..<20)
            #expect(part.count == 10)
            #expect(part.source.count < whole.source.count)
            for result in 0..<10 {
                let mine = Array(part.weights[(result * part.taps)..<((result + 1) * part.taps)]).filter { $0 != 0 }
                let full = whole.weights[((result + 10) * whole.taps)..<((result + 11) * whole.taps)].filter { $0 != 0 }
                #expect(mine == full)
            }
        }

        /// Places that repeat share their weights; alone, each result computes its own.
        @Test(arguments: [200, 250, 175, 300]) func resultsAtTheSamePlaceHaveTheirOwnWeights(_ limit: Int) {
            func axis(_ window: Range<Int>) -> ResampleAxis {
                ResampleAxis(span: 0..<Double(limit), limit: limit, total: 100, window: window)
            }
            func weights(_ axis: ResampleAxis, _ result: Int) -> [Int: Int16] {
                let first = axis.source.lowerBound + Int(axis.starts[result])
                return (0..<axis.taps).reduce(into: [:]) { found, tap in
                    let weight = axis.weights[result * axis.taps + tap]
                    if weight != 0 { found[first + tap] = weight }
                }
            }
            let whole = axis(0..<100)
            for result in 0..<100 {
                #expect(weights(whole, result) == weights(axis(result..<(result + 1)), 0), "\(result)")
            }
        }

        @Test func anEvenAreaKeepsItsValueAtEverySize() throws {
            let source = try picture(97, 61, .png) { _, _ in [13, 200, 77, 255] }
            for query in ["width=1", "width=5&height=60&fit=fill", "width=30", "width=96", "width=300&enlarge=1"] {
                let image = try Decoded(render(source, query).content)
                #expect(
                    stride(from: 0, to: image.samples.count, by: 3).allSatisfy {
                        Array(image.samples[$0..<($0 + 3)]) == [13, 200, 77]
                    })
            }
        }

        @Test func sameSizeIsACopy() throws {
            for source in try [texture(73, 41, .png), texture(73, 41, .jpeg)] {
                let whole = try Decoded(source)
                #expect(try Decoded(render(source).content).samples == whole.samples)
                let part = try Decoded(render(source, "crop=11,7,40,29").content)
                #expect(part.widthPx == 40 && part.heightPx == 29)
                for (x, y) in [(0, 0), (39, 0), (0, 28), (39, 28), (17, 13)] {
                    #expect(part[x, y] == whole[x + 11, y + 7], "\(x), \(y)")
                }
            }
            let alpha = try picture(20, 20, .png) { x, y in [0, 0, 0, UInt8(x * 12)] }
            #expect(try Decoded(render(alpha).content).samples == Decoded(alpha).samples)
        }

        /// Against the kernel worked out in floating point, for a picture without box shrinking.
        @Test func resultsAreThoseOfTheKernel() throws {
            let source = try texture(90, 50, .png)
            let pixels = try Decoded(source)
            let image = try Decoded(render(source, "width=37&height=21&fit=fill").content)
            func kernel(_ x: Double) -> Double {
                if abs(x) >= 3 { return 0 }
                if abs(x) < 1e-9 { return 1 }
                let a = Double.pi * x
                return 3 * _sin(a) * _sin(a / 3) / (a * a)
            }
            func axis(_ index: Int, _ limit: Int, _ total: Int) -> [Double] {
                let scale = Double(limit) / Double(total)
                let centre = (Double(index) + 0.5) * scale
                let weights = (0..<limit).map { kernel((Double($0) + 0.5 - centre) / scale) }
                let sum = weights.reduce(0, +)
                return weights.map { $0 / sum }
            }
            let columns = (0..<37).map { axis($0, 90, 37) }
            for y in stride(from: 0, to: 21, by: 4) {
                let rows = axis(y, 50, 21)
                for x in stride(from: 0, to: 37, by: 3) {
                    for band in 0..<3 {
                        var sum = 0.0
                        for v in 0..<50 where rows[v] != 0 {
                            for u in 0..<90 where columns[x][u] != 0 {
                                sum += rows[v] * columns[x][u] * Double(pixels[u, v][band])
                            }
                        }
                        #expect(abs(min(255, max(0, sum)) - Double(image[x, y][band])) <= 1)
                    }
                }
            }
        }

        private func _sin(_ x: Double) -> Double {
            // Enough of the series for arguments of the kernel.
            var term = x
            var sum = x
            for index in 1..<40 {
                term *= -x * x / Double((2 * index) * (2 * index + 1))
                sum += term
            }
            return sum
        }

        @Test func boxedShrinkingStaysCloseToTheMean() throws {
            let source = try picture(640, 640, .png) { x, y in
                (x + y) % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]
            }
            let image = try Decoded(render(source, "width=40").content)
            #expect(image.samples.allSatisfy { abs(Int($0) - 128) <= 2 })
        }

        @Test func sumsOfVeryTallGroupsFit() throws {
            #expect(ResampleAxis(span: 0..<1e8, limit: 100_000_000, total: 1, window: 0..<1).box == 65536)
            try engineStart.get()
            // White and 300,000 rows tall: a group of half of them would not fit 32 bits.
            let rows = 300_000
            let source = try VipsImage(
                premultiplied: SharedBytes([UInt8](repeating: 255, count: rows * 4)), widthPx: 1, heightPx: rows)
            let one = PixelSize(widthPx: 1, heightPx: 1)
            let image = try source.resampled(to: one, window: PixelRect(covering: one), in: RenderContext())
            let strip = try RowSource(image).strip(left: 0, top: 0, width: 1, height: 1)
            #expect(Array(UnsafeBufferPointer(start: strip.first, count: 3)) == [255, 255, 255])
        }

        @Test func extractsKeepTheirPlaceInAShrunkPicture() {
            #expect(Decoding.span(1001, 2000, scale: 1 / 2, limit: 2000) == 500.5..<1500.5)
            #expect(Decoding.span(3999, 1, scale: 1 / 8, limit: 500) == 499.5..<500)
            // libjpeg rounds up: the last column stands for fewer.
            #expect(Decoding.span(0, 1603, scale: 1 / 8, limit: 201) == 0..<200.375)
            #expect(Decoding.span(0, 10, scale: 1, limit: 10) == 0..<10)
        }

        @Test func loadShrinkLeavesAFactorOfTwo() {
            #expect(
                [1, 1.99, 3.99, 4, 7.9, 8, 15, 16, 100].map { Decoding.loadShrink(limit: $0) } == [
                    1, 1, 1, 2, 2, 4, 4, 8, 8,
                ])
        }
    }
}
