import Bytes
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    @Suite struct Encoder {
        /// Detail, hills and even parts, as photographs have them.
        static func scene(_ widthPx: Int, _ heightPx: Int, _ output: OutputFormat, quality: Int? = 95) throws
            -> SharedBytes
        {
            try picture(widthPx, heightPx, output, quality: quality) { x, y in
                let hill = (x * x / 97 + y * y / 61) % 200
                let fine = (x &* 73 ^ y &* 151) % 23
                return [
                    UInt8(30 + hill), UInt8(20 + (hill * 3 / 4 + fine) % 230), UInt8(min(255, y * 255 / heightPx)), 255,
                ]
            }
        }

        /// Drawn: few colors, even areas.
        static func drawing(_ widthPx: Int, _ heightPx: Int, _ output: OutputFormat) throws -> SharedBytes {
            try picture(widthPx, heightPx, output) { x, y in
                (x / 60 + y / 45) % 3 == 0 ? red : (x + y) % 90 < 30 ? blue : [250, 250, 250, 255]
            }
        }

        private func accepting(_ formats: [OutputFormat]) -> Acceptance {
            Acceptance { AcceptedQuality(quality: formats.contains($0) ? 1 : 0, isExplicit: true) }
        }

        private func render(
            _ source: SharedBytes, _ query: String, accepting: Acceptance = Acceptance(only: .png),
            memo: BoundQualityMemo? = nil
        ) throws -> RenderedImage {
            try engineStart.get()
            let request = try ImageRequest.parse(QueryItems.parse("id=x&" + query))
            return try ImageEngine.render(
                RenderSources(source, qualityMemo: memo), request: request, accepting: accepting, in: RenderContext())
        }

        /// The score of a rendering at a named quality against the pixels without loss.
        private func score(_ source: SharedBytes, _ query: String, _ format: OutputFormat, _ quality: Int) throws
            -> Double
        {
            let exact = try render(source, query + "&format=png")
            let lossy = try render(source, query + "&format=\(format.rawValue)&quality=\(quality)")
            let reference = try Source.load(exact.content, .png).evaluated(in: RenderContext())
            let scorer = try #require(try Scorer(reference, frames: nil, in: RenderContext()))
            return try #require(try scorer.score(of: lossy.content, format, in: RenderContext()))
        }

        @Test(arguments: [OutputFormat.jpeg, .webp, .avif], ["60", "75", "82"])
        func autoReachesItsTarget_andHardlyMore(_ format: OutputFormat, _ target: String) throws {
            let source = try Self.scene(420, 300, .png)
            let query = "width=300"
            let picture = try render(source, query + "&format=\(format.rawValue)&quality=auto:\(target)")
            let (quality, goal) = (try #require(picture.quality), try #require(Double(target)))
            let reached = try #require(picture.score)
            #expect(abs(reached - (try score(source, query, format, quality))) < 1e-9)
            #expect(reached >= goal)
            #expect(try reached < goal + QualitySearch.tolerance || score(source, query, format, quality - 1) < goal)
        }

        @Test func autoGrowsWithItsTarget() throws {
            let source = try Self.scene(400, 300, .png)
            let pictures = try [40, 60, 70, 80, 90].map { try render(source, "format=jpeg&quality=auto:\($0)") }
            let qualities = pictures.compactMap(\.quality)
            #expect(qualities == qualities.sorted())
            #expect(Set(qualities).count == 5)
            let counts = pictures.map(\.content.count)
            #expect(counts == counts.sorted())
        }

        @Test func equalRequests_giveEqualBytes_whateverWasAskedBefore() throws {
            let source = try Self.scene(700, 500, .jpeg)
            let qualities = QualityMemo()
            let memo = qualities.bound(to: "scene")
            let fresh = try render(source, "width=320&format=webp&quality=auto")
            for query in ["width=90", "width=500", "width=500&filter=blur:4"] {
                _ = try render(source, query + "&format=webp&quality=auto", memo: memo)
            }
            let later = try render(source, "width=320&format=webp&quality=auto", memo: memo)
            #expect(later.content.array == fresh.content.array)
            #expect(later.score == fresh.score)
            #expect(qualities.count == 1)
        }

        @Test func autoJudgesTransparentPictures() throws {
            let source = try picture(200, 160, .png) { x, y in
                let alpha = UInt8(min(255, x * 2))
                func part(_ value: Int) -> UInt8 { UInt8(value % 256 * Int(alpha) / 255) }
                return [part(x + y / 3), part(y + 20), part(200 - x / 2), alpha]
            }
            let picture = try render(source, "format=webp&quality=auto:75")
            #expect(try #require(picture.score) >= 75)
        }

        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared"))
        func autoJudgesSomeFramesOfAnimations() throws {
            let source = try Shared.read("images/anim12.gif")
            let picture = try render(source, "width=120&format=webp&quality=auto:70", accepting: accepting([.webp]))
            #expect(try #require(picture.score) >= 70)
            #expect(picture.frameCount == 12)
            #expect(Scorer.pages(of: 12) == [0, 6, 11])
            #expect(Scorer.pages(of: 1) == [0])
        }

        /// A photograph of 12 megapixels in two sizes: the second begins where the first left off.
        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared"))
        func autoReachesItsTargetOnPhotographs_inFewTrials() throws {
            let source = try Shared.read("images/photo12_seeding.jpg")
            let memo = QualityMemo().bound(to: "seeding")
            for query in ["width=400", "width=240"] {
                let picture = try render(source, query + "&format=jpeg&quality=auto:80", memo: memo)
                let score = try #require(picture.score)
                #expect((80..<81.5).contains(score))
                #expect(picture.report.trials.count <= 4)
            }
        }

        @Test func tinyPictures_takeTheDefault() throws {
            let picture = try render(Self.scene(40, 30, .png), "width=6&format=jpeg&quality=auto")
            #expect(picture.quality == OutputFormat.jpeg.defaultQuality)
            #expect(picture.score == nil)
        }

        @Test(arguments: [OutputFormat.jpeg, .webp, .avif], [6_000, 9_000])
        func bytes_areKept_andUsed(_ format: OutputFormat, _ limit: Int) throws {
            let source = try Self.scene(420, 300, .png)
            let picture = try render(source, "width=400&format=\(format.rawValue)&quality=95&bytes=\(limit)")
            let quality = try #require(picture.quality)
            #expect(picture.content.count <= limit)
            let next = try render(source, "width=400&format=\(format.rawValue)&quality=\(quality + 1)")
            let isFull = Double(picture.content.count) >= SizeSearch.fillShare * Double(limit)
            #expect(isFull || next.content.count > limit)
        }

        @Test func bytesThatAreNotNeeded_changeNothingBesideAQuality() throws {
            let source = try Self.scene(200, 150, .png)
            let plain = try render(source, "format=jpeg")
            #expect(try render(source, "format=jpeg&quality=80&bytes=1m").content.array == plain.content.array)
        }

        /// Without a quality the limit is filled, beyond the default: #15.22.
        @Test(arguments: [OutputFormat.jpeg, .webp, .avif]) func bytes_areUsed_beyondTheDefault(
            _ format: OutputFormat
        ) throws {
            let source = try Self.scene(420, 300, .png)
            let query = "width=400&format=\(format.rawValue)"
            let usual = try render(source, query)
            let finest = try render(source, query + "&bytes=1m")
            #expect(finest.quality == SizeSearch.finestQuality)
            let limit = (usual.content.count + finest.content.count) / 2
            let picture = try render(source, query + "&bytes=\(limit)")
            let quality = try #require(picture.quality)
            #expect(picture.content.count <= limit)
            #expect(quality > usual.quality ?? 100)
            let next = try render(source, query + "&quality=\(quality + 1)")
            let isFull = Double(picture.content.count) >= SizeSearch.fillShare * Double(limit)
            #expect(isFull || next.content.count > limit)
        }

        /// #15.22
        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared"))
        func autoReachesWhatWebPCan_aboveNinetyFive() throws {
            let source = try Shared.read("images/photo12_seeding.jpg")
            let picture = try render(source, "width=800&format=webp&quality=auto:90")
            #expect(try #require(picture.score) >= 90)
            #expect(try #require(picture.quality) > 95)
        }

        /// A thumbnail in WebP, with a quarter of its chroma, scores 94 at no quality; what does is taken: #15.22.
        @Test(.enabled(if: Shared.isPresent, "no test data at ../shared"))
        func autoTakesTheFormatThatReachesTheTarget() throws {
            let source = try Shared.read("images/photo12_seeding.jpg")
            let query = "width=150&quality=auto:94"
            let alone = try render(source, query + "&format=webp")
            #expect(try #require(alone.score) < 94 && alone.quality == 100)
            let best = try render(source, query, accepting: accepting([.webp, .avif]))
            #expect(best.format == .avif)
            #expect(try #require(best.score) >= 94)
        }

        @Test func bytesOutOfReach_areAnError() throws {
            let source = try Self.scene(300, 300, .png)
            do {
                _ = try render(source, "format=jpeg&bytes=300")
                Issue.record("300 bytes cannot hold it")
            } catch ImageError.bytesUnreachable(let limit, let smallest) {
                #expect(limit == 300)
                #expect(smallest > 300)
            }
        }

        @Test func unchangedPictures_areNeverLargerThanTheOriginal() throws {
            for format in [OutputFormat.jpeg, .webp, .png] {
                let source = try Self.scene(160, 120, format, quality: format == .png ? nil : 30)
                let picture = try render(source, "", accepting: Acceptance(only: format))
                #expect(picture.content.count <= source.count)
                #expect(picture.format == format)
                if picture.isOriginal { #expect(picture.quality == nil) }
            }
            let small = try Self.scene(160, 120, .jpeg, quality: 20)
            let original = try render(small, "", accepting: Acceptance(only: .jpeg))
            #expect(original.isOriginal)
            #expect(original.content.array == small.array)
            #expect(try !render(small, "width=100", accepting: Acceptance(only: .jpeg)).isOriginal)
        }

        @Test func photographs_areSentInTheDenserFormat_drawingsWithoutLoss() throws {
            let all = accepting([.avif, .webp, .jpeg, .png])
            let scene = try render(Self.scene(420, 300, .jpeg), "width=400", accepting: all)
            #expect(scene.format == .avif)
            #expect(!scene.report.formatReason.isEmpty)
            let drawing = try render(Self.drawing(600, 450, .png), "width=599", accepting: accepting([.webp, .png]))
            #expect(drawing.quality == nil)
        }

        /// Also where the client takes nothing but WebP: #15.20.
        @Test(arguments: ["width=599", "crop=0,0,150,150", "format=webp&width=599", "format=webp&width=599&bytes=100k"])
        func drawings_areSentWithoutLoss_inWebPAlone(_ query: String) throws {
            let source = try Self.drawing(600, 450, .png)
            let picture = try render(source, query, accepting: accepting([.webp]))
            let lossy = try render(source, query + "&quality=84", accepting: accepting([.webp]))
            #expect(picture.format == .webp && picture.quality == nil)
            #expect(lossy.quality == 84)
            #expect(picture.content.count < lossy.content.count)
        }

        @Test func photographs_areSentWithLoss_inWebPAlone() throws {
            let source = try Self.scene(420, 300, .jpeg)
            for query in ["width=400", "width=150", "format=webp", "quality=auto:70"] {
                #expect(try render(source, query, accepting: accepting([.webp])).quality != nil, "\(query)")
            }
        }

        @Test func smallPictures_areSentInTheSmallestFormat() throws {
            let all = accepting([.avif, .webp, .jpeg])
            let picture = try render(Self.scene(300, 200, .jpeg), "width=60", accepting: all)
            let trials = picture.report.trials
            #expect(Set(trials.map(\.format)) == [.avif, .webp, .jpeg])
            #expect(picture.content.count == trials.map(\.byteCount).min())
        }
    }
}
