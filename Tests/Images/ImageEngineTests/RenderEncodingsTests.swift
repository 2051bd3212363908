import Bytes
import ImagePlan
import Parameters
import Testing

@testable import ImageEngine

extension EngineTests {
    /// Several formats of one decoded image.
    @Suite struct RenderEncodingsTests {
        private static let formats: [OutputFormat] = [.avif, .webp, .gif, .png, .jpeg]

        private static func requests(_ query: String, _ formats: [OutputFormat]) throws -> [ImageRequest] {
            try formats.map { try ImageRequest.parse(QueryItems.parse("id=x&format=\($0.rawValue)&" + query)) }
        }

        private static func together(
            _ source: SharedBytes, _ requests: [ImageRequest], _ context: RenderContext = RenderContext()
        ) throws -> [Result<RenderedImage, ImageError>] {
            try engineStart.get()
            return ImageEngine.renderEncodings(RenderSources(source), requests: requests, in: context)
        }

        private static func source(_ name: String) throws -> SharedBytes {
            switch name {
            case "alpha": try picture(120, 90, .png) { x, y in x > 60 ? [0, 0, 0, 0] : [UInt8(y), UInt8(x), 9, 255] }
            case "jpeg": try texture(320, 240, .jpeg)
            case "webp": try texture(200, 160, .webp)
            default: try texture(120, 90, .png)
            }
        }

        /// The same bytes, sizes and qualities, whatever the source and the steps.
        @Test(
            arguments: ["png", "alpha", "jpeg", "webp"],
            [
                "width=80", "width=60&height=60&fit=cover", "width=70&rotate=30", "radius=9&width=50",
                "quality=auto&width=64",
            ])
        func imagesAreThoseThatAreMadeAlone(_ name: String, _ query: String) throws {
            let source = try Self.source(name)
            // Formats without a quality have none to search.
            let formats = query.contains("quality") ? [.avif, .webp, .jpeg] : Self.formats
            let requests = try Self.requests(query, formats)
            let together = try Self.together(source, requests)
            #expect(together.count == requests.count)
            for (request, result) in zip(requests, together) {
                let (image, format) = (try result.get(), try #require(request.format))
                let alone = try ImageEngine.render(
                    RenderSources(source), request: request, accepting: Acceptance(only: format), in: RenderContext())
                #expect(image.content.array == alone.content.array, "\(name) \(query) \(format)")
                #expect(image.format == alone.format && image.quality == alone.quality && image.score == alone.score)
                #expect([image.widthPx, image.heightPx] == [alone.widthPx, alone.heightPx])
                #expect(image.report.loadShrink == alone.report.loadShrink)
            }
        }

        /// What all share is priced once.
        @Test func theCostIsThatOfOneDecoding() throws {
            let source = try Self.source("jpeg")
            // Those of WebP and JPEG are not the exact ones of PNG.
            let requests = try Self.requests("width=80", [.webp, .png, .jpeg])
            var costs: [PredictedCost] = []
            var context = RenderContext()
            context.admission = { cost in
                costs.append(cost)
                return .now
            }
            _ = try Self.together(source, requests, context)
            try #require(costs.count == 3)
            func count(_ step: String, _ cost: PredictedCost) -> Int { cost.steps.count { $0.name.hasPrefix(step) } }
            #expect(count("decode", costs[0]) == 1 && count("decode", costs[1]) == 1)
            #expect(count("encode", costs[1]) == count("encode", costs[0]) + 1)
            #expect(costs[1].microseconds > costs[0].microseconds)
            #expect(count("decode", costs[2]) == 2 && count("encode", costs[2]) == count("encode", costs[1]) + 1)
        }

        @Test(arguments: ["w=60&h=60&fit=cover&gravity=attention", "trim=10&w=50"])
        func pixelsAreLookedAtOnce(_ query: String) throws {
            var costs: [PredictedCost] = []
            var context = RenderContext()
            context.admission = { cost in
                costs.append(cost)
                return .now
            }
            let requests = try Self.requests(query, [.webp, .png, .jpeg])
            let looks = try Self.together(try Self.source("jpeg"), requests, context).map { result in
                try result.get().report.steps.contains { $0.name.hasPrefix("look for") }
            }
            #expect(looks == [true, false, false])
            // For each kind of pixels, and to look.
            let names = try #require(costs.last).steps.map(\.name)
            #expect(names.count { $0.hasPrefix("decode") } == 3)
        }

        @Test func whatIsTooCostlyFailsAlone() throws {
            let source = try Self.source("jpeg")
            var context = RenderContext()
            context.admission = { cost in cost.steps.contains { $0.name.hasPrefix("encode avif") } ? .never : .now }
            let results = try Self.together(source, try Self.requests("width=80", [.jpeg, .avif, .webp]), context)
            let isMade = results.map { result in if case .success = result { true } else { false } }
            #expect(isMade == [true, false, true])
        }

        @Test func aStopEndsAll() throws {
            let context = RenderContext(shouldStop: { true })
            let results = try Self.together(
                try Self.source("png"), try Self.requests("width=80", [.png, .jpeg]), context)
            for result in results {
                #expect(throws: ImageError.cancelled) { _ = try result.get() }
            }
            #expect(results.count == 2)
        }
    }
}
