import HTTPMessage
import Reactor
import Testing

@testable import Origin

@Suite(.timeLimit(.minutes(5))) struct CircuitBreakerTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private func opened() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<CircuitBreaker.failureLimit { breaker.failed(now: start) }
        return breaker
    }

    @Test func fewFailures_orASuccessBetween_keepItClosed() {
        var breaker = CircuitBreaker()
        for _ in 0..<3 {
            for _ in 1..<CircuitBreaker.failureLimit { breaker.failed(now: start) }
            #expect(breaker.admit(now: start) == nil)
            breaker.succeeded()
        }
        #expect(breaker.admit(now: start) == nil)
    }

    @Test func failuresInARow_openIt_untilItsTime() {
        var breaker = opened()
        #expect(breaker.admit(now: start) == CircuitBreaker.firstRest)
        #expect(breaker.admit(now: start + .seconds(4)) == .seconds(1))
    }

    @Test func oneRequest_probes_andTheOthersWaitForIt() {
        var breaker = opened()
        let later = start + CircuitBreaker.firstRest
        #expect(breaker.admit(now: later) == nil)
        #expect(breaker.admit(now: later) != nil)
        breaker.succeeded()
        for _ in 0..<3 { #expect(breaker.admit(now: later) == nil) }
    }

    @Test func probeThatFails_doublesTheRest_upToItsBound() {
        var breaker = opened()
        var now = start
        var rests: [Duration] = []
        for _ in 0..<8 {
            guard let rest = breaker.admit(now: now) else { break }
            rests.append(rest)
            now = now + rest
            #expect(breaker.admit(now: now) == nil)
            breaker.failed(now: now)
        }
        #expect(rests == [5, 10, 20, 40, 80, 160, 160, 160].map { .seconds($0) })
    }

    private func item(_ number: Int, wasGiven: Bool = false) -> CircuitBreaker.Item {
        CircuitBreaker.Item(number, wasGiven: wasGiven)
    }

    private func openedByItems() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for number in 0..<CircuitBreaker.failureLimit { breaker.failed(item(number), now: start) }
        return breaker
    }

    @Test func oneItem_opensNothing_howeverOftenItFails() {
        var breaker = CircuitBreaker()
        for _ in 0..<100 { breaker.failed(item(1), now: start) }
        #expect(breaker.admit(item(2), now: start) == nil)
        #expect(openedByItems().isOpen(now: start))
    }

    @Test func differentItems_probeBesideEachOther_andOneSuccessCloses() {
        var breaker = openedByItems()
        let later = start + CircuitBreaker.firstRest
        #expect(breaker.admit(item(10), now: later) == nil)
        #expect(breaker.admit(item(10), now: later) != nil)
        for number in 11..<(10 + CircuitBreaker.probeLimit) { #expect(breaker.admit(item(number), now: later) == nil) }
        #expect(breaker.admit(item(20), now: later) != nil)
        // An answer about one address makes room for another probe.
        breaker.abandoned(item(10))
        #expect(breaker.admit(item(20), now: later) == nil)
        breaker.failed(item(11), now: later)
        #expect(breaker.isOpen(now: later))
        breaker.succeeded()
        #expect(breaker.admit(item(10), now: later) == nil)
    }

    @Test func probeOfWhatNeverWasThere_doesNotLengthenTheRest() {
        var breaker = openedByItems()
        var now = start
        for round in 0..<8 {
            #expect(breaker.admit(item(100 + round), now: now) == CircuitBreaker.firstRest)
            now = now + CircuitBreaker.firstRest
            #expect(breaker.admit(item(100 + round), now: now) == nil)
            breaker.failed(item(100 + round), now: now)
        }
        now = now + CircuitBreaker.firstRest
        #expect(breaker.admit(item(1, wasGiven: true), now: now) == nil)
        breaker.failed(item(1, wasGiven: true), now: now)
        #expect(breaker.admit(item(1), now: now) == CircuitBreaker.firstRest * 2)
    }

    @Test func requestsFromBeforeThePause_doNotLengthenIt() {
        var breaker = openedByItems()
        breaker.failed(item(50), now: start + .seconds(4))
        #expect(breaker.admit(item(1), now: start + CircuitBreaker.firstRest) == nil)
    }

    @Test func probeThatIsGivenUp_letsTheNextTry() {
        var breaker = opened()
        let later = start + CircuitBreaker.firstRest
        #expect(breaker.admit(now: later) == nil)
        breaker.abandoned()
        #expect(breaker.admit(now: later) == nil)
    }

    @Test func origins_areApart_andBounded() throws {
        var breakers = CircuitBreakers()
        let bad = try OriginURL("https://bad.example/").origin
        for _ in 0..<CircuitBreaker.failureLimit { breakers.record(bad, succeeded: false, now: start) }
        #expect(breakers.admit(bad, now: start) != nil)
        #expect(breakers.admit(try OriginURL("https://good.example/").origin, now: start) == nil)
        for index in 0..<(2 * CircuitBreakers.limit) {
            breakers.record(try OriginURL("https://\(index).example/").origin, succeeded: false, now: start)
        }
        #expect(breakers.count == CircuitBreakers.limit)
    }
}
