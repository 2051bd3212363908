import Cards
import ImagePlan
import Parameters
import Testing

@testable import CardGrammar
@testable import CardPlan

@Suite(.timeLimit(.minutes(5)), .enabled(if: TestFonts.areThere, "no fonts")) struct PollMotionTests {
    private let typesetter = CardTypesetter(fonts: TestFonts.all)
    private static let query = "question=Dinner?&option=votes:5%7CPizza&option=votes:3%7CSoup&animate=1"

    private func faults(_ more: String, of query: String = query) -> [String] {
        do throws(ParameterFaults) {
            _ = try PollRequest.parse(try QueryItems.parse(query + more))
            return []
        } catch {
            return error.faults.map(\.message)
        }
    }

    /// Words stand still, and in the last frame everything is as it is without motion.
    @Test(arguments: PollRequest.Layout.allCases) func barsGrow_andNothingElseMoves(
        _ layout: PollRequest.Layout
    ) throws {
        let request = try PollRequest.parse(QueryItems.parse(Self.query + "&layout=\(layout.rawValue)"))
        let still = PollLayout(request, typesetter)
        #expect(still.isMoving == (layout != .list))
        let count = PollLayout.delaysMs.count
        #expect(PollLayout.delaysMs.dropLast().reduce(0, +) == 600)
        #expect(PollLayout.growth(0) == 0 && PollLayout.growth(count - 1) == 1)
        var lengths: [Double] = []
        for frame in 0..<count {
            let made = PollLayout(request, typesetter, growth: PollLayout.growth(frame))
            #expect(made.boxes == still.boxes && made.heightPx == still.heightPx)
            if layout != .columns { #expect(words(made) == words(still)) }
            lengths.append(area(made))
            if frame == count - 1 { #expect(made.scene == still.scene) }
        }
        for (one, next) in zip(lengths, lengths.dropFirst()) { #expect(one <= next + 1e-6) }
        #expect(layout == .list || lengths[0] < lengths[count - 1])
    }

    @Test func priceIsThatOfAllFrames() throws {
        let request = try PollRequest.parse(QueryItems.parse(Self.query))
        let moving = PollLayout(request, typesetter).predictedCost(as: .webp)
        var plain = request
        plain.isAnimated = false
        let still = PollLayout(plain, typesetter).predictedCost(as: .webp)
        #expect(moving.microseconds > 12 * still.microseconds && moving.byteCount > 12 * still.byteCount)
        #expect(request.layoutCost.microseconds > plain.layoutCost.microseconds)
        let noVotes = try PollRequest.parse(QueryItems.parse("option=A&option=B&animate=1"))
        #expect(!PollLayout(noVotes, typesetter).isMoving)
    }

    /// Discs cut each other anew in each frame.
    @Test func facesHaveAPriceInEachFrame() throws {
        let faces = "option=votes:5%7Cnames:A,B,C,D,E%7CPizza&option=votes:3%7Cnames:A,B,C,D,E%7CSoup"
        func microseconds(_ more: String) throws -> Int {
            try PollRequest.parse(QueryItems.parse(faces + more)).layoutCost.microseconds
        }
        #expect(try microseconds("&animate=1") > 10 * microseconds(""))
        #expect(try microseconds("&animate=1&layout=list") <= 2 * microseconds("&layout=list"))
    }

    @Test func whatCannotMove_isRefused() {
        #expect(faults("").isEmpty && faults("&format=gif").isEmpty && faults("&format=webp").isEmpty)
        #expect(faults("&format=jpeg").first?.contains("cannot be combined with `animate`") == true)
        #expect(faults("&filter=blur:2").first?.contains("cannot be combined with `animate`") == true)
        let still = Self.query.replacing("animate=1", with: "animate=0")
        #expect(faults("&format=gif", of: still).first?.contains("needs `animate`") == true)
    }

    private func words(_ layout: PollLayout) -> [CardLine] {
        layout.scene.items.compactMap { if case .text(let line) = $0 { line } else { nil } }
    }

    /// Of what is filled in colors that only bars have.
    private func area(_ layout: PollLayout) -> Double {
        let colors = PollColors(.light, accent: nil)
        return layout.scene.items.reduce(0) { sum, item in
            guard case .fill(let shape, let color) = item, color != colors.track, color != colors.background else {
                return sum
            }
            return shape.rings.reduce(sum) { sum, ring in
                zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(sum) {
                    $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) / 2
                }
            }
        }
    }
}
