import Bytes
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Whoever decodes is let in first, by what the header says.
    @Suite struct AdmissionTests {
        /// A PNG that breaks off after its header: decoding any of it fails, refusing it by its price does not.
        private static let headOnly: Result<SharedBytes, any Error> = Result {
            SharedBytes(Array(try texture(900, 700, .png).array.prefix(2000)))
        }

        /// Refuses, and keeps what it was asked.
        private final class Doorkeeper {
            var asked: [PredictedCost] = []
            var answers: [Admission]

            init(_ answers: Admission...) { self.answers = answers }

            func admit(_ cost: PredictedCost) -> Admission {
                asked.append(cost)
                return answers.isEmpty ? .now : answers.removeFirst()
            }
        }

        private func render(_ source: SharedBytes, _ query: String, _ door: Doorkeeper) throws -> RenderedImage {
            try engineStart.get()
            let request = try ImageRequest.parse(QueryItems.parse("id=x&" + query))
            return try ImageEngine.render(
                RenderSources(source), request: request, accepting: Acceptance(only: .png),
                in: RenderContext(admission: door.admit))
        }

        private func isTooCostly(_ error: any Error) -> Bool {
            if case .tooCostly(let microseconds, _)? = error as? ImageError { microseconds > 0 } else { false }
        }

        @Test(arguments: [
            "trim=10", "w=90&h=90&crop=attention", "w=90&h=90&crop=entropy", "trim=3&w=90&h=90&crop=attention", "w=80",
        ])
        func nothingIsDecodedForAQuestionThatIsRefused(_ query: String) throws {
            let source = try Self.headOnly.get()
            let door = Doorkeeper(.never)
            #expect(performing: { _ = try render(source, query, door) }, throws: isTooCostly)
            #expect(door.asked.count == 1)
            #expect(throws: ImageError.cancelled) { _ = try render(source, query, Doorkeeper(.later)) }
            // Let in, it comes to the bytes that are missing.
            #expect(performing: { _ = try render(source, query, Doorkeeper()) }, throws: { !isTooCostly($0) })
        }

        @Test func whatWasLookedAtIsPartOfThePrice() throws {
            let source = try texture(900, 700, .png)
            let door = Doorkeeper()
            let image = try render(source, "trim=3&w=90&h=90&crop=attention", door)
            #expect(door.asked.count == 3)
            #expect(zip(door.asked, door.asked.dropFirst()).allSatisfy { $0.microseconds < $1.microseconds })
            #expect(image.report.cost == door.asked.last)
            let plain = Doorkeeper()
            _ = try render(source, "w=90&h=90&fit=cover", plain)
            #expect(plain.asked.count == 1)
            #expect(door.asked[0].steps.map(\.name) == ["decode png"])
            // Not only the decoding: 19,800 pixels are weighed.
            let looking = try #require(door.asked[1].steps.first { $0.name == "look for attention" })
            #expect((1000...5000).contains(looking.microseconds))
        }

        /// #15: WebP without loss, which only the pixels call for, has its price before it is made.
        @Test(arguments: ["w=400", "w=400&bytes=100k"])
        func webPWithoutLossIsAdmitted_whereThePixelsCallForIt(_ query: String) throws {
            func render(_ source: SharedBytes, _ door: Doorkeeper) throws -> RenderedImage {
                try ImageEngine.render(
                    RenderSources(source), request: ImageRequest.parse(QueryItems.parse("id=x&" + query)),
                    accepting: Acceptance {
                        AcceptedQuality(quality: [.webp, .jpeg].contains($0) ? 1 : 0, isExplicit: true)
                    }, in: RenderContext(admission: door.admit))
            }
            // Of too many colors for a palette, which would tell in the header.
            let drawing = try picture(400, 300, .png) { x, y in
                let (column, row) = (x / 10, y / 10)
                return [
                    UInt8(column * 37 % 200), UInt8(row * 53 % 200), UInt8((column + row) * 29 % 200), 255,
                ]
            }
            let door = Doorkeeper()
            let image = try render(drawing, door)
            #expect(image.format == .webp && image.quality == nil)
            try #require(door.asked.count == 2)
            #expect(door.asked[0].microseconds < door.asked[1].microseconds)
            #expect(door.asked[0].byteCount < door.asked[1].byteCount)
            #expect(image.report.cost == door.asked[1])
            #expect(performing: { _ = try render(drawing, Doorkeeper(.now, .never)) }, throws: isTooCostly)
            #expect(throws: ImageError.cancelled) { _ = try render(drawing, Doorkeeper(.now, .later)) }
            let photograph = Doorkeeper()
            _ = try render(EngineTests.Encoder.scene(400, 300, .png), photograph)
            #expect(photograph.asked.count == 1)
        }

        /// #15: a search makes no more encodings than its price has in it.
        @Test(arguments: ["quality=auto:85", "bytes=60k", "quality=auto:99.5"])
        func searchesOfLargePictures_areShort(_ query: String) throws {
            try engineStart.get()
            let source = try EngineTests.Encoder.scene(1000, 700, .png)
            let image = try ImageEngine.render(
                RenderSources(source), request: ImageRequest.parse(QueryItems.parse("id=x&format=jpeg&" + query)),
                accepting: Acceptance(only: .jpeg), in: RenderContext())
            let limit = EncodingSearch.trialLimit(pixelCount: 700_000)
            #expect(limit == 5)
            #expect(image.report.trials.count <= limit + 1)
        }

        @Test func descriptionsAreAdmittedToo() throws {
            try engineStart.get()
            let source = try Self.headOnly.get()
            let door = Doorkeeper(.never)
            #expect(
                performing: {
                    _ = try ImageEngine.describe(source, in: RenderContext(admission: door.admit))
                }, throws: isTooCostly)
            #expect(door.asked.count == 1)
            #expect(throws: ImageError.cancelled) {
                _ = try ImageEngine.describe(source, in: RenderContext(admission: Doorkeeper(.later).admit))
            }
        }

        @Test func aMasterHasAPrice_whereOneIsWanted() throws {
            try engineStart.get()
            // Only the header counts, so a picture that ends early has the price of a whole one.
            let whole = try picture(2800, 1900, .jpeg) { x, y in
                [UInt8(x % 251), UInt8(y % 241), UInt8((x ^ y) % 256), 255]
            }
            let source = SharedBytes(Array(whole.array.prefix(4000)))
            func cost(_ query: String) throws -> PredictedCost? {
                try ImageEngine.costOfWantedMaster(
                    source, request: ImageRequest.parse(QueryItems.parse("id=x&" + query)),
                    accepting: Acceptance(only: .jpeg), options: RenderOptions())
            }
            let price = try #require(try cost("w=300"))
            #expect(price.steps.first?.name == "decode jpeg")
            #expect(price.steps.filter { $0.name == "encode jpeg" }.count == 3)
            #expect(price.steps.filter { $0.name == "decode jpeg" }.count == 1)
            #expect((20_000...400_000).contains(price.microseconds))
            #expect(try cost("w=300&h=300&crop=attention") == price)
            for query in ["w=2000", "trim=10&w=300", "w=300&metadata=keep"] {
                #expect(try cost(query) == nil, "\(query)")
            }
        }

        @Test func theReportSaysWhetherAMasterWasUsed() throws {
            try engineStart.get()
            let large = try picture(2800, 1900, .jpeg) { x, y in
                [UInt8(x % 251), UInt8(y % 241), UInt8((x ^ y) % 256), 255]
            }
            let master = try #require(try ImageEngine.makeMaster(large, in: RenderContext()))
            let request = try ImageRequest.parse(QueryItems.parse("id=x&w=600"))
            func report(_ sources: RenderSources) throws -> RenderReport {
                try ImageEngine.render(
                    sources, request: request, accepting: Acceptance(only: .jpeg), in: RenderContext()
                ).report
            }
            let derived = try report(RenderSources(SharedBytes([]), master: master))
            #expect(derived.isWorthMaster && derived.level == PixelSize(widthPx: 1024, heightPx: 695))
            #expect((derived.levelByteCount ?? 0) > 10_000)
            let plain = try report(RenderSources(large))
            #expect(plain.isWorthMaster && plain.level == nil && plain.levelByteCount == nil)
            #expect(plain.cost.microseconds > derived.cost.microseconds)
            #expect(try !report(RenderSources(texture(300, 200, .jpeg))).isWorthMaster)
        }
    }
}
