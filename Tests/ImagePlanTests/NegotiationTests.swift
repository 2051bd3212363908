import ImagePlan
import Parameters
import Testing

@Suite struct NegotiationTests {
    /// A tiny stand-in for an `Accept` field: types with their quality, and the quality of everything else.
    private func accepting(
        _ named: [OutputFormat: Double], others: Double = 0
    ) -> (OutputFormat) -> AcceptedQuality {
        { format in
            AcceptedQuality(quality: named[format] ?? others, isExplicit: named[format] != nil)
        }
    }

    private func format(
        _ id: String, _ named: [OutputFormat: Double], others: Double = 0, background: Colour = .transparent,
        hasAlpha: Bool? = nil
    ) -> OutputFormat {
        var request = ImageRequest(id: id)
        request.background = background
        return request.outputFormat(accepting: accepting(named, others: others), hasAlpha: hasAlpha)
    }

    @Test func wildcardsGetTheBaselineOnly() {
        #expect(format("a.jpg", [:], others: 1) == .jpeg)
        #expect(format("a.png", [:], others: 1) == .png)
        #expect(format("a.heic", [:], others: 0.1) == .jpeg)
        #expect(format("noending", [:], others: 1) == .jpeg)
    }

    @Test func namedTypesWinByQuality() {
        #expect(format("a.jpg", [.avif: 1, .webp: 1], others: 0.8) == .avif)
        #expect(format("a.jpg", [.webp: 1], others: 1) == .webp)
        #expect(format("a.jpg", [.avif: 0.5, .webp: 0.9], others: 0.8) == .webp)
        #expect(format("a.jpg", [.avif: 0.5], others: 0.8) == .jpeg)
        #expect(format("a.jpg", [.avif: 0, .webp: 0], others: 1) == .jpeg)
        #expect(format("a.jpg", [.png: 1], others: 0.8) == .jpeg)
    }

    @Test func whatIsNotAcceptable_isAvoidedWherePossible() {
        #expect(format("a.jpg", [.png: 1]) == .png)
        #expect(format("a.png", [.jpeg: 1]) == .jpeg)
        #expect(format("a.jpg", [.jpeg: 0, .png: 0], others: 0.5) == .webp)
        #expect(format("a.jpg", [:]) == .jpeg)
    }

    @Test func alphaDecidesTheBaseline() {
        #expect(format("a.PNG", [:], others: 1) == .png)
        #expect(format("a.png", [:], others: 1, background: .white) == .jpeg)
        #expect(format("a.png", [:], others: 1, hasAlpha: false) == .jpeg)
        #expect(format("a.jpg", [:], others: 1, hasAlpha: true) == .png)
    }

    @Test func anExplicitFormatIsNotNegotiated() {
        var request = ImageRequest(id: "a.jpg")
        request.format = .webp
        #expect(request.outputFormat(accepting: accepting([.webp: 0])) == .webp)
    }
}
