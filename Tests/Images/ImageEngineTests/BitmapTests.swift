import Bytes
import CVips
import ImagePlan
import SeededRandom
import Testing

@testable import ImageEngine

/// A header of 40 bytes, palette or masks, and pixels.
private func device(
    _ widthPx: Int, _ heightPx: Int, bits: Int, method: Int = 0, table: [UInt8] = [], colorCount: Int = 0,
    _ pixels: [UInt8]
) -> [UInt8] {
    var input: [UInt8] = []
    for value in [40, widthPx, heightPx] { input += little(value, 4) }
    input += little(1, 2) + little(bits, 2)
    for value in [method, pixels.count, 2835, 2835, colorCount, 0] { input += little(value, 4) }
    return input + table + pixels
}

private func file(_ device: [UInt8], pixelOffset: Int) -> SharedBytes {
    SharedBytes(Array("BM".utf8) + little(14 + device.count, 4) + little(0, 4) + little(14 + pixelOffset, 4) + device)
}

private let palette: [UInt8] = [0, 0, 255, 0, 0, 160, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]

extension EngineTests {
    @Suite struct BitmapTests {
        /// Two rows of three pixels: red, green, blue over white, red, green.
        private let expected: [UInt8] = [255, 0, 0, 0, 160, 0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 160, 0]

        @Test func everyDepthShowsTheSamePicture() throws {
            let eight: [UInt8] = [3, 0, 1, 0, 0, 1, 2, 0]
            let four: [UInt8] = [0x30, 0x10, 0, 0, 0x01, 0x20, 0, 0]
            let lower: [UInt8] = [255, 255, 255, 0, 0, 255, 0, 160, 0, 0, 0, 0]
            let upper: [UInt8] = [0, 0, 255, 0, 160, 0, 255, 0, 0, 0, 0, 0]
            let deep: [UInt8] = lower + upper
            var full: [UInt8] = []
            for start in [0, 3, 6, 12, 15, 18] { full += deep[start..<(start + 3)] + [0] }
            func colored(_ heightPx: Int, _ bits: Int, _ method: Int, _ pixels: [UInt8]) -> [UInt8] {
                device(3, heightPx, bits: bits, method: method, table: palette, colorCount: 4, pixels)
            }
            let runs: [UInt8] = [0, 3, 3, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 2, 0, 0, 0, 1]
            let halfRuns: [UInt8] = [0, 3, 0x30, 0x10, 0, 0, 3, 0x01, 0, 2, 0, 0, 0, 0, 0, 1]
            let cases: [[UInt8]] = [
                colored(2, 8, 0, eight), colored(2, 4, 0, four), colored(-2, 8, 0, Array(eight[4...] + eight[..<4])),
                colored(2, 8, 1, runs), colored(2, 4, 2, halfRuns),
            ]
            for (index, input) in cases.enumerated() {
                let decoded = try Decoded(file(input, pixelOffset: 56))
                // The second encoding of runs says less about its last row.
                if index < 4 { #expect(decoded.samples == expected, "\(index)") }
                #expect([decoded.widthPx, decoded.heightPx, decoded.bands] == [3, 2, 3])
            }
            #expect(try Decoded(file(device(3, 2, bits: 24, deep), pixelOffset: 40)).samples == expected)
            #expect(try Decoded(file(device(3, 2, bits: 32, full), pixelOffset: 40)).samples == expected)
            let words: [Int] = [0x7fff, 0x7c00, 0x0280, 0, 0x7c00, 0x0280, 0x001f, 0]
            let sixteen: [UInt8] = words.flatMap { little($0, 2) }
            let coarse = try Decoded(file(device(3, 2, bits: 16, sixteen), pixelOffset: 40))
            #expect(zip(coarse.samples, expected).allSatisfy { abs(Int($0) - Int($1)) <= 5 })
        }

        @Test func masksNameAlpha() throws {
            let words: [Int] = [0xff00_0000, 0x00ff_0000, 0x0000_ff00, 0x0000_00ff]
            let masks: [UInt8] = words.flatMap { little($0, 4) }
            let input = device(1, 1, bits: 32, method: 6, table: masks, [128, 30, 20, 10])
            let decoded = try Decoded(file(input, pixelOffset: 56))
            #expect(decoded.samples == [10, 20, 30, 128])
        }

        @Test func anIconIsItsLargestPicture() throws {
            // One white pixel, masked out, and a red one beside it.
            let small = device(1, 2, bits: 24, [9, 9, 9, 0, 0, 0, 0, 0])
            let large = device(2, 2, bits: 24, [255, 255, 255, 0, 0, 255, 0, 0, 0x80, 0, 0, 0])
            func entry(_ side: UInt8, _ input: [UInt8], at offset: Int) -> [UInt8] {
                [side, 1, 0, 0, 1, 0, 24, 0] + little(input.count, 4) + little(offset, 4)
            }
            var input: [UInt8] = [0, 0, 1, 0, 2, 0]
            input += entry(1, small, at: 38)
            input += entry(2, large, at: 38 + small.count)
            input += small
            input += large
            let icon = SharedBytes(input)
            let header = try ImageEngine.probe(icon, limits: ImageLimits())
            #expect(header.format == .ico && header.hasAlpha)
            #expect(try Decoded(icon).samples == [255, 255, 255, 0, 255, 0, 0, 255])
            let png = try texture(20, 10, .png).array
            var modernBytes: [UInt8] = [0, 0, 1, 0, 1, 0]
            modernBytes += entry(20, png, at: 22)
            modernBytes += png
            let modern = SharedBytes(modernBytes)
            #expect(try Decoded(modern).samples == Decoded(SharedBytes(png)).samples)
        }

        /// The price depends on them.
        @Test func iconsCountThePassesOfTheirPNG() throws {
            let source = try texture(20, 10, .png)
            defer { withExtendedLifetime(source) {} }
            let image = try Source.load(source, .png)
            for isInterlaced in [false, true] {
                let settings = EncoderSettings(isProgressive: isInterlaced)
                let png = try image.encoded(as: .png, settings: settings, in: RenderContext())
                let plain = try ImageEngine.probe(png, limits: ImageLimits())
                var file: [UInt8] = [0, 0, 1, 0, 1, 0, 20, 10, 0, 0, 1, 0, 24, 0]
                file += little(png.count, 4)
                file += little(22, 4)
                file += png.array
                let header = try ImageEngine.probe(SharedBytes(file), limits: ImageLimits())
                #expect(header.format == .ico && header.size == plain.size)
                #expect(plain.heldScanCount == (isInterlaced ? 7 : 0))
                #expect(header.heldScanCount == plain.heldScanCount)
            }
        }

        @Test func brokenBitmapsAreErrors() throws {
            var random = SeededGenerator(state: 3)
            let whole = device(3, 2, bits: 8, method: 1, table: palette, colorCount: 4, [3, 1, 0, 0, 3, 2, 0, 0, 0, 1])
            let claim = device(0x7fff_ffff, 0x7fff_ffff, bits: 24, [0, 0, 0, 0])
            #expect(try renderError(file(claim, pixelOffset: 40)) != nil)
            let short = device(100, 100, bits: 24, [UInt8](repeating: 0, count: 300 * 99))
            #expect(try renderError(file(short, pixelOffset: 40)) != nil)
            for _ in 0..<200 {
                var input = file(whole, pixelOffset: 56).array
                for _ in 0..<Int(random.next() % 5) {
                    input[Int(random.next() % UInt64(input.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                if random.next() % 3 == 0 { input.removeLast(Int(random.next() % UInt64(input.count))) }
                var limits = ImageLimits()
                limits.pixelCount = 1000
                _ = try renderError(SharedBytes(input), "width=2", limits: limits)
            }
        }
    }

    @Suite(.enabled(if: Shared.isPresent, "no test data at ../shared")) struct OptionalFormatTests {
        @Test(arguments: [
            ("photo_small.bmp", SourceFormat.bmp, 400, 300, 1), ("icon.ico", .ico, 256, 256, 1),
            ("photo1.jxl", .jxl, 1200, 900, 1), ("vector.svg", .svg, 800, 600, 1), ("three_pages.pdf", .pdf, 0, 0, 3),
        ])
        func formatsThatAreEnabledAreRead(
            _ name: String, _ format: SourceFormat, _ widthPx: Int, _ heightPx: Int, _ pageCount: Int
        ) throws {
            try engineStart.get()
            guard ImageEngine.canRead(format) else { return }
            let bytes = try Shared.read("images/\(name)")
            let header = try ImageEngine.probe(bytes, limits: ImageLimits())
            #expect(header.format == format && header.pageCount == pageCount)
            if widthPx > 0 { #expect([header.widthPx, header.heightPx] == [widthPx, heightPx]) }
            #expect(try Decoded(render(bytes, "width=40").content).widthPx == 40)
        }
    }

    @Suite struct PyramidTests {
        @Test func theRightLevelIsRead() throws {
            try engineStart.get()
            let source = try texture(512, 384, .png)
            defer { withExtendedLifetime(source) {} }
            for isInside in [false, true] {
                let pyramid = try Source.load(source, .png).pyramid(isInside: isInside)
                let header = try ImageEngine.probe(pyramid, limits: ImageLimits())
                #expect(header.pageCount == 1)
                #expect(TIFFReduction.best(in: pyramid.span, page: 0, limit: 3.9) == nil)
                #expect(TIFFReduction.best(in: pyramid.span, page: 0, limit: 4)?.shrink == 2)
                let small = try render(pyramid, "width=128")
                #expect(small.report.loadShrink == 2)
                let plain = try Decoded(render(source, "width=128").content)
                let decoded = try Decoded(small.content)
                let distance = zip(decoded.samples, plain.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(distance / decoded.samples.count < 12)
            }
        }

        @Test func documentsAreNoPyramids() throws {
            let settings = EncoderSettings(frames: FrameTiming(delaysMs: [], pageHeightPx: 24))
            let pages = try frames(32, 24, 3).encoded(as: .tiff, settings: settings, in: RenderContext())
            #expect(try ImageEngine.probe(pages, limits: ImageLimits()).pageCount == 3)
        }
    }
}

extension VipsImage {
    /// A tiled pyramid, as viewers of large pictures have them.
    func pyramid(isInside: Bool) throws -> SharedBytes {
        var data: UnsafeMutableRawPointer?
        var count = 0
        var error = cvips_error()
        let status = cvips_save_pyramid(raw, isInside ? 1 : 0, &data, &count, &error)
        let input = try #require(data, "\(status)")
        defer { cvips_free(input) }
        return SharedBytes(Array(UnsafeRawBufferPointer(start: input, count: count)))
    }
}
