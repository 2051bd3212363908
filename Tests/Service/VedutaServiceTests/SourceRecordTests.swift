import Reactor
import Renditions
import ResponseCache
import Testing

@testable import VedutaService

/// What loops know of a source together.
@Suite(.timeLimit(.minutes(5))) struct SourceRecordTests {
    private let ledger = PurgeLedger()
    private let record = SourceRecord()

    private static func instant(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private static func rendition(_ canonical: String = "id=a", variant: String = "jpeg") -> Rendition {
        TestRenditions.rendition(canonical, variant: variant)
    }

    private func state(_ state: String, at seconds: Int64) -> SourceState {
        SourceState(Self.rendition().identity(with: .map(state)), at: Self.instant(seconds), epoch: ledger.epoch)
    }

    @Test func laterState_wins_whoeverHadIt() {
        #expect(record.latest(knowing: nil) == nil)
        record.observed(state("v1", at: 5))
        record.observed(state("v0", at: 4))
        #expect(record.latest(knowing: nil)?.observedAt == Self.instant(5))
        #expect(record.latest(knowing: state("v1", at: 3))?.observedAt == Self.instant(5))
        #expect(record.latest(knowing: state("v1", at: 6))?.observedAt == Self.instant(6))
    }

    @Test func stateAfterAPurge_winsOverOneBefore() {
        let before = state("v1", at: 5)
        ledger.notePurge(of: CacheTag(assetID: "a"))
        record.observed(state("v1", at: 5))
        #expect(record.latest(knowing: before)?.epoch == ledger.epoch)
    }

    @Test func goneSource_isKnownToNobody() {
        let own = state("v1", at: 5)
        record.observed(own)
        record.rendered(own)
        record.gone(at: Self.instant(6))
        #expect(record.latest(knowing: own) == nil)
        #expect(record.lastRendered == nil)
        #expect(record.latest(knowing: state("v1", at: 7)) != nil)
    }

    @Test func rendered_isAsOldAsTheLastLookThatFoundItsSourceUnchanged() {
        record.rendered(state("v1", at: 1))
        record.observed(state("v1", at: 9))
        #expect(record.lastRendered?.observedAt == Self.instant(9))
        record.observed(state("v2", at: 10))
        #expect(record.lastRendered?.observedAt == Self.instant(9))
        #expect(record.lastRendered?.identity.validator == .map("v1"))
    }

    @Test func oneRefreshes_atATime_andNotTooSoonAgain() {
        #expect(record.beginRefresh(at: Self.instant(1)))
        #expect(!record.beginRefresh(at: Self.instant(1)))
        record.endRefresh(notBefore: Self.instant(3))
        #expect(!record.beginRefresh(at: Self.instant(2)))
        #expect(record.beginRefresh(at: Self.instant(3)))
        record.endRefresh()
        #expect(record.beginRefresh(at: Self.instant(3)))
    }

    @Test func renditionsOfOneRequest_areOne_untilOthersPushThemOut() {
        let table = RenditionTable(countLimit: 3)
        let first = table.shared(Self.rendition("id=1"))
        #expect(table.shared(Self.rendition("id=1")) === first)
        for number in 2..<4 { _ = table.shared(Self.rendition("id=\(number)")) }
        #expect(table.shared(Self.rendition("id=1")) === first)
        let fourth = table.shared(Self.rendition("id=4"))
        #expect(table.shared(Self.rendition("id=1")) !== first)
        #expect(table.shared(Self.rendition("id=4")) === fourth)
    }

    /// #17: requests of kilobytes, for images that there are none of, filled it with gigabytes.
    @Test func renditionsOfLongRequests_areBoundedByMemory() {
        let table = RenditionTable(countLimit: 1000, byteLimit: 1 << 20)
        let long = String(repeating: "x", count: 10_000)
        for number in 0..<200 {
            _ = table.shared(Self.rendition("id=\(number)&text=\(long)"))
            #expect(table.load.byteCount <= 1 << 20)
        }
        #expect((4...10).contains(table.load.count))
        let last = table.shared(Self.rendition("id=199&text=\(long)"))
        for number in 0..<400 { _ = table.shared(Self.rendition("id=\(number)")) }
        #expect(table.load.count > 400 && table.load.byteCount <= 1 << 20)
        #expect(table.shared(Self.rendition("id=199&text=\(long)")) === last, "there was room for short ones beside it")
        for number in 400..<1000 { _ = table.shared(Self.rendition("id=\(number)")) }
        #expect(table.shared(Self.rendition("id=199&text=\(long)")) !== last)
    }

    @Test func variantsOfAResource_areThoseOfTheTable_butForItself() {
        let table = RenditionTable(countLimit: 12)
        let first = table.shared(Self.rendition(variant: "webp"))
        #expect(table.variants(of: first).isEmpty)
        let second = table.shared(Self.rendition(variant: "avif"))
        _ = table.shared(Self.rendition("id=b", variant: "avif"))
        #expect(table.variants(of: first).map(\.variant) == ["avif"])
        #expect(table.variants(of: second).map(\.variant) == ["webp"])
        for number in 0..<20 { _ = table.shared(Self.rendition(variant: "\(number)")) }
        #expect(table.variants(of: first).map(\.variant) == (12..<20).map(String.init))
        for number in 0..<12 { _ = table.shared(Self.rendition("id=\(number)")) }
        #expect(table.variants(of: first).isEmpty)
    }
}
