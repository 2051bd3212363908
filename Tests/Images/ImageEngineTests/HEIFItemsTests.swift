import Bytes
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Images that are made of others, which libheif decodes as often as they are named.
    @Suite struct HEIFItemsTests {
        private static let tile: Result<SharedBytes, any Error> = Result {
            try render(corners(64, 64, .jpeg), "", .avif).content
        }

        /// A file without items.
        private func empty() throws -> WrittenHEIF { try WrittenHEIF(Self.tile.get()) }

        /// A grid of 64 × 64 pixels that names one image `count` times.
        private func grid(naming count: Int, side: Int) throws -> [UInt8] {
            var file = try empty()
            let grid = file.grid(1, 1, widthPx: 64, heightPx: 64)
            let tile = file.image(side, side)
            file.refer("dimg", from: grid, to: Array(repeating: tile, count: count))
            return file.bytes
        }

        private func refusal(_ bytes: [UInt8]) -> ImageError? {
            let file = SharedBytes(bytes)
            do throws(ImageError) {
                let items = try HEIFItems(file.span)
                _ = try items.partPixelCount()
                return nil
            } catch {
                return error
            }
        }

        private func partPixelCount(_ bytes: [UInt8]) throws -> Int {
            let file = SharedBytes(bytes)
            let items = try HEIFItems(file.span)
            return try items.partPixelCount()
        }

        private func header(_ bytes: [UInt8]) throws -> ImageHeader {
            try engineStart.get()
            return try ImageEngine.probe(SharedBytes(bytes), limits: ImageLimits())
        }

        private func isCorrupt(_ error: ImageError?) -> Bool {
            if case .corrupt? = error { true } else { false }
        }

        @Test func imagesLaidOverOneAnother_areRefused() throws {
            var file = try empty()
            let size = file.size(64, 64)
            // Version and flags, the color of the canvas, its size, the place of each image (§6.6.2.2).
            var content = big(0, 10) + big(64, 2) + big(64, 2)
            content += [UInt8](repeating: 0, count: 4 * 3)
            let overlay = file.add("iovl", [size], content: content)
            let tile = file.image(64, 64)
            file.refer("dimg", from: overlay, to: [tile, tile, tile])
            #expect(try renderError(SharedBytes(file.bytes)) == .unsupportedFormat)
        }

        /// Each is primary image, the one below, and so on; the last one is coded.
        @Test(arguments: [
            ["iden", "iden"], ["grid", "grid"], ["grid", "iden"], ["iden", "grid", "grid"], ["iden", "iovl"],
        ])
        func imagesMadeOfMadeOnes_areRefused(_ types: [String]) throws {
            var file = try empty()
            let size = file.size(64, 64)
            for (index, type) in types.enumerated() {
                let item = file.add(type, [size], content: [0, 0, 0, 0, 0, 64, 0, 64])
                file.refer("dimg", from: item, to: [index + 2])
            }
            _ = file.image(64, 64)
            #expect(try renderError(SharedBytes(file.bytes)) == .unsupportedFormat)
        }

        @Test func imageThatStandsForTwo_isRefused() throws {
            var file = try empty()
            let size = file.size(64, 64)
            let first = file.add("iden", [size])
            let tile = file.image(64, 64)
            file.refer("dimg", from: first, to: [tile, tile])
            #expect(refusal(file.bytes) == .unsupportedFormat)
        }

        @Test func imageThatStandsForATiledOne_hasItsPixels() throws {
            var file = try empty()
            let size = file.size(100, 100)
            let first = file.add("iden", [size])
            let grid = file.grid(2, 2, widthPx: 100, heightPx: 100)
            let tile = file.image(64, 64)
            file.refer("dimg", from: first, to: [grid])
            file.refer("dimg", from: grid, to: [tile, tile, tile, tile])
            #expect(try partPixelCount(file.bytes) == 4 * 64 * 64)
        }

        @Test func tilesCount_asOftenAsTheyAreNamed() throws {
            let pair = try grid(naming: 2, side: 4096)
            let found = try header(pair)
            #expect(found.size == PixelSize(widthPx: 64, heightPx: 64))
            #expect(found.partPixelCount == 2 * 4096 * 4096)
            // 33 million pixels take more than a second.
            var asked: [PredictedCost] = []
            let request = try ImageRequest.parse(QueryItems.parse("id=x&w=20"))
            let context = RenderContext(admission: { cost in
                asked.append(cost)
                return .never
            })
            let refusal = #expect(throws: ImageError.self) {
                try ImageEngine.render(
                    RenderSources(SharedBytes(pair)), request: request, accepting: Acceptance(only: .png), in: context)
            }
            guard case .tooCostly? = refusal else { throw try #require(refusal) }
            #expect(asked.count == 1)
            #expect(asked.allSatisfy { $0.microseconds > 1_000_000 && $0.byteCount > 2 * 4096 * 4096 })
            let many = try grid(naming: 200, side: 4096)
            #expect(try renderError(SharedBytes(many)) == .tooManyPartPixels(limit: 75_000_000))
        }

        @Test func pricesOfOtherImages_areAsBefore() throws {
            var header = ImageHeader(format: .avif, widthPx: 64, heightPx: 64)
            let plan = PixelAnalysis.overviewPlan(header, pages: .one(0))
            let plain = plan.predictedCost(header)
            header.partPixelCount = 64 * 64
            #expect(plan.predictedCost(header) == plain)
            header.partPixelCount *= 200
            #expect(plan.predictedCost(header).microseconds > plain.microseconds)
        }

        @Test func manyTiles_areRefused() throws {
            #expect(try refusal(grid(naming: 1024, side: 64)) == nil)
            #expect(try renderError(SharedBytes(grid(naming: 1025, side: 64))) == .tooManyParts(limit: 1024))
        }

        @Test func tileWithoutASize_isRefused() throws {
            var file = try empty()
            let grid = file.grid(1, 1, widthPx: 64, heightPx: 64)
            let tile = file.add("av01", [1])
            file.refer("dimg", from: grid, to: [tile])
            #expect(isCorrupt(refusal(file.bytes)))
        }

        /// Tiles that fit cost what one image does; those that jut out cost what is decoded.
        @Test(arguments: [(128, 0), (100, 4 * 64 * 64)])
        func ordinaryGrid_isRead(_ side: Int, _ expected: Int) throws {
            var file = try empty()
            let grid = file.grid(2, 2, widthPx: side, heightPx: side)
            let tiles = (0..<4).map { _ in file.image(64, 64) }
            file.refer("dimg", from: grid, to: tiles)
            let found = try header(file.bytes)
            #expect(found.size == PixelSize(widthPx: side, heightPx: side))
            #expect(found.partPixelCount == expected)
            let decoded = try Decoded(SharedBytes(file.bytes))
            for (x, y) in [(0, 0), (64, 0), (0, 64), (64, 64)] {
                #expect(decoded.shows(red, in: PixelRect(x: x, y: y, widthPx: 16, heightPx: 16)))
            }
        }

        @Test func ordinaryFiles_haveNoParts() throws {
            #expect(try header(Self.tile.get().array).partPixelCount == 0)
            guard Shared.isPresent else { return }
            for name in ["photo1.heic", "photo1.avif", "lv_orient6.avif"] {
                #expect(try header(Shared.read("images/\(name)").array).partPixelCount == 0, "\(name)")
            }
        }

        @Test func alphaChannel_countsWhereItIsLarger() throws {
            func alpha(_ side: Int, ofAlpha isNested: Bool = false) throws -> [UInt8] {
                var file = try empty()
                let name = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0]
                let property = file.add(property: WrittenHEIF.box("auxC", big(0, 4) + name))
                let first = file.image(64, 64)
                let second = file.image(side, side, [property])
                file.refer("auxl", from: second, to: [first])
                if isNested {
                    let third = file.image(64, 64, [property])
                    file.refer("auxl", from: third, to: [second])
                }
                return file.bytes
            }
            #expect(try partPixelCount(alpha(64)) == 0)
            #expect(try partPixelCount(alpha(32)) == 0)
            #expect(try partPixelCount(alpha(128)) == 64 * 64 + 128 * 128)
            #expect(try refusal(alpha(129)) == .unsupportedFormat)
            #expect(try refusal(alpha(64, ofAlpha: true)) == .unsupportedFormat)
        }

        @Test func croppedImage_countsWhole() throws {
            var file = try empty()
            let numbers = [64, 1, 64, 1, 0, 1, 0, 1]
            let crop = file.add(property: WrittenHEIF.box("clap", numbers.flatMap { big($0, 4) }))
            _ = file.image(4096, 4096, [crop])
            #expect(try partPixelCount(file.bytes) == 4096 * 4096)
        }

        @Test func manyItems_areAllLookedAt_orRefused() throws {
            func items(_ count: Int, _ type: String) throws -> [UInt8] {
                var file = try empty()
                for _ in 0..<count { _ = file.add(type) }
                return file.bytes
            }
            #expect(try renderError(SharedBytes(items(300, "jpeg"))) == .unsupportedFormat)
            #expect(try refusal(items(4096, "Exif")) == nil)
            #expect(try renderError(SharedBytes(items(4097, "Exif"))) == .tooManyParts(limit: 4096))
        }

        @Test func manyReferences_areRefused() throws {
            var file = try empty()
            let tile = file.image(64, 64)
            for _ in 0..<16 { file.refer("cdsc", from: tile, to: Array(repeating: tile, count: 1024)) }
            #expect(refusal(file.bytes) == nil)
            file.refer("cdsc", from: tile, to: [tile])
            #expect(refusal(file.bytes) == .tooManyParts(limit: 16_384))
        }

        @Test func boxesThatReadersTakeDifferently_areRefused() throws {
            let plain = try grid(naming: 1, side: 64)
            #expect(refusal(plain) == nil)
            // libheif of Debian 12 takes the last of several, and reads as much as there is of one that breaks off.
            var meta = WrittenHEIF.box("meta", big(0, 4))
            #expect(isCorrupt(refusal(plain + meta)))
            meta[3] += 100
            #expect(isCorrupt(refusal(plain + meta)))
            // It goes by the number of references, and not by the length of their box.
            for change in [-2, 2] {
                var file = try empty()
                let tile = file.image(64, 64)
                var references = WrittenHEIF.box("cdsc", big(tile, 2) + big(1, 2) + big(tile, 2))
                references[3] = UInt8(references.count + change)
                file.refer(references + [0, 0])
                #expect(isCorrupt(refusal(file.bytes)), "\(change)")
            }
        }
    }
}
