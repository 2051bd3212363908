import HTTPMessage
import ResponseCache
import SeededRandom
import Testing

/// A cache of one URI on random requests, answers and times. What must hold is told by the plain text of the messages.
@Suite(.timeLimit(.minutes(5))) struct EngineInvariantsTests {
    @Test(arguments: 0..<12)
    func randomConversations_breakNoRule(_ seed: Int) throws {
        var world = World(seed: UInt64(seed))
        for _ in 0..<300 { try world.step() }
        #expect(world.servedCount > 0 && world.storedCount > 0 && world.updatedCount > 0)
    }
}

private struct Held {
    var entry: StoredExchange
    /// A number for the content, which only a new answer may bring.
    var content: Int
    /// Cache-Control as the last answer that touched it left it.
    var directives: String
    /// The fields of the requests for which it was stored or found valid.
    var askedBy: [String]
}

private struct World {
    private var random: SeededGenerator
    private let engine = CacheEngine()
    private var held: [Held] = []
    private var now = noon
    private var contentCount = 0
    var servedCount = 0
    var storedCount = 0
    var updatedCount = 0

    init(seed: UInt64) { random = SeededGenerator(state: seed) }

    mutating func step() throws {
        now += pick([0, 0, 1, 2, 5, 20, 70, 1000])
        let accept = pick(["a", "b", "c"])
        let wish = pick([
            "", "", "", "", "no-cache", "no-store", "max-age=0", "max-age=5", "max-stale", "max-stale=10",
            "min-fresh=5",
            "only-if-cached", "stale-if-error=50",
        ])
        let asked = request(
            pick([.get, .get, .get, .get, .head, .post]),
            [
                "Accept: \(accept)", wish.isEmpty ? "X: y" : "Cache-Control: \(wish)",
                pick(["X: y", "X: y", "Authorization: z", "If-None-Match: \"1\"", "Range: bytes=0-1"]),
            ])
        let stored = held.map(\.entry)
        let decision = engine.decide(asked, stored, now: now)
        #expect(decision == engine.decide(asked, stored, now: now))
        switch decision {
        case .serve(let serving): check(serving, asked, accept, wish)
        case .unavailable: #expect(wish == "only-if-cached")
        case .validate(let validation): fetch(asked, accept, wish, validating: validation.index, isAsking: true)
        case .forward: fetch(asked, accept, wish, validating: nil, isAsking: false)
        }
        if case .serve = decision { return }
        if let serving = engine.substitute(asked, held.map(\.entry), now: now) { checkSubstitute(serving, wish) }
    }

    private mutating func check(_ serving: Serving, _ asked: CacheRequest, _ accept: String, _ wish: String) {
        servedCount += 1
        let found = held[serving.index]
        checkMayBeUsed(found, accept)
        #expect(wish != "no-cache" && wish != "max-age=0" && asked.method != .post)
        if wish == "max-age=5" { #expect(serving.age <= 5) }
        if wish == "min-fresh=5" { #expect(serving.timeToLive >= 5) }
        if serving.isStale {
            #expect(!found.directives.contains("must-revalidate") && !found.directives.contains("s-maxage"))
            #expect(wish.hasPrefix("max-stale") || found.directives.contains("stale-while-revalidate"))
        }
        #expect(serving.isStale == (serving.timeToLive <= 0))
        #expect(serving.age >= Int(now - found.entry.responseTime))
        let head = engine.head(found.entry, serving)
        #expect(head.fields.all(.age) == ["\(serving.age)"])
        #expect(serving.isNotModified == (head.status == .notModified))
        // A second later it is a second older, to whom it is still served.
        if let later = engine.decide(asked, held.map(\.entry), now: now + 1).serving, later.index == serving.index {
            #expect(later.age == serving.age + 1 && later.timeToLive == serving.timeToLive - 1)
        }
    }

    private func checkMayBeUsed(_ found: Held, _ accept: String) {
        #expect(!found.directives.contains("no-store") || found.directives.contains("must-understand"))
        #expect(!found.directives.contains("private") && !found.directives.contains("no-cache"))
        if found.entry.fields.contains(.vary) { #expect(found.askedBy.contains(accept)) }
    }

    private func checkSubstitute(_ serving: Serving, _ wish: String) {
        let found = held[serving.index]
        #expect(!found.directives.contains("no-store") || found.directives.contains("must-understand"))
        guard serving.timeToLive <= 0 else { return }
        #expect(!found.directives.contains("must-revalidate") && !found.directives.contains("s-maxage"))
        #expect(found.directives.contains("stale-if-error") || wish.contains("stale-if-error"))
    }

    private mutating func fetch(
        _ asked: CacheRequest, _ accept: String, _ wish: String, validating: Int?, isAsking: Bool
    ) {
        #expect(wish != "only-if-cached")
        let directives = pick([
            "max-age=30", "max-age=30", "max-age=30, stale-while-revalidate=20", "max-age=30, stale-if-error=20",
            "s-maxage=30",
            "max-age=30, must-revalidate", "no-store", "no-store, must-understand, max-age=9", "private", "no-cache",
            "max-age=0", "public", "max-age=30, public", "immutable, max-age=5",
        ])
        let isSame = isAsking && pick([true, true, false])
        var lines = [
            "Cache-Control: \(directives)", "Date: \(HTTPDate.text(now))",
            pick(["Vary: Accept", "Vary: Accept", "X: y", "Vary: *"]),
        ]
        let tag = isSame ? held.randomElement(using: &random)?.entry.entityTag?.text : "\"\(pick([1, 2, 3]))\""
        if let tag, pick([true, true, true, false]) { lines.append("ETag: \(tag)") }
        let status = isSame ? 304 : pick([200, 200, 200, 200, 404, 206, 500])
        let isComplete = pick([true, true, true, true, false])
        let answer = exchange(status, lines, to: asked, at: now, isComplete: isComplete)
        let stored = held.map(\.entry)
        let outcome = engine.record(answer, stored, validating: validating)
        #expect(outcome == engine.record(answer, stored, validating: validating))
        apply(outcome, answer, Told(accept: accept, wish: wish, directives: directives))
    }

    private struct Told {
        var accept: String
        var wish: String
        var directives: String
    }

    private mutating func apply(_ outcome: CacheOutcome, _ answer: UpstreamExchange, _ told: Told) {
        var removed: [Int] = []
        switch outcome {
        case .store(let entry, let replaced):
            storedCount += 1
            contentCount += 1
            checkMayBeStored(answer, told)
            #expect(!entry.fields.contains(.contentLength) && entry.fields.count(of: .date) == 1)
            held.append(Held(entry: entry, content: contentCount, directives: told.directives, askedBy: [told.accept]))
            removed = replaced
        case .update(let updates, let more, let serving):
            updatedCount += 1
            removed = more
            #expect(answer.response.status == .notModified || answer.request.method == .head)
            #expect(serving.map { served in updates.contains { $0.index == served } } ?? answer.request.method.isHead)
            for update in updates {
                let old = held[update.index]
                #expect(
                    update.entry.contentByteCount == old.entry.contentByteCount
                        && update.entry.status == old.entry.status)
                #expect(!update.entry.fields.contains(.age))
                if update.fate == .removed { removed.append(update.index) }
                guard update.fate == .kept else { continue }
                #expect(told.wish != "no-store")
                held[update.index].entry = update.entry
                held[update.index].directives = told.directives
                held[update.index].askedBy.append(told.accept)
            }
        case .invalidate(let uris):
            #expect(answer.request.method == .post && uris == [answer.request.uri])
            held = []
        case .repeatWithoutConditions: #expect(answer.response.status == .notModified)
        case .none(_, let superseded): removed = superseded
        }
        #expect(Set(removed).count == removed.count && removed.allSatisfy(held.indices.contains))
        for index in removed.sorted(by: >) { held.remove(at: index) }
    }

    private func checkMayBeStored(_ answer: UpstreamExchange, _ told: Told) {
        #expect(told.wish != "no-store" && answer.isComplete && answer.request.method == .get)
        #expect(!told.directives.contains("no-store") || told.directives.contains("must-understand"))
        #expect(!told.directives.contains("private") && answer.response.fields.first(.vary) != "*")
        #expect(answer.response.status != .partialContent)
        if answer.request.fields.contains(.authorization) {
            #expect(["public", "s-maxage", "must-revalidate"].contains { told.directives.contains($0) })
        }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
}
