import Bytes
import CVips
import Colors
import Glibc
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Pictures of 16 bits.
    @Suite struct DepthTests {
        /// A picture whose samples are between those of 8 bits.
        private func deep(
            _ widthPx: Int, _ heightPx: Int, _ bands: Int, _ format: OutputFormat = .png,
            _ level: (Int, Int, Int) -> UInt16
        ) throws -> SharedBytes {
            try engineStart.get()
            let count = widthPx * heightPx * bands
            guard let memory = malloc(count * 2) else { throw ImageError.operationFailed(log: "") }
            let samples = memory.bindMemory(to: UInt16.self, capacity: count)
            for index in 0..<count {
                let pixel = index / bands
                samples[index] = level(pixel % widthPx, pixel / widthPx, index % bands)
            }
            let image = try VipsImage.made({ .operationFailed(log: $0) }) { out, error in
                cvips_adopt_pixels(
                    memory, Int32(widthPx), Int32(heightPx), Int32(bands), 2, bands < 3 ? CVIPS_GREY : CVIPS_RGB, out,
                    error)
            }
            return try image.encoded(as: format, in: RenderContext())
        }

        /// Samples of 16 bits; nil where the picture has 8.
        private func samples(_ content: SharedBytes) throws -> [UInt16]? {
            let opened = try Source(content, limits: ImageLimits())
            guard opened.image.is16Bit else { return nil }
            let buffer = try PixelBuffer(opened.image, in: RenderContext())
            return (0..<buffer.size.heightPx).flatMap { y in
                (0..<(buffer.size.widthPx * buffer.bands)).map { index in
                    buffer.row(y)?.load(fromByteOffset: index * 2, as: UInt16.self) ?? 0
                }
            }
        }

        @Test(arguments: [OutputFormat.png, .tiff], [1, 2, 3, 4])
        func depthStaysWhereItIsAskedFor(_ format: OutputFormat, _ bands: Int) throws {
            let source = try deep(64, 48, bands) { x, y, band in
                band == bands - 1 && bands % 2 == 0 ? 65535 : UInt16(1000 * x + 7 * y + band * 13)
            }
            let whole = try #require(try samples(source))
            #expect(try samples(carryOut([], on: source, format: format)) == whole)
            #expect(try samples(carryOut([], on: source, format: format, isNamed: false)) == nil)
            let size = PixelSize(widthPx: 32, heightPx: 24)
            let small = try #require(try samples(carryOut([.resize(size)], on: source, output: size, format: format)))
            // On a ramp every sample of the half size is the mean of four.
            for (x, y) in [(10, 10), (16, 12), (25, 18)] {
                let index = (y * 32 + x) * bands
                let mean = 1000.0 * (Double(2 * x) + 0.5) + 7 * (Double(2 * y) + 0.5)
                #expect(abs(Double(small[index]) - mean) < 3)
            }
            #expect(try samples(carryOut([.resize(size)], on: source, output: size, format: .webp)) == nil)
        }

        /// #15.17. Alternating rows of white and black, opaque or half as opaque where there is alpha: half of the light is 0.735 of
        /// the samples, and two thirds of it, as white counts twice, are 0.836.
        @Test(arguments: [1, 2, 3, 4], [OutputFormat.png, .tiff])
        func linearLightHoldsFor16Bits(_ bands: Int, _ format: OutputFormat) throws {
            let hasAlpha = bands % 2 == 0
            let source = try deep(64, 64, bands, format) { _, y, band in
                hasAlpha && band == bands - 1 ? (y % 2 == 0 ? 65534 : 32767) : y % 2 == 0 ? 65535 : 0
            }
            func small(isLinear: Bool) throws -> (middle: [UInt16], cost: Int) {
                let image = try ImageEngine.render(
                    RenderSources(source),
                    request: ImageRequest.parse(QueryItems.parse("id=x&height=32&format=\(format.rawValue)")),
                    accepting: Acceptance(only: format),
                    in: RenderContext(options: RenderOptions(usesLinearLight: isLinear)))
                let all = try #require(try samples(image.content))
                return (Array(all[(all.count / 2)..<(all.count / 2 + bands)]), image.report.cost.microseconds)
            }
            let (linear, cost) = try small(isLinear: true)
            let (encoded, usual) = try small(isLinear: false)
            for (band, (light, code)) in zip(linear, encoded).enumerated() {
                let isAlpha = hasAlpha && band == bands - 1
                let expected = isAlpha ? (0.75, 0.75) : hasAlpha ? (0.8361, 0.6667) : (0.7354, 0.5)
                #expect(abs(Double(light) / 65535 - expected.0) < 0.001, "\(band): \(linear)")
                #expect(abs(Double(code) / 65535 - expected.1) < 0.001, "\(band): \(encoded)")
            }
            #expect(cost > usual, "it is paid for")
        }

        /// An even area keeps its samples, down to the darkest.
        @Test func evenAreasKeepTheirSamplesInLinearLight() throws {
            for level in [UInt16(0), 1, 2, 77, 2650, 2651, 32768, 65534, 65535] {
                let source = try deep(40, 40, 1) { _, _, _ in level }
                let request = try ImageRequest.parse(QueryItems.parse("id=x&width=13&format=png"))
                let image = try ImageEngine.render(
                    RenderSources(source), request: request, accepting: Acceptance(only: .png),
                    in: RenderContext(options: RenderOptions(usesLinearLight: true)))
                let all = try #require(try samples(image.content))
                #expect(all.allSatisfy { abs(Int($0) - Int(level)) <= 1 }, "\(level): \(Set(all))")
            }
        }

        @Test func stepsWorkIn16Bits() throws {
            let source = try deep(60, 60, 3) { _, _, band in [1001, 20003, 60007][band] }
            let canvas = PixelSize(widthPx: 100, heightPx: 100)
            let mark = try picture(10, 10, .png) { _, _ in [255, 255, 255, 255] }
            let steps: [ImageStep] = [
                .orient(Orientation(isMirrored: true, quarterTurns: 1)),
                .pad(canvas: PixelSize(widthPx: 70, heightPx: 70), x: 5, y: 5, background: .white),
                .rotate(degrees: 30, canvas: canvas, background: .transparent), .overlay(Overlay(id: "m", x: 20)),
                .mask(.circle), .flatten(Color(red: 255, green: 0, blue: 0)),
            ]
            let content = try carryOut(steps, on: source, output: canvas, overlay: mark, look: "deep")
            let result = try #require(try samples(content))
            #expect(Array(result[(50 * 100 + 50) * 3..<(50 * 100 + 50) * 3 + 3]) == [1001, 20003, 60007])
            #expect(Array(result[0..<3]) == [65535, 0, 0])
            #expect(Array(result[(50 * 100 + 70) * 3..<(50 * 100 + 70) * 3 + 3]) == [65535, 65535, 65535])
        }

        @Test(arguments: [ImageFilter.grayscale, .brightness(10), .blur(sigma: 2), .invert, .sharpen(sigma: 1)])
        func filtersKeepTheDepth(_ filter: ImageFilter) throws {
            let source = try deep(40, 40, 4) { x, y, band in band == 3 ? 65535 : UInt16(20000 + 300 * x + y) }
            let result = try #require(try samples(carryOut([.filter(filter)], on: source)))
            #expect(Set(result.map { $0 % 257 }).count > 20)
        }

        @Test func wideColorsKeepTheDepth() throws {
            let source = try deep(64, 8, 3) { x, _, band in UInt16(band == 0 ? 65535 : x * 1000) }
            let wide = try carryOut([], on: source, profile: .p3)
            let result = try #require(try samples(wide))
            // Red of sRGB is (0.9175, 0.2003, 0.1386) in Display P3; the curves of the built-in profiles are short.
            for (sample, expected) in zip(result, [0.9175, 0.2003, 0.1386]) {
                #expect(abs(Double(sample) / 65535 - expected) < 0.006)
            }
            let back = try #require(try samples(carryOut([], on: wide)))
            let whole = try #require(try samples(source))
            // Where light is least, the short curves are steep.
            let bright = zip(back, whole).filter { $1 > 20000 }
            #expect(bright.allSatisfy { abs(Int($0) - Int($1)) < 1000 })
        }

        @Test(.enabled(if: Shared.isPresent)) func aRealDeepPhotographComesThrough() throws {
            let photo = try Shared.read("images/photo1_16bit.tif")
            let rendered = try render(photo, "width=100&format=png")
            #expect(try samples(rendered.content) != nil)
            #expect(try samples(render(photo, "width=100&format=jpeg", .jpeg).content) == nil)
        }
    }
}
