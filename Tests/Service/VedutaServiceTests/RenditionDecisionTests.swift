import HTTPMessage
import Renditions
import ResponseCache
import Testing

/// What becomes of a request, step by step; ages are passed in.
@Suite(.timeLimit(.minutes(5))) struct RenditionDecisionTests {
    private struct Broken: RenditionFailure {
        let kind: RenditionFailureKind
        let secondsRemembered: Int? = nil
    }

    /// Of a request that says `request`, under a policy that says `policy` of sources that are good for 100 s, and for 50 s
    /// more while they are looked at.
    private func decision(_ request: String = "", policy: String = "max-age=60") -> RenditionDecision {
        func fields(_ value: String) -> Fields {
            var fields = Fields()
            if !value.isEmpty { fields.append(.cacheControl, value) }
            return fields
        }
        return RenditionDecision(
            RequestDirectives(fields(request)),
            RenditionPolicy(ResponseDirectives(fields(policy)), lifetime: 100, staleWhileRevalidate: 50))
    }

    @Test(arguments: [
        (0, RenditionDecision.Observation.useKnown(refreshes: false), false), (89, .useKnown(refreshes: false), false),
        (90, .useKnown(refreshes: true), false), (99, .useKnown(refreshes: true), false),
        (100, .useKnown(refreshes: true), true), (150, .useKnown(refreshes: true), true), (151, .observe, false),
    ])
    func knownSource_willDo_forItsLifetime(_ age: Int, _ observation: RenditionDecision.Observation, _ isStale: Bool) {
        var decision = decision()
        #expect(decision.sourceKnown(age: age) == observation)
        #expect(decision.isStale == isStale)
    }

    @Test func noCacheOfRequestOrPolicy_looksAtTheSource() {
        for var decision in [decision("no-cache"), decision("max-age=0"), decision(policy: "no-cache")] {
            #expect(decision.sourceKnown(age: 0) == .observe)
        }
    }

    @Test func onlyIfCached_mayLookAtTheSource() {
        var decision = decision("only-if-cached")
        #expect(decision.sourceKnown(age: 0) == .useKnown(refreshes: false))
        #expect(decision.sourceKnown(age: 500) == .observe)
    }

    @Test func preconditions_endTheWalk_whateverIsStored() {
        for decision in [decision(), decision("no-cache"), decision(policy: "no-store")] {
            #expect(decision.preconditions(.notModified) == .notModified)
            #expect(decision.preconditions(.failed) == .preconditionFailed)
        }
        #expect(decision().preconditions(.proceed) == .memory)
        #expect(decision("no-cache").preconditions(.proceed) == .skip)
        #expect(decision(policy: "no-store").preconditions(.proceed) == .skip)
    }

    @Test func sourceIsObservedOnce_beforeARender() {
        var decision = decision()
        #expect(decision.observesAgain)
        decision.sourceObserved()
        #expect(!decision.observesAgain)
        #expect(!self.decision("no-cache").observesAgain)
    }

    @Test func rememberedFailure_isTold_unlessSomethingBetterMayBeThere() {
        let gone = RenditionError.failed(Broken(kind: .absent))
        let away = RenditionError.failed(Broken(kind: .unavailable))
        let slow = RenditionError.timedOut(afterSeconds: 20)
        let decision = decision()
        #expect(decision.missed(remembered: nil, hasEarlier: false, hasDisk: true) == .render)
        #expect(decision.missed(remembered: gone, hasEarlier: true, hasDisk: true) == .tellFailure)
        #expect(decision.missed(remembered: away, hasEarlier: false, hasDisk: true) == .tellFailure)
        #expect(decision.missed(remembered: away, hasEarlier: true, hasDisk: true) == .render)
        #expect(decision.missed(remembered: slow, hasEarlier: false, hasDisk: false) == .tellFailure)
        #expect(decision.missed(remembered: slow, hasEarlier: false, hasDisk: true) == .render)
        let bypassing = self.decision(policy: "no-store")
        #expect(bypassing.missed(remembered: gone, hasEarlier: false, hasDisk: true) == .render)
        #expect(self.decision("no-cache").missed(remembered: gone, hasEarlier: false, hasDisk: true) == .render)
    }

    @Test func onlyIfCached_asksTheDiskAndNothingElse() {
        let decision = decision("only-if-cached")
        #expect(decision.missed(remembered: nil, hasEarlier: false, hasDisk: true) == .disk)
        #expect(decision.missed(remembered: nil, hasEarlier: false, hasDisk: false) == .notStored)
        let forced = self.decision("only-if-cached, no-cache")
        #expect(forced.missed(remembered: nil, hasEarlier: false, hasDisk: true) == .notStored)
    }

    @Test func staleRenditions_areServedForErrorsThatPass_asLongAsThePolicySays() {
        let decision = decision(policy: "max-age=60, stale-if-error=30")
        let away = RenditionError.failed(Broken(kind: .unavailable))
        #expect(decision.mayServeStale(for: away, age: 130))
        #expect(!decision.mayServeStale(for: away, age: 131))
        #expect(decision.mayServeStale(for: .busy, age: 0) && decision.mayServeStale(for: .timedOut(), age: 0))
        for kind in [RenditionFailureKind.absent, .refused] {
            #expect(!decision.mayServeStale(for: .failed(Broken(kind: kind)), age: 0))
        }
        #expect(!self.decision("no-cache").mayServeStale(for: away, age: 0))
    }

    @Test func storage_isTheLeastThatRequestAndPolicyAllow() {
        #expect(decision().storage == .all)
        #expect(decision("no-store").storage == .off)
        #expect(decision(policy: "no-store").storage == .off)
    }

    @Test func incompleteRendition_isGoodForItsBriefTime() {
        #expect(decision().mayServeIncomplete(age: RenditionPolicy.briefSeconds - 1))
        #expect(!decision().mayServeIncomplete(age: RenditionPolicy.briefSeconds))
        #expect(!decision("no-cache").mayServeIncomplete(age: 0))
    }

    @Test func whoWaitsForAnother_isToldWhyItsOwnRequestWasForwarded() {
        #expect(decision().forwardReason(.request) == .miss)
        #expect(decision().forwardReason(.stale) == .stale)
        #expect(decision("no-cache").forwardReason(.uriMiss) == .request)
        #expect(decision(policy: "no-store").forwardReason(.uriMiss) == .bypass)
    }
}
