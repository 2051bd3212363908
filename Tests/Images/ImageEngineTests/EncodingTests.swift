import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

/// `pageCount` frames of `width` × `height`, one below the other; each has detail and differs from the one before.
func frames(_ widthPx: Int, _ heightPx: Int, _ pageCount: Int) throws -> VipsImage {
    try engineStart.get()
    var pixels: [UInt8] = []
    for page in 0..<pageCount {
        for y in 0..<heightPx {
            for x in 0..<widthPx {
                let isMarked = x / 4 == page
                pixels += [isMarked ? 255 : UInt8(x * 2 & 255), UInt8(y * 3 & 255), isMarked ? 0 : 90, 255]
            }
        }
    }
    return try VipsImage(premultiplied: SharedBytes(pixels), widthPx: widthPx, heightPx: heightPx * pageCount)
}

extension VipsImage {
    init(premultiplied pixels: SharedBytes, widthPx: Int, heightPx: Int) throws(ImageError) {
        self = try VipsImage(DrawnPixels(premultiplied: [pixels], widthPx: widthPx, heightPx: heightPx))
    }
}

extension EngineTests {
    @Suite struct EncodingTests {
        @Test(arguments: [OutputFormat.webp, .gif])
        func delaysAndLoopCountSurviveAnimation(_ format: OutputFormat) throws {
            for loopCount in [0, 1, 3] {
                let timing = FrameTiming(delaysMs: [40, 100, 250, 70], loopCount: loopCount, pageHeightPx: 24)
                let content = try frames(32, 24, 4).encoded(
                    as: format, settings: EncoderSettings(frames: timing), in: RenderContext())
                let source = try Source(content, limits: ImageLimits())
                #expect(source.header.pageCount == 4)
                #expect(source.header.isAnimated)
                #expect([source.header.widthPx, source.header.heightPx] == [32, 24])
                let tall = try Source.load(content, source.header.format, pageCount: 4)
                #expect(tall.frameTiming() == timing, "\(format) \(loopCount)")
            }
        }

        @Test(arguments: [OutputFormat.webp, .gif, .tiff])
        func everyFrameIsReadBack(_ format: OutputFormat) throws {
            let settings = EncoderSettings(isLossless: true, frames: FrameTiming(delaysMs: [], pageHeightPx: 24))
            let original = try Decoded(frames(32, 24, 5))
            let content = try frames(32, 24, 5).encoded(as: format, settings: settings, in: RenderContext())
            let format = try #require(ImageEngine.sniff(content))
            let tall = try Decoded(Source.load(content, format, pageCount: 5))
            for page in 0..<5 {
                let one = try Decoded(Source.load(content, format, page: page))
                for (x, y) in [(1, 1), (4 * page + 2, 12), (30, 20)] {
                    #expect(one[x, y] == tall[x, page * 24 + y])
                    let distance = zip(one[x, y], original[x, page * 24 + y]).map { abs(Int($0) - Int($1)) }.max()
                    #expect(distance ?? 0 <= (format == .gif ? 40 : 0), "page \(page) at \(x), \(y)")
                }
            }
        }

        @Test(arguments: [OutputFormat.webp, .png, .tiff, .jxl])
        func losslessIsExact(_ format: OutputFormat) throws {
            guard ImageEngine.canWrite(format) else { return }
            let bytes = try texture(67, 45, .png)
            defer { withExtendedLifetime(bytes) {} }
            let original = try Decoded(bytes)
            let image = try Source.load(bytes, .png)
            let content = try image.encoded(
                as: format, settings: EncoderSettings(isLossless: true), in: RenderContext())
            #expect(try Decoded(content).samples == original.samples)
        }

        @Test func cancellationIsToldApart() throws {
            for format in [OutputFormat.jpeg, .png, .webp, .gif, .tiff] {
                #expect(throws: ImageError.cancelled) {
                    try frames(400, 400, 1).encoded(as: format, in: RenderContext(shouldStop: { true }))
                }
            }
        }
    }
}
