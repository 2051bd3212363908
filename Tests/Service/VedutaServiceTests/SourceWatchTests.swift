import ImagePlan
import Reactor
import ResponseCache
import Testing

@testable import VedutaService

/// What loops know of a source together.
@Suite(.timeLimit(.minutes(5))) struct SourceWatchTests {
    private let ledger = PurgeLedger()
    private let watch = SourceWatch()

    private static func instant(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private static func plan(_ canonical: String = "id=a", variant: String = "jpeg") -> PicturePlan {
        PicturePlan(
            route: .asset, canonical: canonical, variant: variant, vary: "Accept", kind: .asset,
            tag: CacheTag(assetID: "a"), currentValidator: { () throws(Problem) in .map("v1") },
            render: { _ throws(Problem) in throw .timedOut })
    }

    private func sighting(_ state: String, at seconds: Int64) -> Sighting {
        Sighting(
            identity: Self.plan().identity(with: .map(state)), at: Self.instant(seconds), epoch: ledger.epoch)
    }

    @Test func laterSighting_wins_whoeverHadIt() {
        #expect(watch.latest(knowing: nil) == nil)
        watch.saw(sighting("v1", at: 5))
        watch.saw(sighting("v0", at: 4))
        #expect(watch.latest(knowing: nil)?.at == Self.instant(5))
        #expect(watch.latest(knowing: sighting("v1", at: 3))?.at == Self.instant(5))
        #expect(watch.latest(knowing: sighting("v1", at: 6))?.at == Self.instant(6))
    }

    @Test func sightingAfterAPurge_winsOverOneBefore() {
        let before = sighting("v1", at: 5)
        ledger.notePurge(of: CacheTag(assetID: "a"))
        watch.saw(sighting("v1", at: 5))
        #expect(watch.latest(knowing: before)?.epoch == ledger.epoch)
    }

    @Test func lostSource_isKnownToNobody() {
        let own = sighting("v1", at: 5)
        watch.saw(own)
        watch.made(own)
        watch.lost(at: Self.instant(6))
        #expect(watch.latest(knowing: own) == nil)
        #expect(watch.made == nil)
        #expect(watch.latest(knowing: sighting("v1", at: 7)) != nil)
    }

    @Test func madePicture_isAsOldAsTheLastLookThatFoundItsSourceUnchanged() {
        watch.made(sighting("v1", at: 1))
        watch.saw(sighting("v1", at: 9))
        #expect(watch.made?.at == Self.instant(9))
        watch.saw(sighting("v2", at: 10))
        #expect(watch.made?.at == Self.instant(9))
        #expect(watch.made?.identity.validator == .map("v1"))
    }

    @Test func oneRefreshes_atATime_andNotTooSoonAgain() {
        #expect(watch.beginRefresh(at: Self.instant(1)))
        #expect(!watch.beginRefresh(at: Self.instant(1)))
        watch.endRefresh(notBefore: Self.instant(3))
        #expect(!watch.beginRefresh(at: Self.instant(2)))
        #expect(watch.beginRefresh(at: Self.instant(3)))
        watch.endRefresh()
        #expect(watch.beginRefresh(at: Self.instant(3)))
    }

    @Test func plansOfOnePicture_areOne_untilOthersPushThemOut() {
        let table = PlanTable(countLimit: 3)
        let first = table.shared(Self.plan("id=1"))
        #expect(table.shared(Self.plan("id=1")) === first)
        for number in 2..<4 { _ = table.shared(Self.plan("id=\(number)")) }
        #expect(table.shared(Self.plan("id=1")) === first)
        let fourth = table.shared(Self.plan("id=4"))
        #expect(table.shared(Self.plan("id=1")) !== first)
        #expect(table.shared(Self.plan("id=4")) === fourth)
    }

    @Test func variantsOfAResource_areThoseOfTheTable_butForItself() {
        let table = PlanTable(countLimit: 12)
        let first = table.shared(Self.plan(variant: "webp"))
        #expect(table.variants(of: first).isEmpty)
        let second = table.shared(Self.plan(variant: "avif"))
        _ = table.shared(Self.plan("id=b", variant: "avif"))
        #expect(table.variants(of: first).map(\.variant) == ["avif"])
        #expect(table.variants(of: second).map(\.variant) == ["webp"])
        for number in 0..<20 { _ = table.shared(Self.plan(variant: "\(number)")) }
        #expect(table.variants(of: first).map(\.variant) == (12..<20).map(String.init))
        for number in 0..<12 { _ = table.shared(Self.plan("id=\(number)")) }
        #expect(table.variants(of: first).isEmpty)
    }
}
