import Parameters
import Testing

@testable import ImagePlan

/// `colors`.
@Suite(.timeLimit(.minutes(5))) struct PaletteTests {
    private func request(_ query: String) throws -> ImageRequest {
        try ImageRequest.parse(QueryItems.parse("id=a&" + query))
    }

    private func formats(_ query: String, pageCount: Int = 1, accepting: [OutputFormat]) throws -> [OutputFormat] {
        let source = ImageHeader(
            format: pageCount > 1 ? .gif : .jpeg, widthPx: 90, heightPx: 60, pageCount: pageCount,
            isAnimated: pageCount > 1)
        let accepted = Acceptance { AcceptedQuality(quality: accepting.contains($0) ? 1 : 0, isExplicit: true) }
        guard case .plan(let plan) = try request(query).planning(for: source, accepting: accepted) else { return [] }
        #expect(plan.encoding.colorCount == 16)
        return plan.encoding.formats
    }

    @Test func aFormatWithAPaletteIsChosen() throws {
        #expect(try formats("colors=16", accepting: [.jpeg, .webp, .avif, .png, .gif]) == [.png])
        #expect(try formats("colors=16", accepting: [.jpeg, .gif]) == [.gif])
        #expect(try formats("colors=16", accepting: [.jpeg, .webp]) == [.png])
        #expect(try formats("colors=16", pageCount: 3, accepting: [.webp, .png, .gif]) == [.gif])
        #expect(try formats("colors=16&format=gif", accepting: [.png]) == [.gif])
    }

    @Test func qualitySaysNothingOfIt() throws {
        #expect(try request("colors=016&q=80").canonical == "id=a&colors=16")
        #expect(try request("effort=3&colors=16&format=png").canonical == "id=a&format=png&colors=16&effort=3")
    }

    @Test(arguments: [
        "colors=16&format=jpeg", "colors=16&format=webp", "colors=16&format=tiff", "colors=16&quality=auto",
        "colors=16&bytes=80k", "colors=16&lossless=1", "colors=16&progressive=1",
    ])
    func whatHasNoPalette_isRefused(query: String) {
        do throws(ParameterFaults) {
            _ = try ImageRequest.parse(QueryItems.parse("id=a&" + query))
            Issue.record("\(query) is not refused")
        } catch {
            #expect(error.faults.map(\.parameter) == ["colors"])
        }
    }

    @Test func largePictures_areRefusedBeforeWork() throws {
        let header = ImageHeader(format: .jpeg, widthPx: 4000, heightPx: 1001)
        #expect(
            throws: PlanError.outputTooLarge(
                widthPx: 4000, heightPx: 1001, sideLimitPx: 16384, areaLimitPx: 4_000_000)
        ) { try request("colors=16&format=png").plan(for: header, output: .png) }
        let plain = try request("width=2000&format=png").plan(for: header, output: .png)
        let few = try request("width=2000&format=png&colors=16").plan(for: header, output: .png)
        let (price, more) = (plain.predictedCost(header), few.predictedCost(header))
        #expect(more.microseconds > price.microseconds + 80_000)
        #expect(more.byteCount > price.byteCount)
    }
}
