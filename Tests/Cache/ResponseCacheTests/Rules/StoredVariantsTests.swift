import HTTPMessage
import ResponseCache
import Testing

/// What a store of whole answers makes of the engine's decisions.
@Suite(.timeLimit(.minutes(5))) struct StoredVariantsTests {
    private func entry(_ text: String) throws -> StoredExchange {
        try #require(stored(200, ["Cache-Control: max-age=60", "ETag: \"\(text)\""]))
    }

    private func variants(_ texts: [String]) throws -> StoredVariants<String> {
        var variants = StoredVariants<String>()
        for text in texts { variants.take(.store(try entry(text), replacing: []), content: text) }
        return variants
    }

    @Test func newAnswers_takeThePlacesTheyAreGiven() throws {
        var variants = StoredVariants<String>()
        #expect(variants.isEmpty)
        variants = try threeVariants()
        #expect(variants.take(.store(try entry("d"), replacing: [2, 0]), content: "d") == nil)
        #expect(variants.variants.map(\.content) == ["b", "d"])
        #expect(variants.entries == [try entry("b"), try entry("d")])
    }

    /// RFC 9111 §4.3.4: fields change, contents never do.
    @Test func freshenedAnswers_keepTheirContents() throws {
        var variants = try threeVariants()
        let fresh = try (0..<3).map { try entry("new \($0)") }
        let updates = [
            Freshening(index: 0, entry: fresh[0], fate: .kept), Freshening(index: 1, entry: fresh[1], fate: .unstored),
            Freshening(index: 2, entry: fresh[2], fate: .removed),
        ]
        for serving in 0..<3 {
            var copy = variants
            let served = copy.take(.update(updates, removing: [], serving: serving), content: "none")
            #expect(served?.entry == fresh[serving])
            #expect(served?.content == ["a", "b", "c"][serving])
        }
        #expect(variants.take(.update(updates, removing: [0], serving: nil), content: "none") == nil)
        #expect(variants.variants.map(\.content) == ["b"])
        #expect(variants.entries == [try entry("b")])
    }

    @Test func refusals_removeWhatTheySupersede() throws {
        var variants = try threeVariants()
        variants.take(.none(.noStore, removing: [1]), content: "none")
        #expect(variants.variants.map(\.content) == ["a", "c"])
        variants.take(.repeatWithoutConditions, content: "none")
        variants.take(.invalidate([]), content: "none")
        #expect(variants.variants.map(\.content) == ["a", "c"])
    }

    /// A decision about what was stored a moment ago must not break the store.
    @Test func indicesBeyondTheEnd_areIgnored() throws {
        var variants = try variants(["a"])
        let update = Freshening(index: 7, entry: try entry("b"), fate: .kept)
        #expect(variants.take(.update([update], removing: [0, 0, 9], serving: 7), content: "none") == nil)
        #expect(variants.isEmpty)
        variants.take(.none(.noStore, removing: [0, 5, -1]), content: "none")
        #expect(variants.isEmpty)
    }

    private func threeVariants() throws -> StoredVariants<String> { try variants(["a", "b", "c"]) }
}
