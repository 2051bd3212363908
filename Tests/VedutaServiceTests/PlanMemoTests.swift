import HTTPMessage
import HTTPServer
import ImagePlan
import Reactor
import Synchronization
import Testing

@testable import VedutaService

/// The memo finds what the same octets asked for, and looks at a source again when its time is over.
struct PlanMemoTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    private static func head(_ query: String, _ fields: String...) throws -> RequestHead {
        let lines = ["GET /asset?\(query) HTTP/1.1", "Host: veduta.test"] + fields + ["", ""]
        var parser = RequestHeadParser()
        guard case .complete(let head, _) = parser.parse(Array(lines.joined(separator: "\r\n").utf8).span.bytes) else {
            throw Malformed()
        }
        return head
    }

    private struct Malformed: Error {}

    private static func identity(_ plan: PicturePlan, _ source: SourceValidator) -> PictureIdentity {
        PictureIdentity(validator: source, digest: plan.digest(with: source)) { _, _ in FieldLines() }
    }

    /// A plan whose source is in the state that `state` holds.
    private static func plan(_ canonical: String, _ state: SharedState = SharedState()) -> PicturePlan {
        PicturePlan(
            route: .asset, canonical: canonical, format: .jpeg, isNegotiated: true,
            currentValidator: { () throws(Problem) in .map(state.text) },
            render: { _ throws(Problem) in throw .timedOut })
    }

    private final class SharedState: Sendable {
        private let state = Mutex("v1")
        var text: String { state.withLock { $0 } }
        func change(to text: String) { state.withLock { $0 = text } }
    }

    private static func insert(_ name: String, for head: RequestHead, into memo: inout PlanMemo) {
        let made = plan(name)
        memo.insert(made, identity(made, .map("v1")), checkedUntil: start, for: head)
    }

    @Test func queryAndEveryLineOfAccept_tellRequestsApart() throws {
        var memo = PlanMemo()
        let heads = [
            try Self.head("id=a"), try Self.head("id=a", "Accept: b"), try Self.head("id=a", "Accept: b", "Accept: c"),
            try Self.head("id=a", "Accept: c", "Accept: b"), try Self.head("id=a", "Accept: b\tc"), try Self.head(""),
            try Self.head("id=abcdefgh"), try Self.head("id=abcdefgi"), try Self.head("id=abcdefghi"),
        ]
        for (index, head) in heads.enumerated() {
            #expect(memo.entry(for: head, .asset) == nil)
            Self.insert("\(index)", for: head, into: &memo)
            #expect(memo.entry(for: head, .asset)?.plan.canonical == "\(index)")
            #expect(memo.entry(for: head, .map) == nil)
        }
        // Two of a set push out a third, never answer for it.
        for (index, head) in heads.enumerated() {
            if let entry = memo.entry(for: head, .asset) { #expect(entry.plan.canonical == "\(index)") }
        }
    }

    @Test func manyRequests_neverAnswerForEachOther() throws {
        var memo = PlanMemo()
        let heads = try (0..<5000).map { try Self.head("id=\($0)") }
        for (index, head) in heads.enumerated() { Self.insert("\(index)", for: head, into: &memo) }
        var foundCount = 0
        for (index, head) in heads.enumerated() {
            guard let entry = memo.entry(for: head, .asset) else { continue }
            foundCount += 1
            #expect(entry.plan.canonical == "\(index)")
        }
        #expect(foundCount > 1000)
    }

    @Test func longQueries_areNotKept() throws {
        var memo = PlanMemo()
        let head = try Self.head("id=" + String(repeating: "a", count: 1100))
        Self.insert("long", for: head, into: &memo)
        #expect(memo.entry(for: head, .asset) == nil)
    }

    @Test func source_isLookedAtAgain_whenItsTimeIsOver() throws {
        var memo = PlanMemo()
        let head = try Self.head("id=a")
        let state = SharedState()
        let plan = Self.plan("a", state)
        let first = Self.identity(plan, .map("v1"))
        memo.insert(plan, first, checkedUntil: Self.start + .seconds(1), for: head)
        let entry = try #require(memo.entry(for: head, .asset))
        func identity(at seconds: Double) throws -> PictureIdentity {
            try entry.identity(now: Self.start + .seconds(seconds), lifetime: .seconds(1), make: Self.identity)
        }
        state.change(to: "v2")
        #expect(try identity(at: 0.9) === first)
        let second = try identity(at: 1)
        #expect(second.validator == .map("v2"))
        #expect(second.entityTag != first.entityTag)
        state.change(to: "v3")
        #expect(try identity(at: 1.9) === second)
        #expect(try identity(at: 2).validator == .map("v3"))
    }

    @Test func unchangedSource_keepsItsIdentity() throws {
        var memo = PlanMemo()
        let head = try Self.head("id=a")
        let plan = Self.plan("a")
        let first = Self.identity(plan, .map("v1"))
        memo.insert(plan, first, checkedUntil: Self.start, for: head)
        let entry = try #require(memo.entry(for: head, .asset))
        // Without a lifetime it is looked at for every request.
        for _ in 0..<3 {
            #expect(try entry.identity(now: Self.start, lifetime: .zero, make: Self.identity) === first)
        }
    }
}
