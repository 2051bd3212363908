import Testing
import URLSigning

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct AnswerSignerTests {
    private func canonical(_ key: String, until expires: Int64? = nil) throws -> String {
        AnswerSigner(key: try #require(SigningKey(text: key)), expires: expires).canonical
    }

    @Test func keysOfAnswers_tellSecretsApart_andDoNotTellThem() throws {
        let secrets = ["MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="]
        let texts = try secrets.map { try canonical("k:\($0)") }
        #expect(try secrets.map { try canonical("k:\($0)") } == texts)
        #expect(texts[0] != texts[1])
        #expect(try canonical("j:\(secrets[0])") != texts[0])
        #expect(try canonical("k:\(secrets[0])", until: 5) != texts[0])
        for text in texts { #expect(text.contains(/^signer=k\.[A-Za-z0-9_-]{11}&until=$/), "\(text)") }
    }
}
