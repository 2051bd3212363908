import SeededRandom
import Testing

@testable import CardGrammar
@testable import CardPlan

@Suite(.timeLimit(.minutes(5))) struct PollFiguresTests {
    @Test func percents_sumToAHundred() {
        var random = SeededGenerator(state: 19)
        for _ in 0..<10_000 {
            var request = PollRequest()
            let bits = Int.random(in: 0...53, using: &random)
            request.options = (0..<Int.random(in: 2...20, using: &random)).map { _ in
                PollOption(label: "a", votes: Int.random(in: 0...(1 << bits), using: &random))
            }
            let figures = PollFigures(request)
            let percents = figures.percents ?? []
            #expect(percents.reduce(0, +) == (figures.voteCount == 0 ? 0 : 100))
            for (percent, share) in zip(percents, figures.shares) { #expect(abs(Double(percent) - share * 100) < 1) }
        }
    }
}
