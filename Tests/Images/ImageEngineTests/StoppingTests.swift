import Bytes
import Glibc
import ImagePlan
import Synchronization
import Testing

@testable import ImageEngine

/// Counts questions, and says yes from some question on.
final class Counter: Sendable {
    private let state = Mutex(0)
    private let allowed: Int

    init(allowing allowed: Int = .max) { self.allowed = allowed }

    var count: Int { state.withLock { $0 } }

    func ask() -> Bool {
        state.withLock { count in
            count += 1
            return count > allowed
        }
    }
}

extension EngineTests {
    /// Work that libraries or our own readers do at once is stopped as well, or bounded.
    @Suite struct StoppingTests {
        private func progressive(_ side: Int) throws -> SharedBytes {
            try render(texture(side, side, .png), "progressive=1&quality=80", .jpeg).content
        }

        /// The rows of 512 × 512 pixels are 33 questions; the passes behind them are many times that.
        @Test(arguments: [40, 100, 200])
        func passesOfAProgressiveJPEGAreStopped(_ allowed: Int) throws {
            let picture = try texture(512, 512, .png)
            defer { withExtendedLifetime(picture) {} }
            let image = try Source.load(picture, .png)
            let all = Counter()
            let whole = try image.encodedAsJPEG(
                quality: 80, isProgressive: true, in: RenderContext(shouldStop: { all.ask() }))
            #expect(try #require(whole).count > 1000)
            #expect(all.count > 250)
            let some = Counter(allowing: allowed)
            var caught: ImageError?
            do throws(ImageError) {
                _ = try image.encodedAsJPEG(
                    quality: 80, isProgressive: true, in: RenderContext(shouldStop: { some.ask() }))
            } catch {
                caught = error
            }
            #expect(caught == .cancelled)
            #expect(some.count == allowed + 1)
        }

        @Test func scansOfAProgressiveJPEGAreStopped() throws {
            let source = try progressive(512)
            defer { withExtendedLifetime(source) {} }
            guard var reader = try JPEGPlanes(source) else { throw ImageError.unsupportedFormat }
            let all = Counter()
            try reader.start(sizes: [8, 8, 8], in: RenderContext(shouldStop: { all.ask() }))
            #expect(all.count > 100)
            for allowed in [0, 7, 90] {
                let some = Counter(allowing: allowed)
                guard var stopped = try JPEGPlanes(source) else { throw ImageError.unsupportedFormat }
                var caught: ImageError?
                do throws(ImageError) {
                    try stopped.start(sizes: [8, 8, 8], in: RenderContext(shouldStop: { some.ask() }))
                } catch {
                    caught = error
                }
                #expect(caught == .cancelled)
                #expect(some.count == allowed + 1)
            }
        }

        @Test func scansCountByThePixelsThatTheyPassOver() throws {
            let source = try progressive(64)
            let scanCount = JPEGScan(source.span, limit: 100).scanCount
            #expect(scanCount > 5)
            var limits = ImageLimits(jpegScanPixelCount: 64 * 64 * scanCount)
            #expect(try renderError(source, limits: limits) == nil)
            limits.jpegScanPixelCount -= 1
            #expect(try renderError(source, limits: limits) == .tooManyScans(limit: scanCount - 1))
            limits.jpegScanPixelCount = 1
            #expect(try renderError(texture(64, 64, .jpeg), limits: limits) == nil)
            // What encoders write for ink, 18 scans, at the largest size that is decoded whole.
            #expect(ImageLimits().scanLimit(pixelCount: ImageLimits().wholePixelCount) >= 18)
        }

        /// `runs` behind a header of 54 bytes and two colors.
        private func bitmap(_ widthPx: Int, _ heightPx: Int, _ runs: [UInt8]) -> SharedBytes {
            var bytes = Array("BM".utf8) + little(62 + runs.count, 4) + little(0, 4) + little(62, 4)
            for value in [40, widthPx, heightPx] { bytes += little(value, 4) }
            bytes += little(1, 2) + little(8, 2)
            for value in [1, runs.count, 0, 0, 2, 0] { bytes += little(value, 4) }
            return SharedBytes(bytes + [0, 0, 0, 0, 255, 255, 255, 0] + runs)
        }

        @Test(arguments: [0, 1, 3])
        func bitmapsAreStoppedWhileTheyAreUnrolled(_ allowed: Int) throws {
            // 400,000 runs of nothing in the first row, then a white one.
            let idle = [UInt8](repeating: 0, count: 1_600_000).indices.map { [0, 2, 0, 0][$0 % 4] as UInt8 }
            let source = bitmap(200, 100, idle + [200, 1, 0, 1])
            let all = Counter()
            let plain = try #require(Bitmap(file: source))
            let pixels = try #require(try plain.decode(shouldStop: { all.ask() }))
            #expect(all.count >= 6 + 100 / 16)
            // The first stored row is the lowest.
            let samples = UnsafeRawBufferPointer(start: pixels, count: 200 * 100 * 3)
            #expect(samples[0] == 0 && samples[200 * 99 * 3] == 255)
            free(pixels)
            let some = Counter(allowing: allowed)
            #expect(try plain.decode(shouldStop: { some.ask() }) == nil)
            #expect(some.count == allowed + 1)
        }

        @Test func aRenderThatIsStoppedInsideABitmapWasCancelled() throws {
            let idle = [UInt8](repeating: 0, count: 1_600_000).indices.map { [0, 2, 0, 0][$0 % 4] as UInt8 }
            let source = bitmap(200, 100, idle + [200, 1, 0, 1])
            for allowed in 0..<12 {
                let some = Counter(allowing: allowed)
                #expect(try renderError(source, shouldStop: { some.ask() }) == .cancelled)
            }
            let broken = bitmap(200, 100, idle)
            guard case .corrupt = try renderError(broken) else {
                Issue.record("runs without an end were taken")
                return
            }
        }

        /// The bitmap of an icon, all of whose bytes behind the header are 0.
        private func icon(_ widthPx: Int, _ heightPx: Int, bits: Int) -> SharedBytes {
            var bytes: [UInt8] = []
            for value in [40, widthPx, 2 * heightPx] { bytes += little(value, 4) }
            bytes += little(1, 2) + little(bits, 2)
            for _ in 0..<6 { bytes += little(0, 4) }
            let rowByteCount = (widthPx * bits + 31) / 32 * 4 + (widthPx + 31) / 32 * 4
            bytes += [UInt8](repeating: 0, count: rowByteCount * heightPx)
            return SharedBytes(bytes)
        }

        /// 100 rows are 7 questions for the colors, 7 for the mask, and with 32 bits 7 for alpha, which is 0 everywhere.
        @Test(arguments: [(24, 14), (32, 21)])
        func masksOfIconsAreStopped(_ bits: Int, _ questionCount: Int) throws {
            let plain = try #require(Bitmap(icon: icon(200, 100, bits: bits)))
            let all = Counter()
            let pixels = try plain.decode(shouldStop: { all.ask() })
            #expect(pixels != nil)
            free(pixels)
            #expect(all.count == questionCount)
            for allowed in 0..<questionCount {
                let some = Counter(allowing: allowed)
                let stopped = try plain.decode(shouldStop: { some.ask() })
                #expect(stopped == nil)
                free(stopped)
                #expect(some.count == allowed + 1)
            }
        }

        /// Two bytes claim 255 pixels; those behind the end of a row are no work.
        @Test func runsPastTheEndOfARowAreCutOff() throws {
            let source = bitmap(3, 2, [255, 1, 255, 1, 0, 4, 0, 1, 1, 1, 0, 0, 1, 0, 0, 5, 1, 1, 1, 1, 1, 0, 0, 1])
            let image = try Decoded(source)
            #expect((0..<3).map { image[$0, 1][0] } == [255, 255, 255])
            #expect((0..<3).map { image[$0, 0][0] } == [0, 255, 255])
        }

        @Test func drawingsAreDrawnAtABoundedSize() throws {
            let limits = ImageLimits(pixelCount: 4_000_000, wholePixelCount: 1_000_000)
            #expect(limits.drawingScale(wanted: 2, widthPx: 100, heightPx: 100) == 2)
            #expect(limits.drawingScale(wanted: 50, widthPx: 100, heightPx: 100) == 10)
            #expect(limits.drawingScale(wanted: 0.25, widthPx: 1000, heightPx: 1000) == 0.25)
            try engineStart.get()
            guard ImageEngine.canRead(.svg) else { return }
            let mark = "<svg xmlns='http://www.w3.org/2000/svg' width='30000' height='30000'><circle r='9'/></svg>"
            #expect(
                try renderError(SharedBytes(Array(mark.utf8)))
                    == .tooManyPixels(widthPx: 30000, heightPx: 30000, pageCount: 1, limit: 50_000_000))
        }

        @Test(.enabled(if: Shared.isPresent)) func pagesAreStoppedBetweenPieces() throws {
            try engineStart.get()
            guard ImageEngine.canRead(.pdf) else { return }
            let source = try Shared.read("images/three_pages.pdf")
            for allowed in [0, 1, 4, 12] {
                let some = Counter(allowing: allowed)
                #expect(try renderError(source, "width=1500&enlarge=1", shouldStop: { some.ask() }) == .cancelled)
                #expect(some.count <= allowed + 4)
            }
        }

        /// libvips draws piece by piece, and between the pieces somebody asks.
        @Test func drawingsAreStoppedBetweenPieces() throws {
            try engineStart.get()
            guard ImageEngine.canRead(.svg) else { return }
            let text = """
                <svg xmlns='http://www.w3.org/2000/svg' width='300' height='3000'>
                <rect width='300' height='3000' fill='red'/></svg>
                """
            let source = SharedBytes(Array(text.utf8))
            let all = Counter()
            #expect(try renderError(source, "width=600&enlarge=1", shouldStop: { all.ask() }) == nil)
            for allowed in [0, 1, 4, all.count / 2] {
                let some = Counter(allowing: allowed)
                #expect(try renderError(source, "width=600&enlarge=1", shouldStop: { some.ask() }) == .cancelled)
                #expect(some.count <= allowed + 4)
            }
        }
    }
}
