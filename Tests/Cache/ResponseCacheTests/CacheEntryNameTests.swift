import Digest
import SeededRandom
import Testing

@testable import ResponseCache

@Suite(.timeLimit(.minutes(5))) struct KeptNameTests {
    private static let key = SHA256.digest(of: "a").base64URL()

    @Test func names_areReadBack() {
        var generator = SeededGenerator(state: 9)
        for number in 0..<1000 {
            let name = CacheEntryName(
                tag: CacheTag(word: number == 0 ? 0 : generator.next()), key: CacheKey(SHA256.digest(of: "\(number)")))
            #expect(name.description.utf8.count == 60)
            #expect(CacheEntryName(name.description) == name)
        }
    }

    @Test(arguments: [
        "", key, "-" + key, "0123456789abcde-" + key, "0123456789ABCDEF-" + key, "0123456789abcdeg-" + key,
        "0123456789abcdef_" + key, "0123456789abcdef-" + key.dropLast(), "0123456789abcdef-" + key + "A",
        "0123456789abcdef-" + key.dropLast() + "=", " 123456789abcdef-" + key, "+123456789abcdef-" + key,
    ])
    func otherTexts_areNoNames(_ text: String) { #expect(CacheEntryName(text) == nil) }
}
