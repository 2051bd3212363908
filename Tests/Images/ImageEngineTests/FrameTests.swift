import Bytes
import CVips
import ImagePlan
import Parameters
import Synchronization
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct FrameTests {
        /// Frames of 40 × 30, each of one color with a mark that moves.
        private func animation(_ count: Int, _ format: OutputFormat = .gif, hasAlpha: Bool = false) throws
            -> SharedBytes
        {
            try engineStart.get()
            var pixels: [UInt8] = []
            for index in 0..<count {
                for y in 0..<30 {
                    for x in 0..<40 {
                        let isMark = abs(x - index * 4) < 3 && y > 20
                        if hasAlpha, y < 5 {
                            pixels += [0, 0, 0, 0]
                        } else {
                            pixels += isMark ? [255, 255, 255, 255] : [UInt8(index * 30), 100, 200, 255]
                        }
                    }
                }
            }
            let tall = try VipsImage(premultiplied: SharedBytes(pixels), widthPx: 40, heightPx: 30 * count)
            let timing = FrameTiming(delaysMs: (0..<count).map { 50 + $0 * 10 }, loopCount: 3, pageHeightPx: 30)
            return try tall.encoded(
                as: format, settings: EncoderSettings(isLossless: true, frames: timing), in: RenderContext())
        }

        private func frame(_ content: SharedBytes, _ index: Int) throws -> Decoded {
            try Decoded(carryOut([], on: content, pages: .one(index)))
        }

        @Test(arguments: [OutputFormat.gif, .webp], [OutputFormat.gif, .webp])
        func framesKeepDelaysAndLoop(_ from: OutputFormat, _ format: OutputFormat) throws {
            let source = try animation(6, from)
            let size = PixelSize(widthPx: 20, heightPx: 15)
            let content = try carryOut(
                [.resize(size)], on: source, output: size, pages: .first(6), format: format, look: "frames-\(from)")
            let opened = try Source(content, limits: ImageLimits())
            #expect(opened.header.pageCount == 6)
            #expect([opened.header.widthPx, opened.header.heightPx] == [20, 15])
            let tall = try Source.load(content, opened.header.format, pageCount: 6)
            #expect(tall.delaysMs == [50, 60, 70, 80, 90, 100])
            #expect(tall.loopCount == 3)
        }

        /// Hidden rectangles and blurred backgrounds are those of each frame.
        @Test func everyFrameIsHiddenAndSurroundedByItself() throws {
            let source = try animation(5, .webp)
            let size = PixelSize(widthPx: 60, heightPx: 50)
            let region = FilterRegion(x: .pixels(10), y: .pixels(28), width: .percent(70), height: .pixels(12))
            let steps: [ImageStep] = [
                .surround(canvas: size, x: 10, y: 10), .filter(.within(region, .pixelate(size: 200))),
            ]
            let all = try carryOut(steps, on: source, output: size, pages: .first(5), format: .tiff)
            for index in 0..<5 {
                let alone = try Decoded(carryOut(steps, on: source, output: size, pages: .one(index)))
                let page = try Decoded(carryOut([], on: all, pages: .one(index)))
                #expect(page.samples == alone.samples, "\(index)")
                let hidden = (28..<40).flatMap { y in
                    (10..<52).map { x in Array(page.samples[(y * 60 + x) * page.bands..<(y * 60 + x + 1) * page.bands])
                    }
                }
                #expect(Set(hidden).count == 1)
            }
        }

        /// Every frame goes through the same steps as if it were alone.
        @Test func everyFrameIsTreatedAlike() throws {
            let source = try animation(5, .webp)
            let size = PixelSize(widthPx: 15, heightPx: 20)
            let steps: [ImageStep] = [
                .resize(size.transposed), .orient(Orientation(isMirrored: false, quarterTurns: 1)),
                .filter(.blur(sigma: 1)), .mask(.circle),
            ]
            let all = try carryOut(steps, on: source, output: size, pages: .first(5), format: .tiff)
            for index in 0..<5 {
                let alone = try Decoded(carryOut(steps, on: source, output: size, pages: .one(index)))
                let page = try Decoded(carryOut([], on: all, pages: .one(index)))
                #expect(page.bands == 4)
                #expect(page.samples == alone.samples, "\(index)")
            }
        }

        @Test func transparentFramesStayTransparent() throws {
            let source = try animation(3, .webp, hasAlpha: true)
            let content = try carryOut([], on: source, pages: .first(3), format: .webp)
            for index in 0..<3 {
                let image = try frame(content, index)
                #expect(image[20, 2][3] == 0)
                #expect(image[20, 15][3] == 255)
            }
        }

        @Test func anAnimationThatBreaksOffIsAnError() throws {
            let whole = try animation(8, .webp)
            let half = SharedBytes(Array(whole.array.prefix(whole.count * 2 / 3)))
            #expect(throws: ImageError.self) { _ = try carryOut([], on: half, pages: .first(8), format: .webp) }
        }

        @Test func animationsStopBetweenFrames() throws {
            let source = try animation(8, .webp)
            let stop = StopAfter(5)
            #expect(throws: ImageError.cancelled) {
                _ = try carryOut([], on: source, pages: .first(8), format: .webp, shouldStop: { stop.ask() })
            }
        }

        /// Pages of a document may differ: each is planned for by its own size.
        @Test(.enabled(if: Shared.isPresent)) func pagesOfDifferentSizesComeAlone() throws {
            let source = try Shared.read("images/sh_multi.tif")
            let count = try ImageEngine.probe(source, limits: ImageLimits()).pageCount
            #expect(count > 1)
            for page in 1...count {
                let rendered = try render(source, "page=\(page)&width=40&height=40&fit=contain&background=red")
                let image = try Decoded(rendered.content)
                #expect(image.widthPx == 40 && image.heightPx == 40)
            }
            #expect(try renderError(source, "page=\(count + 1)") != nil)
        }

        @Test(.enabled(if: Shared.isPresent), arguments: ["anim12.gif", "anim12.webp", "sh_loop3.gif", "lv_cogs.gif"])
        func realAnimationsComeThrough(_ name: String) throws {
            let source = try Shared.read("images/\(name)")
            let rendered = try render(source, "width=60&filter=grayscale", .webp)
            let before = try ImageEngine.probe(source, limits: ImageLimits())
            let after = try ImageEngine.probe(rendered.content, limits: ImageLimits())
            #expect(after.pageCount == before.pageCount)
            #expect(rendered.frameCount == before.pageCount)
            #expect(after.widthPx == 60)
            let still = try render(source, "width=60", .jpeg)
            #expect(still.frameCount == 1)
        }
    }
}

/// Says yes from the nth question on.
final class StopAfter: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func ask() -> Bool {
        left.withLock { left in
            left -= 1
            return left < 0
        }
    }
}
