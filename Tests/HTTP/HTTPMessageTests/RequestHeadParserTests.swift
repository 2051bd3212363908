import HTTPMessage
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestHeadParserTests {
    static let messages: [String] = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /asset?id=cat.jpg&width=100 HTTP/1.1\r\nHost: localhost:8080\r\nAccept: image/avif,*/*;q=0.8\r\n\r\n",
        "\r\n\r\nHEAD /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX-Empty:\r\nX-Blank: \t \r\n\r\n",
        "PUT / HTTP/1.1\r\nhOST:a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
        "OPTIONS * HTTP/1.9\r\nHost: [::1]:80\r\nX:\ta b\tc  \r\nX: caf\u{e9} \u{f0}\u{9f}\r\n\r\n",
        "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n",
        "BREW http://u.example/p?q HTTP/1.1\r\nHost: other\r\nConnection: foo, CLOSE\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\n\r\nGET /3 HTTP/1.1\r\nHost: c\r\n\r\n",
        "GET /" + String(repeating: "p", count: 300) + " HTTP/1.1\r\nHost: a\r\nX-Long: "
            + String(repeating: "v ", count: 200) + "\r\n\r\n",
    ]

    @Test(arguments: messages)
    func messageCutAnywhere_givesTheSameHeads(_ message: String) {
        let bytes = byteArray(message)
        let whole = parseHeads([bytes[...]])
        #expect(whole.error == nil)
        #expect(!whole.heads.isEmpty)
        for pieces in everyCut(bytes) { #expect(parseHeads(pieces) == whole) }
    }

    @Test func messageCutTwice_givesTheSameHead() {
        let bytes = byteArray("\r\nGET /a?b HTTP/1.1\r\nHost: a \r\nX:y\r\n\r\n")
        let whole = parseHeads([bytes[...]])
        #expect(whole.heads.count == 1)
        for first in bytes.indices {
            for second in first...bytes.count {
                #expect(parseHeads([bytes[..<first], bytes[first..<second], bytes[second...]]) == whole)
            }
        }
    }

    @Test func requestLineAndFields_areReadAsTheyStand() throws {
        let text = "GET /asset?id=a%20b&w=1 HTTP/1.1\r\nHost: h:80\r\nX-A:  one \r\nx-a:two\t\r\nY: a\tb c\r\n\r\n"
        let head = try #require(parseHeads(text).heads.first)
        #expect(head.method == .get)
        #expect(head.methodText == "GET")
        #expect(head.version == .http11)
        #expect(head.target.form == .origin)
        #expect(head.target.path == "/asset")
        #expect(head.target.query == "id=a%20b&w=1")
        #expect(head.targetText == "/asset?id=a%20b&w=1")
        #expect(head.authority == "h:80")
        #expect(head.fields.count == 4)
        #expect(head.fields.first("X-A") == "one")
        #expect(head.fields.all("X-a") == ["one", "two"])
        #expect(head.fields.first("Y") == "a\tb c")
        #expect(head.fields.first("Z") == nil)
        #expect(head.fields.contains(.host))
        #expect(head.fields.lines.map(\.name) == ["Host", "X-A", "x-a", "Y"])
        #expect(head.framing == .none)
        #expect(head.keepAlive)
        #expect(head.expectation == .none)
    }

    @Test func everyKnownMethod_isToldApartFromItsLowerCase() throws {
        for method in Method.allCases where method != .other && method != .connect {
            let name = "\(method.name)"
            let head = try #require(parseHeads("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n").heads.first)
            #expect(head.method == method)
            let lower = try #require(parseHeads("\(name.lowercased()) / HTTP/1.1\r\nHost: a\r\n\r\n").heads.first)
            #expect(lower.method == .other)
            #expect(lower.methodText == name.lowercased())
        }
    }

    @Test func bytesAfterTheHead_areNotTaken() {
        let head = byteArray("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n")
        var parser = RequestHeadParser()
        let progress = parser.parse((head + byteArray("abc")).span.bytes)
        guard case .complete(let parsed, let consumed) = progress else {
            Issue.record("no head: \(progress)")
            return
        }
        #expect(consumed == head.count)
        #expect(parsed.framing == .length(3))
    }

    @Test func parserThatFailed_keepsItsError() {
        var parser = RequestHeadParser()
        #expect(parser.parse(byteArray("G@T").span.bytes) == .failed(.invalidMethod(offset: 1)))
        #expect(parser.parse(byteArray("GET / HTTP/1.1\r\n").span.bytes) == .failed(.invalidMethod(offset: 1)))
    }

    @Test func headInProgress_isTold() {
        var parser = RequestHeadParser()
        #expect(!parser.isInsideHead)
        _ = parser.parse(byteArray("\r\n").span.bytes)
        #expect(!parser.isInsideHead)
        _ = parser.parse(byteArray("G").span.bytes)
        #expect(parser.isInsideHead)
        _ = parser.parse(byteArray("ET / HTTP/1.1\r\nHost: a\r\n\r\n").span.bytes)
        #expect(!parser.isInsideHead)
    }

    @Test func noBytes_changeNothing() {
        var parser = RequestHeadParser()
        #expect(parser.parse([UInt8]().span.bytes) == .needMore(consumed: 0))
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false), ("HTTP/1.0", "", false),
        ("HTTP/1.1", "Connection: foo, CLOSE\r\n", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
        ("HTTP/1.1", "Connection: foo\r\nConnection: close\r\n", false), ("HTTP/1.7", "", true),
        ("HTTP/1.0", "Connection: keep-alive, close\r\n", false), ("HTTP/1.1", "Connection: closed\r\n", true),
        ("HTTP/1.1", "Connection: \", close\r\n", false),
    ])
    func connectionOptions_decidePersistence(_ version: String, _ field: String, _ persists: Bool) throws {
        let head = try #require(parseHeads("GET / \(version)\r\nHost: a\r\n\(field)\r\n").heads.first)
        #expect(head.keepAlive == persists)
    }

    @Test(arguments: [
        ("HTTP/1.1", "Expect: 100-Continue\r\n", RequestExpectation.continue), ("HTTP/1.1", "", .none),
        ("HTTP/1.0", "Expect: 100-continue\r\n", .none), ("HTTP/1.1", "Expect: 200-ok\r\n", .unknown),
        ("HTTP/1.1", "Expect: 100-continue, x\r\n", .unknown),
        ("HTTP/1.1", "Expect: x\r\nExpect: 100-continue\r\n", .unknown),
    ])
    func expectations_areTold(_ version: String, _ field: String, _ expected: RequestExpectation) throws {
        let head = try #require(parseHeads("POST / \(version)\r\nHost: a\r\n\(field)\r\n").heads.first)
        #expect(head.expectation == expected)
        #expect(head.expectsContinue == (expected == .continue))
    }

    @Test(arguments: [
        ("", Framing.none), ("Content-Length: 0\r\n", .none), ("Content-Length: 5\r\n", .length(5)),
        ("Content-Length: 0005\r\n", .length(5)), ("Content-Length: 9223372036854775807\r\n", .length(Int.max)),
        ("Transfer-Encoding: chunked\r\n", .chunked), ("Transfer-Encoding: \t ChUnKeD \r\n", .chunked),
    ])
    func framing_followsTheFields(_ fields: String, _ framing: Framing) throws {
        let head = try #require(parseHeads("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").heads.first)
        #expect(head.framing == framing)
    }
}
