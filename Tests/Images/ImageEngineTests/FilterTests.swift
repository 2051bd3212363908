import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct FilterTests {
        private func sources() throws -> [SharedBytes] {
            let color = try texture(60, 40, .png)
            let alpha = try picture(60, 40, .png) { x, y in
                let opacity = UInt8(x * 4)
                return [opacity / 2, opacity / 3, 0, opacity]
            }
            return [
                color, alpha, try render(color, "filter=grayscale").content,
                try render(alpha, "filter=grayscale").content,
            ]
        }

        @Test(arguments: [
            "grayscale", "blur:2", "sharpen", "sharpen:2", "brightness:30", "contrast:-40", "contrast:100",
        ])
        func everyFilterKeepsSizeAndAlphaOfEveryKindOfPicture(_ filter: String) throws {
            for source in try sources() {
                let before = try Decoded(source)
                let after = try Decoded(render(source, "filter=\(filter)").content)
                #expect([after.widthPx, after.heightPx] == [before.widthPx, before.heightPx])
                #expect(after.bands % 2 == before.bands % 2)
                guard before.bands % 2 == 0, !filter.hasPrefix("blur") else { continue }
                for x in [0, 10, 30, 59] { #expect(after[x, 20].last == before[x, 20].last) }
            }
        }

        @Test func grayscaleHasOneBand() throws {
            let image = try Decoded(render(try corners(), "filter=grayscale").content)
            #expect(image.bands == 1)
            #expect(try Decoded(render(try corners(), "filter=grayscale", .jpeg).content).bands == 1)
        }

        @Test func brightnessAndContrastGoTheirWay() throws {
            let source = try picture(16, 16, .png) { x, _ in x < 8 ? [100, 100, 100, 255] : [180, 180, 180, 255] }
            func values(_ filter: String) throws -> [Int] {
                let image = try Decoded(render(source, "filter=\(filter)").content)
                return [Int(image[2, 2][0]), Int(image[14, 2][0])]
            }
            #expect(try values("brightness:100") == [255, 255])
            #expect(try values("brightness:-100") == [0, 0])
            #expect(try values("contrast:-100").allSatisfy { abs($0 - 127) <= 1 })
            let strong = try values("contrast:50")
            #expect(strong[0] < 100 && strong[1] > 180)
        }

        @Test func blurSpreadsAndSharpenSteepensAnEdge() throws {
            let source = try picture(64, 8, .png) { x, _ in x < 32 ? [60, 60, 60, 255] : [180, 180, 180, 255] }
            let blurred = try Decoded(render(source, "filter=blur:4").content)
            #expect(blurred[28, 4][0] > 65 && blurred[35, 4][0] < 175)
            let soft = try render(source, "filter=blur:1.5").content
            let sharp = try Decoded(render(soft, "filter=sharpen:1.5").content)
            let before = try Decoded(soft)
            let steps = { (image: Decoded) in
                (0..<63).map { Int(image[$0 + 1, 4][0]) - Int(image[$0, 4][0]) }.max() ?? 0
            }
            #expect(steps(sharp) > steps(before))
        }

        @Test func filtersApplyInOrder() throws {
            let source = try picture(16, 16, .png) { _, _ in [100, 100, 100, 255] }
            let one = try Decoded(render(source, "filter=brightness:100,brightness:-50").content)
            let two = try Decoded(render(source, "filter=brightness:-50,brightness:100").content)
            #expect(one[3, 3][0] < 135)
            #expect(two[3, 3][0] == 255)
        }

        /// The blur on the picture itself; colors premultiplied, so that what cannot be seen does not count.
        private func direct(_ source: SharedBytes, sigma: Double) throws -> Decoded {
            let image = try Source.load(source, .png, shrink: 1).readable()
            return try Decoded(
                image.blurred(by: GaussianKernel(sigma: sigma), in: RenderContext())
                    .encoded(as: .png, in: RenderContext()))
        }

        @Test(arguments: [8.5, 12, 20, 33, 70, 100], [(240, 170), (31, 400), (5, 3)])
        func wideBlursLookLikeTheDirectOne(_ sigma: Double, _ size: (Int, Int)) throws {
            let sources = [
                try texture(size.0, size.1, .png),
                try picture(size.0, size.1, .png) { x, y in
                    x > y ? [255, 255, 255, 255] : (x < 3 ? [0, 0, 200, 255] : [10, 0, 0, 255])
                },
                try picture(size.0, size.1, .png) { x, y in
                    x * 2 > size.0 ? [0, 0, 0, 0] : (y < 40 ? [200, 100, 0, 255] : [60, 60, 60, 128])
                },
            ]
            for source in sources {
                let expected = try direct(source, sigma: sigma)
                let actual = try Decoded(render(source, "filter=blur:\(sigma)").content)
                #expect([actual.widthPx, actual.heightPx, actual.bands] == [size.0, size.1, expected.bands])
                var (sum, worst) = (0, 0)
                for (one, two) in zip(visible(actual), visible(expected)) {
                    sum += abs(one - two)
                    worst = max(worst, abs(one - two))
                }
                let mean = Double(sum) / Double(expected.samples.count)
                #expect(mean < 1 && worst <= 4, "\(mean) on average, \(worst) at worst")
            }
        }

        private func visible(_ image: Decoded) -> [Int] {
            guard image.bands % 2 == 0 else { return image.samples.map { Int($0) } }
            return image.samples.indices.map { index in
                let alpha = Int(image.samples[index / image.bands * image.bands + image.bands - 1])
                return index % image.bands == image.bands - 1 ? alpha : (Int(image.samples[index]) * alpha + 127) / 255
            }
        }

        /// Against the kernel worked out in floating point.
        @Test(arguments: [0.1, 0.5, 1, 3, 8], [(23, 17), (3, 40), (1, 1)])
        func blursAreThoseOfTheBell(_ sigma: Double, _ size: (Int, Int)) throws {
            let source = try texture(size.0, size.1, .png)
            let pixels = try Decoded(source)
            let image = try Decoded(render(source, "filter=blur:\(sigma)").content)
            let kernel = GaussianKernel(sigma: sigma)
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    var sums = [0.0, 0, 0]
                    for v in -kernel.reach...kernel.reach {
                        for u in -kernel.reach...kernel.reach {
                            let weight = kernel.weights[abs(u)] * kernel.weights[abs(v)]
                            let pixel = pixels[min(max(0, x + u), size.0 - 1), min(max(0, y + v), size.1 - 1)]
                            for band in 0..<3 { sums[band] += weight * Double(pixel[band]) }
                        }
                    }
                    #expect(zip(sums, image[x, y]).allSatisfy { abs($0 - Double($1)) <= 1 })
                }
            }
        }

        @Test func blursLeaveAnEvenAreaAsItIs() throws {
            let source = try picture(30, 20, .png) { x, _ in x < 15 ? [190, 255, 125, 255] : [190, 255, 1, 255] }
            for sigma in [0.9, 1.3, 2.5, 3, 3.3, 4.7, 6.7, 12, 33, 70] {
                let image = try Decoded(render(source, "filter=blur:\(sigma)").content)
                #expect(stride(from: 0, to: image.samples.count, by: 3).allSatisfy { image.samples[$0] == 190 })
                #expect(stride(from: 1, to: image.samples.count, by: 3).allSatisfy { image.samples[$0] == 255 })
            }
        }

        @Test func gridsOfWideBlursFitThePicture() {
            for sigma in [8.1, 12, 50, 99.9, 1600] {
                for size in [PixelSize(widthPx: 1, heightPx: 1), PixelSize(widthPx: 2000, heightPx: 1501)] {
                    let grid = ReducedGrid(size: size, sigma: sigma)
                    #expect(grid.window.size == size && grid.window.x == grid.marginPx)
                    #expect(grid.extended.widthPx == grid.reduced.widthPx * grid.factor)
                    #expect(grid.extended.heightPx == grid.reduced.heightPx * grid.factor)
                    #expect(grid.extended.heightPx - size.heightPx - grid.marginPx >= grid.marginPx)
                    #expect(Double(grid.marginPx) >= sigma * 1.79 && sigma / Double(grid.factor) >= 4)
                    let variance = grid.reducedKernel.variance * Double(grid.factor * grid.factor)
                    #expect(abs(variance / GaussianKernel(sigma: sigma).variance - 1) < 0.03)
                }
            }
        }
    }
}
