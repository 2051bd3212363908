import Testing

@testable import ServiceConfiguration

@Suite(.timeLimit(.minutes(5))) struct AccessTokenTests {
    @Test(arguments: ["a", "secret", "dG9rZW4=", "A-Z.a_z~0+9/==", String(repeating: "x", count: 1024)])
    func textsOfTheForm_areTokens(_ text: String) throws {
        let token = try #require(AccessToken(text))
        #expect(token.matches(text))
        #expect(token == AccessToken(text))
    }

    @Test(arguments: [
        "", "=", "a b", "a=b", "caffè", "a\r\nX: y", "a\0", "a,b", "\"a\"", String(repeating: "x", count: 1025),
    ])
    func otherTexts_areNone(_ text: String) { #expect(AccessToken(text) == nil) }

    /// Comparison is `constantTimeEquals` over digests; that it is the right answer is what can be tested.
    @Test func onlyTheTokenItself_matches() throws {
        let token = try #require(AccessToken("correct-horse"))
        for text in [
            "", "c", "correct-hors", "correct-horsf", "correct-horse ", "Correct-horse", "correct-horse\0", "==",
        ] {
            #expect(!token.matches(text), "\(text)")
        }
    }

    @Test func descriptions_doNotShowIt() {
        var configuration = Configuration()
        configuration.token = AccessToken("correct-horse")
        for text in ["\(configuration)", String(reflecting: configuration)] {
            #expect(!text.contains("horse"))
        }
    }

    @Test func shortTokens_areKnownAsSuch() {
        #expect(AccessToken("123456789012345")?.isShort == true)
        #expect(AccessToken("1234567890123456")?.isShort == false)
    }
}
