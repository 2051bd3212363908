import HTTPMessage
import Reactor
import Renditions
import ResponseCache
import Testing

@testable import VedutaService

/// The memo finds what the same bytes asked for, and says when a source has to be looked at again.
@Suite(.timeLimit(.minutes(5))) struct RenditionMemoTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private static func head(_ query: String, _ fields: String...) throws -> RequestHead {
        let lines = ["GET /asset?\(query) HTTP/1.1", "Host: veduta.test"] + fields + ["", ""]
        return try RequestHeadParsing.parse(lines.joined(separator: "\r\n"))
    }

    private static let ledger = PurgeLedger()

    private static func insert(_ name: String, for head: RequestHead, into memo: inout RenditionMemo) {
        let made = TestRenditions.rendition(name, tag: name)
        let state = SourceState(made.identity(with: .map("v1")), at: start, epoch: ledger.epoch)
        memo.insert(made, state, unwatched: start, for: head)
    }

    @Test func queryAndEveryLineOfAccept_tellRequestsApart() throws {
        var memo = RenditionMemo()
        let heads = [
            try Self.head("id=a"), try Self.head("id=a", "Accept: b"), try Self.head("id=a", "Accept: b", "Accept: c"),
            try Self.head("id=a", "Accept: c", "Accept: b"), try Self.head("id=a", "Accept: b\tc"), try Self.head(""),
            try Self.head("id=abcdefgh"), try Self.head("id=abcdefgi"), try Self.head("id=abcdefghi"),
        ]
        for (index, head) in heads.enumerated() {
            #expect(memo.entry(for: head, route: Endpoint.asset.rawValue) == nil)
            Self.insert("\(index)", for: head, into: &memo)
            #expect(memo.entry(for: head, route: Endpoint.asset.rawValue)?.rendition.canonical == "\(index)")
            #expect(memo.entry(for: head, route: Endpoint.map.rawValue) == nil)
        }
        // Two of a set push out a third, never answer for it.
        for (index, head) in heads.enumerated() {
            if let entry = memo.entry(for: head, route: Endpoint.asset.rawValue) {
                #expect(entry.rendition.canonical == "\(index)")
            }
        }
    }

    @Test func manyRequests_neverAnswerForEachOther() throws {
        var memo = RenditionMemo()
        let heads = try (0..<5000).map { try Self.head("id=\($0)") }
        for (index, head) in heads.enumerated() { Self.insert("\(index)", for: head, into: &memo) }
        var foundCount = 0
        for (index, head) in heads.enumerated() {
            guard let entry = memo.entry(for: head, route: Endpoint.asset.rawValue) else { continue }
            foundCount += 1
            #expect(entry.rendition.canonical == "\(index)")
        }
        #expect(foundCount > 1000)
    }

    @Test func longQueries_areNotKept() throws {
        var memo = RenditionMemo()
        let head = try Self.head("id=" + String(repeating: "a", count: 1100))
        Self.insert("long", for: head, into: &memo)
        #expect(memo.entry(for: head, route: Endpoint.asset.rawValue) == nil)
    }

    @Test func state_isCurrent_untilItsTimeOrAPurge() throws {
        var memo = RenditionMemo()
        let ledger = PurgeLedger()
        let head = try Self.head("id=a")
        let rendition = TestRenditions.rendition("a")
        let first = SourceState(rendition.identity(with: .map("v1")), at: Self.start, epoch: ledger.epoch)
        memo.insert(rendition, first, unwatched: Self.start + .seconds(1), for: head)
        let entry = try #require(memo.entry(for: head, route: Endpoint.asset.rawValue))
        #expect(entry.current(at: Self.start + .seconds(0.9), ledger) != nil)
        #expect(entry.current(at: Self.start + .seconds(1), ledger) == nil)
        ledger.notePurge(of: CacheTag(assetID: "another"))
        #expect(entry.current(at: Self.start, ledger) != nil)
        ledger.notePurge(of: rendition.tag)
        #expect(entry.current(at: Self.start, ledger) == nil)
        let later = SourceState(first.identity, at: Self.start + .seconds(1), epoch: ledger.epoch)
        entry.observed(later, unwatched: Self.start + .seconds(2))
        #expect(entry.current(at: Self.start + .seconds(1.9), ledger) != nil)
        #expect(entry.state.observedAt == later.observedAt)
    }
}
