import Bytes
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Images that are coded larger than the boxes of their file tell. All say that they have 64 × 64 pixels.
    @Suite struct HEIFCodedSizeTests {
        private static let tile: Result<SharedBytes, any Error> = Result {
            try render(corners(64, 64, .jpeg), "", .avif).content
        }

        private func empty() throws -> WrittenHEIF { try WrittenHEIF(Self.tile.get()) }

        /// A grid that names one tile of this content twice.
        private func grid(_ content: [UInt8]) throws -> WrittenHEIF {
            var file = try empty()
            let grid = file.grid(2, 1, widthPx: 128, heightPx: 64)
            let tile = file.image(coded: content)
            file.refer("dimg", from: grid, to: [tile, tile])
            return file
        }

        private func hevc(_ configuration: [UInt8], _ units: [[UInt8]]) throws -> WrittenHEIF {
            var file = try empty()
            let (size, property) = (file.size(64, 64), file.add(property: configuration))
            _ = file.add("hvc1", [size, property], content: CodedImage.hevc(units))
            return file
        }

        private func partPixelCount(_ bytes: [UInt8]) throws -> Int {
            let file = SharedBytes(bytes)
            let items = try HEIFItems(file.span)
            return try items.partPixelCount()
        }

        private func isCorrupt(_ bytes: [UInt8]) -> Bool {
            let file = SharedBytes(bytes)
            do throws(ImageError) {
                _ = try HEIFItems(file.span)
                return false
            } catch {
                if case .corrupt = error { return true }
                return false
            }
        }

        @Test func tilesCodedLarger_countAsTheyAreCoded() throws {
            var file = try grid(CodedImage.av1(4096, 2048))
            #expect(try partPixelCount(file.bytes) == 2 * 4096 * 2048)
            file.isInner = true
            #expect(try partPixelCount(file.bytes) == 2 * 4096 * 2048)
            var many = try empty()
            let first = many.grid(32, 32, widthPx: 2048, heightPx: 2048)
            let tile = many.image(coded: CodedImage.av1(4096, 4096))
            many.refer("dimg", from: first, to: Array(repeating: tile, count: 1024))
            #expect(try renderError(SharedBytes(many.bytes)) == .tooManyPartPixels(limit: 75_000_000))
        }

        @Test func imagesAsTheyTell_countAsBefore() throws {
            #expect(try partPixelCount(grid(CodedImage.av1(64, 64)).bytes) == 2 * 64 * 64)
            #expect(try partPixelCount(grid(CodedImage.av1(isOverridden: false)).bytes) == 2 * 64 * 64)
            // Whole blocks.
            #expect(try partPixelCount(grid(CodedImage.av1(127, 127)).bytes) == 2 * 64 * 64)
            #expect(try partPixelCount(grid(CodedImage.av1(128, 64)).bytes) == 2 * 128 * 64)
        }

        @Test func primaryImageCodedLarger_countsAsItIsCoded() throws {
            var file = try empty()
            _ = file.image(coded: CodedImage.av1(4096, 4096))
            #expect(try partPixelCount(file.bytes) == 4096 * 4096)
            try engineStart.get()
            let found = try ImageEngine.probe(SharedBytes(file.bytes), limits: ImageLimits())
            #expect(found.partPixelCount == 4096 * 4096)
        }

        @Test func alphaChannelCodedLarger_countsAsItIsCoded() throws {
            func alpha(_ side: Int) throws -> [UInt8] {
                var file = try empty()
                let name = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0]
                let property = file.add(property: WrittenHEIF.box("auxC", big(0, 4) + name))
                let image = file.image(coded: CodedImage.av1(64, 64))
                let second = file.image(coded: CodedImage.av1(side, side), [property])
                file.refer("auxl", from: second, to: [image])
                return file.bytes
            }
            #expect(try partPixelCount(alpha(64)) == 0)
            #expect(try partPixelCount(alpha(128)) == 64 * 64 + 128 * 128)
            #expect(throws: ImageError.unsupportedFormat) { _ = try partPixelCount(alpha(4096)) }
        }

        /// dav1d decodes hidden frames, goes by the last sequence header, and frames may have a size of their own.
        @Test func everyFrameOfAnImage_counts() throws {
            let (small, large) = (CodedImage.av1(64, 64), CodedImage.av1(4096, 4096))
            let frames = small + large
            #expect(try partPixelCount(grid(frames).bytes) == 2 * 2 * 4096 * 4096)
            let headers = CodedImage.sequence(64, 64) + large
            #expect(try partPixelCount(grid(headers).bytes) == 2 * 4096 * 4096)
            let padding = (0..<100).flatMap { _ in CodedImage.unit(15, [UInt8](repeating: 0, count: 100)) }
            #expect(try partPixelCount(grid(padding + large).bytes) == 2 * 4096 * 4096)
            #expect(try partPixelCount(grid(CodedImage.av1(isOverridden: true)).bytes) == 2 * 4096 * 4096)
        }

        @Test func sequenceHeaderOfTheProperty_counts() throws {
            var file = try empty()
            let content: [UInt8] = [0x81, 0, 0x0c, 0] + CodedImage.sequence(4096, 4096)
            let (size, property) = (file.size(64, 64), file.add(property: WrittenHEIF.box("av1C", content)))
            _ = file.add("av01", [size, property], content: CodedImage.unit(6, [0, 0]))
            #expect(try partPixelCount(file.bytes) == 4096 * 4096)
        }

        @Test func parameterSetsOfHEVC_count() throws {
            let (small, large) = (CodedImage.parameterSet(64, 64), CodedImage.parameterSet(8192, 4096))
            let slice = CodedImage.slice
            let told = CodedImage.configuration(small)
            #expect(try partPixelCount(hevc(told, [slice]).bytes) == 0)
            #expect(try partPixelCount(hevc(CodedImage.configuration(large), [slice]).bytes) == 8192 * 4096)
            #expect(try partPixelCount(hevc(told, [large, slice]).bytes) == 8192 * 4096)
            #expect(try partPixelCount(hevc(told, [slice, slice, slice]).bytes) == 3 * 64 * 64)
            #expect(try isCorrupt(hevc(CodedImage.configuration(slice), [slice]).bytes))
        }

        @Test func imagesWithoutData_areDamaged() throws {
            let whole = try grid(CodedImage.av1(64, 64)).bytes
            #expect(!isCorrupt(whole))
            #expect(isCorrupt(Array(whole.dropLast())))
            #expect(try isCorrupt(grid(CodedImage.unit(2, [])).bytes))
            // A sequence header that breaks off.
            #expect(try isCorrupt(grid(CodedImage.unit(1, [0x18])).bytes))
        }

        @Test func placesThatReadersTakeDifferently_areRefused() throws {
            let whole = try grid(CodedImage.av1(64, 64)).bytes
            let place = try #require(whole.firstRange(of: Array("iloc".utf8))).upperBound
            // The widths of numbers; an index in version 1.
            for change in [[0, 0, 0, 0, 0x24], [1, 0, 0, 0, 0x44, 0x04], [3]] as [[UInt8]] {
                var file = whole
                file.replaceSubrange(place..<(place + change.count), with: change)
                #expect(isCorrupt(file), "\(change)")
            }
        }

        @Test func manyUnits_areRefused() throws {
            let padding = (0..<65_536).flatMap { _ in [0x7a, 0] as [UInt8] }
            let many = try grid(padding + CodedImage.av1(64, 64)).bytes
            #expect(throws: ImageError.tooManyParts(limit: 65_536)) { _ = try partPixelCount(many) }
        }

        @Test func numbersThatBreakOff_areZero() {
            var bits = BitReader([0b1010_0000])
            let first = bits.number(3)
            #expect(first == 5)
            #expect(!bits.isPastEnd)
            let second = bits.exponential()
            let third = bits.number(1)
            #expect([second, third] == [0, 0])
            #expect(bits.isPastEnd)
            var long = BitReader([0, 0, 0, 0, 0xff])
            let zeros = long.exponential()
            #expect(zeros == 0)
            #expect(long.isPastEnd)
        }
    }
}
