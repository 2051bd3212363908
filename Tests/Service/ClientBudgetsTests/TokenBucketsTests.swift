import ClientBudgets
import Reactor
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TokenBucketsTests {
    private static func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 0) + .seconds(seconds)
    }
    private static let rate: BudgetRate = {
        guard let rate = BudgetRate(refill: 0.5, depth: 10) else { preconditionFailure("a rate") }
        return rate
    }()

    @Test func bucket_refillsWithTime_andHoldsNoMoreThanItsDepth() {
        var buckets = TokenBuckets<Int>(Self.rate, clientLimit: 8)
        #expect(buckets.take(8, from: 1, at: Self.at(0)) == .allowed(left: 2))
        #expect(buckets.take(3, from: 1, at: Self.at(0)) == .refused(left: 2, retryAfter: 2))
        #expect(buckets.take(3, from: 1, at: Self.at(2)) == .allowed(left: 0))
        #expect(buckets.take(8, from: 2, at: Self.at(2)) == .allowed(left: 2), "another client has a bucket of its own")
        #expect(buckets.left(of: 1, at: Self.at(1000)) == 10)
    }

    @Test func priceAboveTheDepth_wantsAFullBucket_andLeavesADebt() {
        var buckets = TokenBuckets<Int>(Self.rate, clientLimit: 8)
        #expect(buckets.take(30, from: 1, at: Self.at(0)) == .allowed(left: -20))
        #expect(buckets.left(of: 1, at: Self.at(0)) == -20)
        guard case .refused(_, let wait) = buckets.take(30, from: 1, at: Self.at(10)) else {
            Issue.record("the debt is not paid yet")
            return
        }
        #expect(wait == 50)
        #expect(buckets.take(30, from: 1, at: Self.at(60)) == .allowed(left: -20))
    }

    @Test func predictions_areSettled() {
        var buckets = TokenBuckets<Int>(Self.rate, clientLimit: 8)
        _ = buckets.take(4, from: 1, at: Self.at(0))
        buckets.settle(-3, for: 1, at: Self.at(0))
        #expect(buckets.left(of: 1, at: Self.at(0)) == 9)
        buckets.settle(5, for: 1, at: Self.at(0))
        #expect(buckets.left(of: 1, at: Self.at(0)) == 4)
        buckets.settle(-100, for: 1, at: Self.at(0))
        #expect(buckets.left(of: 1, at: Self.at(0)) == 10)
        #expect(buckets.count == 0)
    }

    @Test func table_isBounded_andForgetsFirstWhoIsNearlyFull() {
        var buckets = TokenBuckets<Int>(Self.rate, clientLimit: 100)
        _ = buckets.take(10, from: -1, at: Self.at(0))
        for client in 0..<10_000 { _ = buckets.take(1, from: client, at: Self.at(0)) }
        #expect(buckets.count <= 100)
        #expect(buckets.left(of: -1, at: Self.at(0)) == 0, "who spent most is remembered")
    }

    @Test func noClient_getsMoreThanRefillAndDepth_whateverItAsks() {
        var random = SeededGenerator(state: 17)
        for _ in 0..<200 {
            var buckets = TokenBuckets<Int>(Self.rate, clientLimit: 4)
            var (spent, time) = (0.0, 0.0)
            for _ in 0..<200 {
                time += Double.random(in: 0...2, using: &random)
                let price = Double.random(in: 0...5, using: &random)
                if case .allowed = buckets.take(price, from: 7, at: Self.at(time)) { spent += price }
                #expect(spent <= 10 + time * 0.5 + 1e-6)
            }
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -1])
    func ratesThatAreNone_areRefused(_ number: Double) {
        #expect(BudgetRate(refill: number, depth: 1) == nil)
        #expect(BudgetRate(refill: 1, depth: number) == nil)
    }
}
