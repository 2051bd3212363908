import Bytes
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct MasterTests {
        /// Large enough for a master, with waves of several lengths.
        private static let large: Result<SharedBytes, any Error> = Result {
            try picture(2800, 1900, .jpeg, quality: 88) { x, y in
                let wave = (x / 7 + y / 5) % 64
                return [UInt8(wave * 3 + 20), UInt8((x + 2 * y) / 37 % 256), UInt8(255 - wave * 2), 255]
            }
        }

        private func rendered(
            _ sources: RenderSources, _ query: String, _ options: RenderOptions = RenderOptions()
        ) throws -> RenderedImage {
            let request = try ImageRequest.parse(QueryItems.parse("id=x&" + query))
            return try ImageEngine.render(
                sources, request: request, accepting: Acceptance(only: .png), in: RenderContext(options: options))
        }

        private func master(_ source: SharedBytes, _ options: RenderOptions = RenderOptions()) throws -> SharedBytes? {
            try engineStart.get()
            return try ImageEngine.makeMaster(source, in: RenderContext(options: options))
        }

        private static let queries = [
            "width=800", "width=300", "width=120&height=120&fit=cover", "width=200&rotate=90",
            "crop=0,0,1400,950&width=200",
        ]

        @Test(arguments: [false, true]) func picturesOfAMasterLookLikeThoseOfTheOriginal(_ isLinear: Bool) throws {
            let (source, options) = (try Self.large.get(), RenderOptions(usesLinearLight: isLinear))
            let master = try #require(try master(source, options))
            for query in Self.queries {
                let mine = try rendered(RenderSources(SharedBytes([]), master: master), query, options)
                let exact = try rendered(RenderSources(source), query, options)
                #expect(mine.widthPx == exact.widthPx && mine.heightPx == exact.heightPx)
                let one = try Decoded(mine.content).samples
                let other = try Decoded(exact.content).samples
                let sum = zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(Double(sum) / Double(one.count) < 2, "\(query)")
            }
        }

        /// Less of a master goes to another process, and the image, its price and its pixels are the same.
        @Test func imagesOfAReducedMasterAreThoseOfTheWhole() throws {
            let whole = try #require(try master(Self.large.get()))
            let focused = "width=60&height=90&fit=cover&gravity=attention"
            for query in Self.queries + [focused] {
                let request = try ImageRequest.parse(QueryItems.parse("id=x&format=png&" + query))
                let reduced = ImageEngine.reducedMaster(
                    whole, for: request, accepting: Acceptance(only: .png), options: RenderOptions())
                #expect(reduced.count < whole.count, "\(query)")
                let (few, all) = (
                    RenderSources(SharedBytes([]), master: reduced), RenderSources(SharedBytes([]), master: whole)
                )
                let (mine, theirs) = (try rendered(few, query), try rendered(all, query))
                #expect(mine.content.array == theirs.content.array && mine.report.level == theirs.report.level)
                let (costs, pixels) = (
                    try [few, all].map { sources throws in
                        try ImageEngine.predictedCost(
                            sources, request: request, accepting: Acceptance(only: .png), in: RenderContext())
                    },
                    try [few, all].map { sources throws in
                        try ImageEngine.renderPixels(sources, request: request, in: RenderContext()).rgba.array
                    }
                )
                #expect(costs[0].steps == costs[1].steps && pixels[0] == pixels[1], "\(query)")
            }
            // What needs the original needs it all the same.
            let request = try ImageRequest.parse(QueryItems.parse("id=x&width=1100"))
            let kept = ImageEngine.reducedMaster(
                whole, for: request, accepting: Acceptance(only: .png), options: RenderOptions())
            #expect(kept === whole)
            let none = SharedBytes(Array("no master".utf8))
            #expect(
                ImageEngine.reducedMaster(
                    none, for: request, accepting: Acceptance(only: .png), options: RenderOptions()) === none)
        }

        private static let portrait = "id=x&format=png&width=64&height=64&fit=cover&gravity=attention"

        /// As it lies on the disk: what an image needs of it, and little more.
        @Test func reducedMasterIsReadInParts() throws {
            let whole = try #require(try master(Self.large.get()))
            let request = try ImageRequest.parse(QueryItems.parse(Self.portrait))
            func reduced(_ read: (Range<Int>) -> SharedBytes?) -> SharedBytes? {
                ImageEngine.reducedMaster(
                    byteCount: whole.count, for: request, accepting: Acceptance(only: .png), options: RenderOptions(),
                    read: read)
            }
            var readCount = 0
            let parts = reduced { range in
                readCount += range.count
                return whole.slice(range)
            }
            let expected = ImageEngine.reducedMaster(
                whole, for: request, accepting: Acceptance(only: .png), options: RenderOptions())
            #expect(parts?.array == expected.array)
            #expect(readCount < expected.count + Master.headByteCount && readCount < whole.count / 2)
            #expect(reduced({ _ in nil }) == nil)
        }

        /// It is told where no file of others may be opened: nothing but the header of the master is looked at.
        @Test func priceOfAMasterFollowsFromItsHeader() throws {
            let whole = try #require(try master(Self.large.get()))
            let head = whole.array.prefix(Master.headByteCount)
            let blank = SharedBytes(Array(head) + [UInt8](repeating: 0, count: whole.count - head.count))
            for query in Self.queries.map({ "id=x&format=png&" + $0 }) + [Self.portrait] {
                let request = try ImageRequest.parse(QueryItems.parse(query))
                let costs = try [whole, blank].map { master in
                    try ImageEngine.predictedCost(
                        RenderSources(SharedBytes([]), master: master), request: request,
                        accepting: Acceptance(only: .png), in: RenderContext())
                }
                #expect(costs[0] == costs[1], "\(query)")
                var asked: [PredictedCost] = []
                let context = RenderContext(admission: { cost in
                    asked.append(cost)
                    return .now
                })
                _ = try ImageEngine.renderPixels(
                    RenderSources(SharedBytes([]), master: whole), request: request, in: context)
                #expect(asked.last?.steps == costs[0].steps, "\(query)")
            }
            func isPriced(_ sources: RenderSources, _ limits: ImageLimits = ImageLimits()) -> Bool {
                ImageEngine.pricesByMaster(sources, limits: limits)
            }
            let none = SharedBytes([])
            #expect(isPriced(RenderSources(none, master: whole)))
            #expect(!isPriced(RenderSources(none, master: whole), ImageLimits(pixelCount: 1_000_000)))
            #expect(!isPriced(RenderSources(none, master: whole, overlays: [whole])))
            #expect(!isPriced(RenderSources(whole)) && !isPriced(RenderSources(none, master: none)))
        }

        @Test func theSameSourceGivesTheSameMaster() throws {
            let source = try Self.large.get()
            #expect(try master(source)?.array == master(source)?.array)
        }

        @Test func whatTakesTheOriginalSaysSo() throws {
            let master = try #require(try master(Self.large.get()))
            let sources = RenderSources(SharedBytes([]), master: master)
            for query in [
                "width=1100", "crop=100,100,300,300&width=200", "width=200&metadata=keep",
                "width=200&profile=keep", "width=200&trim=10",
            ] {
                #expect(throws: ImageError.needsOriginal, "\(query)") { try rendered(sources, query) }
            }
            #expect(try rendered(sources, "width=1024").widthPx == 1024)
        }

        @Test func smallOrTransparentOrMovingPicturesHaveNone() throws {
            #expect(try master(texture(300, 200, .jpeg)) == nil)
            let clear = try picture(2800, 40, .png) { x, _ in [0, 0, 0, UInt8(x % 256)] }
            #expect(try master(clear) == nil)
        }

        @Test func damagedMastersAreRefused() throws {
            let master = try #require(try master(Self.large.get())).array
            for count in [0, 7, 8, 20, 40, 63, master.count - 1] {
                #expect(throws: ImageError.self) {
                    try rendered(
                        RenderSources(SharedBytes([]), master: SharedBytes(Array(master.prefix(count)))), "width=100")
                }
            }
            for offset in 0..<64 {
                var damaged = master
                damaged[offset] = 255
                _ = try? rendered(RenderSources(SharedBytes([]), master: SharedBytes(damaged)), "width=100")
            }
        }
    }

    @Suite struct LinearLightTests {
        @Test func everyCodeComesBackAsItself() {
            for code in 0..<256 { #expect(LightCurve.code[Int(LightCurve.light[code])] == UInt8(code)) }
        }

        @Test func blackAndWhiteMixToTheirMeanLight() throws {
            let source = try picture(400, 400, .png) { x, y in
                (x + y) % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]
            }
            let request = try ImageRequest.parse(QueryItems.parse("id=x&width=40"))
            let image = try ImageEngine.render(
                RenderSources(source), request: request, accepting: Acceptance(only: .png),
                in: RenderContext(options: RenderOptions(usesLinearLight: true)))
            // Half of the light is code 188.
            #expect(try Decoded(image.content).samples.allSatisfy { abs(Int($0) - 188) <= 3 })
        }

        /// However far a JPEG is reduced, the decoder averages nothing: #15.17.
        @Test(arguments: [180, 90, 45, 25]) func jpegMixesToItsMeanLight_howeverSmall(_ width: Int) throws {
            let source = try picture(800, 400, .jpeg, quality: 98) { x, y in
                (x + y) % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]
            }
            let request = try ImageRequest.parse(QueryItems.parse("id=x&width=\(width)"))
            func rendered(_ options: RenderOptions) throws -> RenderedImage {
                try ImageEngine.render(
                    RenderSources(source), request: request, accepting: Acceptance(only: .png),
                    in: RenderContext(options: options))
            }
            let image = try rendered(RenderOptions(usesLinearLight: true))
            #expect(image.report.loadShrink == 1)
            #expect(try Decoded(image.content).samples.allSatisfy { abs(Int($0) - 188) <= 4 })
            // It is paid for: more is decoded than in encoded samples.
            let usual = try rendered(RenderOptions())
            #expect(usual.report.loadShrink > 1)
            #expect(image.report.cost.microseconds > usual.report.cost.microseconds)
        }

        @Test func anEvenAreaKeepsItsValueInLinearLight() throws {
            let sources = [
                try picture(90, 61, .png) { _, _ in [13, 200, 77, 255] },
                try picture(90, 61, .jpeg) { _, _ in [128, 128, 128, 255] },
            ]
            let request = try ImageRequest.parse(QueryItems.parse("id=x&width=31"))
            for source in sources {
                let image = try ImageEngine.render(
                    RenderSources(source), request: request, accepting: Acceptance(only: .png),
                    in: RenderContext(options: RenderOptions(usesLinearLight: true)))
                let first = try Decoded(source)[40, 30]
                let decoded = try Decoded(image.content)
                #expect(decoded[15, 10] == first && decoded[0, 0] == first)
            }
        }
    }
}
