import HTTPMessage
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5))) struct ContentRuleTests {
    private func head(_ fields: String...) throws -> RequestHead {
        let text = "POST / HTTP/1.1\r\nHost: a\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
        var parser = RequestHeadParser(limits: HTTPLimits())
        let bytes = Array(text.utf8)
        guard case .complete(let head, _) = parser.parse(bytes.span.bytes) else { throw Unparsed(text: text) }
        return head
    }

    private struct Unparsed: Error { let text: String }

    private func failure(_ rule: ContentRule, _ head: RequestHead) -> RequestFailure? { rule.failure(for: head) }

    @Test func contentThatIsRequired_mustBeAnnounced() throws {
        let bare = try head()
        #expect(failure(ContentRule(byteLimit: 9), bare) == .lengthRequired)
        #expect(failure(ContentRule(byteLimit: 9, isRequired: false), bare) == nil)
    }

    @Test func announcedLengthOfZero_isALength() throws {
        let empty = try head("Content-Length: 0")
        #expect(failure(ContentRule(byteLimit: 9), empty) == nil)
    }

    @Test(arguments: [(9, false), (10, false), (11, true)])
    func announcedLength_isHeldToTheLimit(count: Int, isRefused: Bool) throws {
        let announced = try head("Content-Length: \(count)")
        let expected = isRefused ? RequestFailure.contentTooLarge(limit: 10) : nil
        #expect(failure(ContentRule(byteLimit: 10), announced) == expected)
    }

    @Test(arguments: [
        "text/plain", "TEXT/Plain", "text/plain;charset=utf-8", "text/plain ; charset=utf-8", "image/png",
    ])
    func mediaTypes_areComparedWithoutCaseAndParameters(_ type: String) throws {
        let typed = try head("Content-Type: \(type)", "Content-Length: 1")
        #expect(failure(ContentRule(byteLimit: 9, mediaTypes: ["image/png", "text/plain"]), typed) == nil)
    }

    @Test(arguments: ["text/html", "text", "text/plainer", "", "text/plain, text/html"])
    func otherMediaTypes_areRefused(_ type: String) throws {
        let rule = ContentRule(byteLimit: 9, mediaTypes: ["text/plain"])
        let typed = try head("Content-Type: \(type)", "Transfer-Encoding: chunked")
        #expect(failure(rule, typed) == .unsupportedMediaType)
    }

    @Test func noMediaTypeOrTwo_areRefused_whereOneIsWanted() throws {
        let rule = ContentRule(byteLimit: 9, mediaTypes: ["text/plain"])
        let untyped = try head("Content-Length: 1")
        let twice = try head("Content-Type: text/plain", "Content-Type: text/plain", "Content-Length: 1")
        #expect(failure(rule, untyped) == .unsupportedMediaType)
        #expect(failure(rule, twice) == .unsupportedMediaType)
        #expect(failure(ContentRule(byteLimit: 9), untyped) == nil)
    }

    @Test func contentCoding_isRefused() throws {
        let coded = try head("Content-Encoding: gzip", "Content-Length: 1")
        #expect(failure(ContentRule(byteLimit: 9), coded) == .unsupportedMediaType)
    }

    @Test func tooLargeComesBeforeTheType() throws {
        let both = try head("Content-Type: text/html", "Content-Length: 100")
        let rule = ContentRule(byteLimit: 9, mediaTypes: ["text/plain"])
        #expect(failure(rule, both) == .contentTooLarge(limit: 9))
    }
}
