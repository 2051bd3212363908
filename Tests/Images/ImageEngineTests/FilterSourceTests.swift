import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Every filter on every kind of source, from the file to the file; what it does to samples is in `FilterKindTests`.
    @Suite struct FilterSourceTests {
        /// Three frames of 32 × 24, each of other colors.
        private func animation(_ format: OutputFormat) throws -> SharedBytes {
            let settings = EncoderSettings(
                isLossless: true, frames: FrameTiming(delaysMs: [50, 70, 90], loopCount: 2, pageHeightPx: 24))
            return try frames(32, 24, 3).encoded(as: format, settings: settings, in: RenderContext())
        }

        private func query(_ filter: ImageFilter) -> String { "filter=" + filter.canonical }

        @Test(arguments: FilterKindTests.all)
        func animationsKeepFramesAndTimes(_ filter: ImageFilter) throws {
            for format in [OutputFormat.gif, .webp] {
                let source = try animation(format)
                let rendered = try render(source, query(filter) + "&lossless=1", .webp)
                #expect(rendered.frameCount == 3)
                let content = rendered.content
                defer { withExtendedLifetime(content) {} }
                let count = try ImageEngine.probe(content, limits: ImageLimits()).pageCount
                let tall = try Source.load(content, .webp, pageCount: count)
                let timing = tall.frameTiming()
                // libwebp makes one of frames that look the same, as these do after a threshold.
                guard count == 3 else {
                    #expect(filter == .threshold(level: 120))
                    continue
                }
                #expect(timing.delaysMs == [50, 70, 90] && timing.loopCount == 2 && timing.pageHeightPx == 24)
                // A frame comes out as the same picture alone does, unless noise or borders of colors are in the game.
                let whole = try Decoded(tall)
                let second = try Decoded(render(source, "page=2&" + query(filter)).content)
                #expect(second.widthPx == 32 && second.heightPx == 24)
                let half = whole.widthPx * 24 * whole.bands
                let frame = whole.samples[half..<(2 * half)]
                var worst = 0
                for pixel in 0..<(32 * 24) {
                    for band in 0..<3 {
                        let alone = second.samples[pixel * second.bands + (second.bands < 3 ? 0 : band)]
                        let among = frame[frame.startIndex + pixel * whole.bands + (whole.bands < 3 ? 0 : band)]
                        worst = max(worst, abs(Int(alone) - Int(among)))
                    }
                }
                #expect(worst <= 1, "\(format)")
            }
        }

        /// Ink is turned into light before any filter sees it.
        @Test(.enabled(if: Shared.isPresent), arguments: FilterKindTests.all)
        func inkIsFilteredAsLight(_ filter: ImageFilter) throws {
            let ink = try Shared.read("images/sh_cmyk_noprofile.jpg")
            let small = try render(ink, "width=60")
            let filtered = try Decoded(render(ink, "width=60&" + query(filter)).content)
            let light = try Decoded(render(small.content, query(filter)).content)
            #expect(filtered.bands == light.bands && filtered.bands != 4)
            #expect(filtered.samples.count == light.samples.count)
            let worst = zip(filtered.samples, light.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(worst <= 1)
        }

        @Test(.enabled(if: Shared.isPresent), arguments: FilterKindTests.all)
        func greyDeepAndSeenThroughSourcesAreFiltered(_ filter: ImageFilter) throws {
            for (name, bands) in [
                ("photo1_gray.png", [1, 3]), ("photo1_16bit.tif", [1, 3]), ("photo1_alpha.png", [2, 4]),
                ("photo1_1bit.png", [1, 3]), ("photo1_palette.png", [1, 3]),
            ] {
                let source = try Shared.read("images/\(name)")
                let plain = try render(source, "width=48")
                let image = try Decoded(render(source, "width=48&" + query(filter)).content)
                #expect(image.widthPx == 48 && bands.contains(image.bands), "\(name) \(image.bands)")
                // The same as filtering the picture that was made: only rounding between the two may differ.
                let again = try Decoded(render(plain.content, query(filter)).content)
                guard image.bands == again.bands, image.samples.count == again.samples.count else { continue }
                let total = zip(image.samples, again.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(total <= 4 * image.samples.count, "\(name): \(total) in \(image.samples.count)")
            }
        }
    }
}
