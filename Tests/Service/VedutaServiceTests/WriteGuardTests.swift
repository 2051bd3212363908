import HTTPMessage
import HTTPServer
import ServiceConfiguration
import Testing

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct WriteGuardTests {
    private let writes = WriteGuard(tokens: AccessTokens([AccessToken("secret")].compactMap(\.self)))

    private func refusal(_ writes: WriteGuard, _ fields: String...) throws -> WriteGuard.Refusal? {
        let lines = fields.map { $0 + "\r\n" }.joined()
        let head = try RequestHeadParsing.parse("DELETE /cache HTTP/1.1\r\nHost: x\r\n\(lines)\r\n")
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
        #expect(try refusal(WriteGuard(tokens: AccessTokens([]))) == .writesAreOff)
        #expect(try refusal(WriteGuard(tokens: AccessTokens([])), "Authorization: Bearer secret") == .writesAreOff)
        #expect(try refusal(WriteGuard(tokens: AccessTokens([])), "Authorization: Bearer ") == .writesAreOff)
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

    @Test func description_doesNotShowTheToken() { #expect(!"\(writes)".contains("secret")) }

    @Test func challenges_areThoseOfRFC6750() {
        #expect(Problem(.noToken).challenge == "Bearer realm=\"veduta\"")
        #expect(Problem(.wrongToken).challenge == "Bearer realm=\"veduta\", error=\"invalid_token\"")
        #expect(Problem(.writesAreOff).challenge == nil)
        #expect(Problem(.writesAreOff).detail.contains("VEDUTA_TOKEN"))
    }
}
