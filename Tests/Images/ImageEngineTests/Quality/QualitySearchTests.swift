import ImagePlan
import SeededRandom
import Testing

@testable import ImageEngine

@Suite(.timeLimit(.minutes(5))) struct QualitySearchTests {
    /// Scores that rise by `slope` a step and reach 80 at `crossing`.
    private func curve(_ crossing: Double, _ slope: Double) -> (Int) -> Double {
        { 80 + (Double($0) - crossing) * slope }
    }

    @Test(arguments: [0.05, 0.3, 0.55, 1, 3], [1, 40, 77, 95])
    func whatIsTaken_reachesTheTarget_andHardlyMore(_ slope: Double, _ start: Int) {
        let search = QualitySearch(target: 80, range: 5...95)
        for crossing in stride(from: 6.5, to: 94, by: 3.5) {
            let score = curve(crossing, slope)
            var trials = 0
            let quality = search.quality(from: start) { quality in
                trials += 1
                return score(quality)
            }
            #expect(score(quality) >= 80)
            #expect(score(quality) < 80 + QualitySearch.tolerance || score(quality - 1) < 80)
            #expect(trials <= EncodingSearch.trialLimit)
        }
    }

    @Test func goodStarts_costOneTrial() {
        let search = QualitySearch(target: 80, range: 5...95)
        var trials: [Int] = []
        let quality = search.quality(from: 72) { quality in
            trials.append(quality)
            return 80.4
        }
        #expect(quality == 72)
        #expect(trials == [72])
    }

    @Test func targetsOutOfReach_takeTheUpperEnd() {
        #expect(QualitySearch(target: 80, range: 5...95).quality(from: 50) { _ in 12 } == 95)
        #expect(QualitySearch(target: 80, range: 5...95).quality(from: 50) { _ in 99 } == 5)
    }

    @Test func searchesAreAlwaysShort() {
        var random = SeededGenerator(state: 11)
        for _ in 0..<500 {
            var trials = 0
            _ = QualitySearch(target: 80, range: 5...95).quality(from: .random(in: 1...100, using: &random)) { _ in
                trials += 1
                return .random(in: 0...100, using: &random)
            }
            #expect(trials <= EncodingSearch.trialLimit)
        }
    }

    @Test(arguments: [1, 30, 79])
    func sizes_fillTheLimitOrAreTheHighestThatFit(_ ceiling: Int) {
        func bytes(_ quality: Int) -> Int { 2_000 + quality * quality * 9 }
        for limit in stride(from: 2_009, to: bytes(ceiling + 1), by: 317) {
            var trials = 0
            let quality = SizeSearch(byteLimit: limit, range: 1...ceiling).quality(exceeding: bytes(ceiling + 1)) {
                quality in
                trials += 1
                return bytes(quality)
            }
            guard let quality else {
                Issue.record("\(limit) can be kept")
                continue
            }
            #expect(bytes(quality) <= limit)
            let isFull = Double(bytes(quality)) >= SizeSearch.fillShare * Double(limit)
            #expect(isFull || bytes(quality + 1) > limit)
            #expect(trials <= 11)
        }
    }

    @Test func limitsBelowTheLowestQuality_haveNoAnswer() {
        #expect(SizeSearch(byteLimit: 100, range: 1...79).quality(exceeding: 900) { 500 + $0 } == nil)
    }

    /// #15: a search of a large picture ends after a few encodings, with one that does.
    @Test(arguments: [0.05, 0.55, 3], [1, 40, 95])
    func shortSearches_stillReachTheTarget(_ slope: Double, _ start: Int) {
        for crossing in stride(from: 6.5, to: 94, by: 3.5) {
            let score = curve(crossing, slope)
            var trials = 0
            let quality = QualitySearch(target: 80, range: 5...100, trialLimit: 5).quality(from: start) { quality in
                trials += 1
                return score(quality)
            }
            #expect(score(quality) >= 80 || quality == 100)
            #expect(trials <= 5)
        }
    }

    /// As above: within a limit of bytes.
    @Test(arguments: [30, 79]) func shortSearches_stillFit(_ ceiling: Int) {
        func bytes(_ quality: Int) -> Int { 2_000 + quality * quality * 9 }
        for limit in stride(from: 2_009, to: bytes(ceiling + 1), by: 317) {
            var trials = 0
            let quality = SizeSearch(byteLimit: limit, range: 1...ceiling, trialLimit: 5).quality(
                exceeding: bytes(ceiling + 1)
            ) { quality in
                trials += 1
                return bytes(quality)
            }
            #expect(quality.map { bytes($0) <= limit } == true)
            #expect(trials <= 5)
        }
    }

    @Test func startsGrowWithThePicture() {
        let start = QualityStart(quality: 70, pixelCount: 100_000)
        #expect(start.quality(forPixelCount: 90_000) == 70)
        #expect(start.quality(forPixelCount: 400_000) == 72)
        #expect(start.quality(forPixelCount: .max) <= 82)
        #expect(QualityStart(quality: 70, pixelCount: 0).quality(forPixelCount: 10) <= 82)
    }

    @Test func memo_keepsTheYoungerHalf() {
        let memo = QualityMemo(capacity: 10)
        for number in 0..<40 {
            let start = memo.bound(to: "s\(number)").start("jpeg 80") { QualityStart(quality: number, pixelCount: 1) }
            #expect(start.quality == number)
            #expect(memo.count <= 10)
        }
        var wasAsked = false
        let again = memo.bound(to: "s39").start("jpeg 80") {
            wasAsked = true
            return QualityStart(quality: 0, pixelCount: 1)
        }
        #expect(again.quality == 39)
        #expect(!wasAsked)
        let other = memo.bound(to: "s39").start("jpeg 70") { QualityStart(quality: 7, pixelCount: 1) }
        #expect(other.quality == 7)
    }
}
