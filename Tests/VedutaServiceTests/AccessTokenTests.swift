import HTTPMessage
import HTTPServer
import Testing

@testable import VedutaService

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
    func otherTexts_areNone(_ text: String) {
        #expect(AccessToken(text) == nil)
    }

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
        for text in [
            "\(configuration)", String(reflecting: configuration), "\(WriteGuard(token: configuration.token))",
        ] {
            #expect(!text.contains("horse"))
        }
    }

    @Test func shortTokens_areKnownAsSuch() {
        #expect(AccessToken("123456789012345")?.isShort == true)
        #expect(AccessToken("1234567890123456")?.isShort == false)
    }
}

@Suite(.timeLimit(.minutes(5))) struct WriteGuardTests {
    private let writes = WriteGuard(token: AccessToken("secret"))

    private func refusal(_ writes: WriteGuard, _ fields: String...) throws -> WriteGuard.Refusal? {
        let lines = fields.map { $0 + "\r\n" }.joined()
        let head = try #require(try exchange("DELETE /cache HTTP/1.1\r\nHost: x\r\n\(lines)\r\n").head)
        do throws(WriteGuard.Refusal) {
            try writes.check(head)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["Bearer secret", "bearer secret", "BEARER   secret"])
    func theToken_lets(_ value: String) throws {
        #expect(try refusal(writes, "Authorization: \(value)") == nil)
    }

    @Test func withoutConfiguredToken_nobodyMay() throws {
        #expect(try refusal(WriteGuard(token: nil)) == .writesAreOff)
        #expect(try refusal(WriteGuard(token: nil), "Authorization: Bearer secret") == .writesAreOff)
        #expect(try refusal(WriteGuard(token: nil), "Authorization: Bearer ") == .writesAreOff)
    }

    @Test(arguments: ["Basic c2VjcmV0", "secret", "Bearersecret", "Digest secret", "\"Bearer secret\""])
    func otherCredentials_areNoToken(_ value: String) throws {
        #expect(try refusal(writes) == .noToken)
        #expect(try refusal(writes, "Authorization: \(value)") == .noToken)
    }

    @Test(arguments: [
        "Bearer", "Bearer Secret", "Bearer secret2", "Bearer secre", "Bearer secret, x", "Bearer \"secret\"",
    ])
    func otherTokens_areWrong(_ value: String) throws {
        #expect(try refusal(writes, "Authorization: \(value)") == .wrongToken)
    }

    @Test func severalLines_areWrong_evenIfOneIsRight() throws {
        let (right, wrong) = ("Authorization: Bearer secret", "Authorization: Bearer other")
        #expect(try refusal(writes, right, wrong) == .wrongToken)
        #expect(try refusal(writes, wrong, right) == .wrongToken)
        #expect(try refusal(writes, right, right) == .wrongToken)
    }

    @Test func challenges_areThoseOfRFC6750() {
        #expect(Problem(.noToken).challenge == "Bearer realm=\"veduta\"")
        #expect(Problem(.wrongToken).challenge == "Bearer realm=\"veduta\", error=\"invalid_token\"")
        #expect(Problem(.writesAreOff).challenge == nil)
        #expect(Problem(.writesAreOff).detail.contains("VEDUTA_TOKEN"))
    }
}
