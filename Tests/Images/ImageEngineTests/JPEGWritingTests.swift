import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct JPEGWritingTests {
        @Test(arguments: [(1, 1), (7, 3), (16, 16), (17, 33), (255, 1), (1, 255), (640, 401)])
        func picturesOfAnySize_comeBackAlike(_ width: Int, _ height: Int) throws {
            let source = try texture(width, height, .png)
            let before = try Decoded(source)
            for query in ["quality=95", "quality=95&progressive=1", "quality=95&filter=grayscale"] {
                let written = try render(source, query, .jpeg).content
                let after = try Decoded(written)
                #expect([after.widthPx, after.heightPx] == [width, height])
                guard after.bands == before.bands else { continue }
                let sum = zip(before.samples, after.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(Double(sum) / Double(before.samples.count) < 6, "\(query)")
            }
        }

        @Test func higherQuality_isNearerAndLonger() throws {
            let source = try texture(200, 150, .png)
            let before = try Decoded(source)
            var (lastCount, lastDistance) = (0, Int.max)
            for quality in [1, 20, 50, 80, 89, 95, 100] {
                let written = try render(source, "quality=\(quality)", .jpeg).content
                let after = try Decoded(written)
                let distance = zip(before.samples, after.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(written.count > lastCount, "\(quality)")
                #expect(distance < lastDistance, "\(quality)")
                (lastCount, lastDistance) = (written.count, distance)
            }
        }

        @Test func kindsOfFile_areThoseAskedFor() throws {
            let source = try texture(120, 80, .png)
            #expect(try frame(render(source, "quality=80", .jpeg)) == Frame(marker: 0xc0, planes: 3, factors: 0x22))
            #expect(try frame(render(source, "quality=90", .jpeg)) == Frame(marker: 0xc0, planes: 3, factors: 0x11))
            #expect(
                try frame(render(source, "quality=80&progressive=1", .jpeg))
                    == Frame(marker: 0xc2, planes: 3, factors: 0x22))
            #expect(
                try frame(render(source, "quality=80&filter=grayscale", .jpeg))
                    == Frame(marker: 0xc0, planes: 1, factors: 0x11))
        }

        /// Straight from its rows, in less time.
        @Test(arguments: [70, 95], [false, true])
        func opaqueDrawing_hasTheBytesOfItsColors(_ quality: Int, _ isQuick: Bool) throws {
            try engineStart.get()
            let (width, height) = (77, 45)
            var samples: [UInt8] = []
            for index in 0..<width * height {
                samples += [UInt8(index & 255), UInt8(index * 7 & 255), UInt8(index / 9 & 255), 255]
            }
            let rgba = SharedBytes(samples)
            let direct = try ImageEngine.encodedAsJPEG(
                opaque: rgba, PixelSize(widthPx: width, heightPx: height), quality: quality, isQuick: isQuick,
                in: RenderContext())
            let written = try ImageEngine.encode(
                rgba: rgba, widthPx: width, heightPx: height, output: .jpeg, quality: quality, isQuick: isQuick,
                shouldStop: { false })
            var settings = EncoderSettings(quality: quality)
            settings.isQuick = isQuick
            let colors = try VipsImage(DrawnPixels(premultiplied: [rgba], widthPx: width, heightPx: height))
            let plain = try colors.encoded(as: .jpeg, settings: settings, in: RenderContext()).array
            #expect(written.array == plain && direct?.array == plain)
            // What shows through is laid on white first.
            let clear = SharedBytes(Array(rgba.array.dropLast(4)) + [0, 0, 0, 0])
            for (bytes, side) in [(clear, height), (rgba, height + 1)] {
                let none = try ImageEngine.encodedAsJPEG(
                    opaque: bytes, PixelSize(widthPx: width, heightPx: side), quality: quality, isQuick: isQuick,
                    in: RenderContext())
                #expect(none == nil)
            }
        }

        @Test func tablesAreThePicturesOwn() throws {
            // A picture of one color has hardly any symbols: its tables are a few bytes where the standard ones have 400.
            let even = try picture(64, 64, .png) { _, _ in [90, 120, 30, 255] }
            #expect(try render(even, "quality=80", .jpeg).content.count < 400)
        }

        /// What the frame header says (ITU-T T.81 §B.2.2).
        private struct Frame: Equatable {
            let marker: UInt8
            let planes: UInt8
            let factors: UInt8
        }

        private func frame(_ image: RenderedImage) -> Frame? {
            let bytes = image.content.withUnsafeBytes { Array($0) }
            var offset = 2
            while offset + 12 < bytes.count, bytes[offset] == 0xff {
                let marker = bytes[offset + 1]
                if marker == 0xc0 || marker == 0xc1 || marker == 0xc2 {
                    return Frame(marker: marker, planes: bytes[offset + 9], factors: bytes[offset + 11])
                }
                offset += 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
            }
            return nil
        }
    }
}
