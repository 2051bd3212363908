import SeededRandom
import Bytes
import Foundation
import Glibc
import ImagePlan
import Synchronization
import TestThreads
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct RobustnessTests {
        @Test(arguments: OutputFormat.allCases)
        func everyTruncationIsATypedErrorOrAPicture(_ format: OutputFormat) throws {
            let whole = try texture(48, 40, format).array
            for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 60)) {
                guard let error = try renderError(SharedBytes(Array(whole[..<count]))) else { continue }
                switch error {
                case .corrupt, .unsupportedFormat, .tooManyPixels: break
                default: Issue.record("\(error) at \(count)")
                }
            }
        }

        @Test(arguments: [OutputFormat.jpeg, .png, .webp])
        func halfAPictureIsRefused(_ format: OutputFormat) throws {
            let whole = try texture(200, 200, format).array
            guard case .corrupt = try renderError(SharedBytes(Array(whole[..<(whole.count / 2)]))) else {
                Issue.record("half a \(format) was taken")
                return
            }
        }

        @Test(arguments: OutputFormat.allCases)
        func flippedBytesNeverEndTheProcess(_ format: OutputFormat) throws {
            let whole = try texture(40, 32, format).array
            var random = SeededGenerator(state: 7)
            for _ in 0..<60 {
                var bytes = whole
                for _ in 0..<4 { bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256)) }
                _ = try renderError(SharedBytes(bytes))
            }
        }

        @Test func limitsAreCheckedOnTheHeader() throws {
            let jpeg = try texture(100, 50, .jpeg)
            let png = try texture(100, 50, .png)
            let webp = try texture(100, 50, .webp)
            #expect(
                try renderError(jpeg, limits: ImageLimits(pixelCount: 4999))
                    == .tooManyPixels(widthPx: 100, heightPx: 50, pageCount: 1, limit: 4999))
            #expect(try renderError(jpeg, limits: ImageLimits(pixelCount: 5000)) == nil)
            #expect(try renderError(png, limits: ImageLimits(wholePixelCount: 10)) == nil)
            #expect(
                try renderError(webp, limits: ImageLimits(wholePixelCount: 10))
                    == .tooManyPixels(widthPx: 100, heightPx: 50, pageCount: 1, limit: 10))
            #expect(
                try renderError(jpeg, limits: ImageLimits(sourceByteCount: 100))
                    == .sourceTooLong(byteCount: jpeg.count, limit: 100))
        }

        @Test func interlacedPNGCountsAsWhole() throws {
            var bytes = try texture(100, 50, .png).array
            bytes[28] = 1
            // The checksum of the chunk is wrong now, which the decoder may say first.
            #expect(try renderError(SharedBytes(bytes), limits: ImageLimits(wholePixelCount: 10)) != nil)
        }

        @Test func manyScansAreRefusedWithoutDecoding() throws {
            let jpeg = try texture(16, 16, .jpeg).array
            let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0, 0x34]
            let body = Array(jpeg[..<(jpeg.count - 2)])
            let bomb = body + Array(repeatElement(scan, count: 101).joined()) + [0xff, 0xd9]
            #expect(try renderError(SharedBytes(bomb)) == .tooManyScans(limit: 100))
            #expect(JPEGScan(SharedBytes(bomb).span, limit: 1000).scanCount == 102)
        }

        @Test func scansInsideSegmentsAndStuffedBytesAreNotCounted() throws {
            let jpeg = try texture(16, 16, .jpeg)
            let trap = [UInt8](repeating: 0xff, count: 50) + [0xff, 0xda, 0xff, 0xda, 0xff, 0xd9]
            #expect(JPEGScan(inserting(0xe5, trap, into: jpeg).span, limit: 100).scanCount == 1)
            #expect(JPEGScan(SharedBytes([0xff, 0xd8, 0xff]).span, limit: 100).scanCount == 0)
            // Three planes in the frame, one in its only scan: the decoder holds all of it until the others come.
            let frame: [UInt8] = [0xff, 0xc0, 0, 17, 8, 0, 8, 0, 8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
            let one: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9]
            let all: [UInt8] = [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, 0, 0xff, 0xd9]
            #expect(JPEGScan(SharedBytes([0xff, 0xd8] + frame + one).span, limit: 100).isNonInterleaved)
            #expect(!JPEGScan(SharedBytes([0xff, 0xd8] + frame + all).span, limit: 100).isNonInterleaved)
            #expect(JPEGScan(SharedBytes([0xff, 0xd8, 0xff, 0xc2, 0, 0, 0xff, 0xda]).span, limit: 9).isProgressive)
        }

        /// Each fill byte is a search of its own, and decoders pass over them to scans that would not be counted.
        @Test func fillBytesOfAllMarkersAreBounded() throws {
            let jpeg = try texture(16, 16, .jpeg).array
            let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0, 0x34]
            func filled(_ count: Int, _ more: Int, scanCount: Int = 0) -> SharedBytes {
                var file: [UInt8] = [0xff, 0xd8]
                file += [UInt8](repeating: 0xff, count: count)
                file += jpeg[2..<(jpeg.count - 2)]
                for _ in 0..<scanCount { file += scan }
                file += [UInt8](repeating: 0xff, count: more)
                file += [0xff, 0xd9]
                return SharedBytes(file)
            }
            let most = filled(30_000, 35_536)
            let counted = JPEGScan(most.span, limit: 100)
            #expect(!counted.isOverfilled && counted.scanCount == 1 && counted.end == most.count)
            let header = try ImageEngine.probe(most, limits: ImageLimits())
            #expect(header.widthPx == 16)
            let more = filled(30_000, 35_537)
            let ended = JPEGScan(more.span, limit: 100)
            #expect(ended.isOverfilled && ended.scanCount == 1 && ended.end == nil)
            for file in [more, filled(1 << 20, 0), filled(70_000, 0, scanCount: 101)] {
                guard case .corrupt = try renderError(file) else {
                    Issue.record("\(file.count) bytes were read")
                    return
                }
            }
        }

        @Test func gifScreensCount() throws {
            let gif = Array("GIF89a".utf8) + [0xff, 0xff, 0xff, 0xff, 0, 0, 0]
            #expect(
                try renderError(SharedBytes(gif))
                    == .tooManyPixels(widthPx: 65535, heightPx: 65535, pageCount: 1, limit: 50_000_000))
        }

        @Test func endlessFramesAreRefused() throws {
            let frame: [UInt8] = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
            let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            let gif = SharedBytes(head + Array(repeatElement(frame, count: 101).joined()) + [0x3b])
            #expect(try renderError(gif, limits: ImageLimits(pageCount: 100)) == .tooManyPages(limit: 100))
            #expect(try renderError(gif, limits: ImageLimits(pageCount: 101)) == nil)
        }

        /// A TIFF of pages of one gray pixel that share their strip.
        private func pages(_ count: Int, isBigEndian: Bool) -> [UInt8] {
            func number(_ value: Int, _ width: Int) -> [UInt8] {
                isBigEndian ? big(value, width) : little(value, width)
            }
            let entries = [
                (256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 4), (277, 1), (278, 1), (279, 1),
            ]
            let length = 2 + entries.count * 12 + 4
            var file = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
            for page in 1...count {
                file += number(entries.count, 2)
                for (tag, value) in entries { file += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4) }
                file += number(page == count ? 0 : 8 + page * length, 4)
            }
            return file
        }

        @Test(arguments: [false, true]) func endlessPagesAreRefused_beforeTheyAreRead(isBigEndian: Bool) throws {
            func count(_ file: [UInt8], limit: Int = 1000) -> Int {
                TIFFDirectories.count(in: SharedBytes(file).span, limit: limit)
            }
            let file = pages(101, isBigEndian: isBigEndian)
            #expect(count(file) == 101 && count(file, limit: 30) == 31)
            let limits = ImageLimits(pageCount: 100)
            #expect(try renderError(SharedBytes(file), limits: limits) == .tooManyPages(limit: 100))
            #expect(try renderError(SharedBytes(file)) == nil)
            // The last page leads to the first one.
            #expect(count(Array(file.dropLast(4)) + file[4..<8]) == 101)
            for length in 0..<file.count where length % 37 == 0 { #expect(count(Array(file[..<length])) <= 101) }
        }

        /// Only the first frame is decoded, so it is frames that are limited, not their sum.
        @Test func longAnimationsOfModestFramesAreRead() throws {
            let frame: [UInt8] = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
            let side: [UInt8] = [0xe8, 3]
            let head = Array("GIF89a".utf8) + side + side + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            let gif = SharedBytes(head + Array(repeatElement(frame, count: 90).joined()) + [0x3b])
            let limits = ImageLimits(pixelCount: 2_000_000)
            try engineStart.get()
            #expect(try ImageEngine.probe(gif, limits: limits).pageCount == 90)
            #expect(try renderError(gif, limits: limits) == nil)
            var strict = limits
            strict.allPagesPixelCount = 89_999_999
            #expect(
                try renderError(gif, limits: strict)
                    == .tooManyPixels(widthPx: 1000, heightPx: 1000, pageCount: 90, limit: 89_999_999))
            strict.pixelCount = 999_999
            #expect(
                try renderError(gif, limits: strict)
                    == .tooManyPixels(widthPx: 1000, heightPx: 1000, pageCount: 1, limit: 999_999))
        }

        @Test func requestsThatDoNotFitThePictureAreToldApart() throws {
            guard case .plan(.cropOutside) = try renderError(corners(), "crop=100,100,10,10") else {
                Issue.record("a crop outside was taken")
                return
            }
        }

        @Test(arguments: 0..<12)
        func cancellationStopsAtEveryQuestion(_ allowed: Int) throws {
            let source = try texture(600, 600, .png)
            let asked = Mutex(0)
            let error = try renderError(source, "width=500&filter=blur:3") {
                asked.withLock { count in
                    count += 1
                    return count > allowed
                }
            }
            #expect(error == .cancelled)
            #expect(asked.withLock { $0 } <= allowed + 3)
        }

        /// Whatever the filters, somebody asks often whether to stop. What lies between two questions is measured by the
        /// processor's work, in a process that does nothing else: how long it takes depends on what else the machine does.
        @Test(arguments: [
            "blur:100,grayscale,blur:100,contrast:5,blur:100,brightness:1,blur:100", "blur:2,contrast:2,blur:2",
            "sharpen:10,sharpen:10,sharpen:10,sharpen:10", "blur:100,blur:100,blur:100,blur:100",
        ])
        func filtersAreCancelledSoon(_ filters: String) async {
            await #expect(processExitsWith: .success) { [filters] in
                let source = try texture(2000, 1500, .png)
                let state = Mutex((asked: 0, last: processorTime(), longest: Duration.zero))
                let error = try renderError(source, "scale=4&filter=" + filters) {
                    state.withLock { state in
                        let now = processorTime()
                        if state.asked > 0 { state.longest = max(state.longest, now - state.last) }
                        state.asked += 1
                        state.last = now
                        return state.asked > 400
                    }
                }
                #expect(error == .cancelled || error == nil)
                // Optimised, 5 to 20 ms; the bound is for a debug build with a sanitizer, of which two processors do a part.
                #expect(state.withLock { $0.longest } < .seconds(2), "\(state.withLock { "\($0)" })")
            }
        }

        @Test func encodingIsCancelledToo() throws {
            try engineStart.get()
            let pixels = SharedBytes([UInt8](repeating: 200, count: 2048 * 2048 * 4))
            for output in [OutputFormat.jpeg, .png] {
                let asked = Mutex(0)
                #expect(throws: ImageError.cancelled) {
                    try ImageEngine.encode(
                        rgba: pixels, widthPx: 2048, heightPx: 2048, output: output, quality: nil,
                        shouldStop: {
                            asked.withLock { count in
                                count += 1
                                return count > 1
                            }
                        })
                }
            }
        }

        @Test func concurrentRendersGiveTheSameBytes() throws {
            let source = try texture(500, 400, .jpeg)
            let expected = try render(source, "width=123&rotate=90&filter=sharpen", .webp).content.array
            let different = Mutex(0)
            onThreads(24) { _ in
                let bytes = try? render(source, "width=123&rotate=90&filter=sharpen", .webp).content.array
                if bytes != expected { different.withLock { $0 += 1 } }
            }
            #expect(different.withLock { $0 } == 0)
        }

        /// In a process of its own: other suites have pictures in the making, for as long as the machine takes.
        @Test func threeHundredRendersLeaveNothingBehind() async {
            await #expect(processExitsWith: .success) {
                let good = try texture(120, 90, .jpeg)
                let alpha = try picture(60, 60, .png) { x, _ in [0, 0, 0, UInt8(x * 4)] }
                let broken = SharedBytes(Array(good.array[..<(good.count / 2)]))
                func round() throws {
                    _ = try render(good, "width=40&rotate=90&filter=blur:2,contrast:10", .jpeg)
                    _ = try render(alpha, "width=30&height=40&fit=contain&filter=blur:1", .webp)
                    _ = try renderError(broken)
                }
                for _ in 0..<5 { try round() }
                let before = ImageEngine.trackedMemory
                for _ in 0..<100 { try round() }
                // Threads of libvips' pool keep a few line buffers each; what leaked per render would be hundreds.
                let limit = (allocations: before.allocationCount + 40, bytes: before.byteCount + 4_000_000)
                let after = settledMemory { $0.allocationCount <= limit.allocations && $0.byteCount <= limit.bytes }
                #expect(after.allocationCount <= limit.allocations)
                #expect(after.byteCount <= limit.bytes)
            }
        }
    }
}

/// What libvips holds. Threads of its pool give their buffers back a moment after the picture is done: this is waited for,
/// within some minutes.
private func settledMemory(_ isSettled: (TrackedMemory) -> Bool) -> TrackedMemory {
    var last = ImageEngine.trackedMemory
    for _ in 0..<18_000 where !isSettled(last) {
        Thread.sleep(forTimeInterval: 0.01)
        last = ImageEngine.trackedMemory
    }
    return last
}

/// How long the processors have worked for this process.
private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

extension SeededGenerator {
    /// A number from 0 up to `bound`.
    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
