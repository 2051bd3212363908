import HTTPMessage
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestTargetTests {
    private func target(_ text: String, method: String = "GET") throws -> RequestTarget {
        try #require(parseHeads("\(method) \(text) HTTP/1.1\r\nHost: h\r\n\r\n").heads.first).target
    }

    @Test func originForm_isSplitAtTheFirstQuestionMark() throws {
        let target = try target("/a/b?c=d?e&f")
        #expect(target.form == .origin)
        #expect(target.path == "/a/b")
        #expect(target.query == "c=d?e&f")
        #expect(target.authority == nil)
        let query = target.queryBytes.withUnsafeBytes { [UInt8]($0) }
        #expect(query == byteArray("c=d?e&f"))
    }

    @Test func emptyAndAbsentQuery_differ() throws {
        #expect(try target("/a?").query == "")
        #expect(try target("/a").query == nil)
        let count = try target("/a").queryBytes.byteCount
        #expect(count == 0)
    }

    @Test(arguments: [
        ("http://x:80/p?q", "x:80", "/p", Optional("q")), ("HTTPS://x", "x", "/", nil), ("http://x?q", "x", "/", "q"),
        ("http://[::1]/a", "[::1]", "/a", nil),
    ])
    func absoluteForm_winsOverHost(_ text: String, _ authority: String, _ path: String, _ query: String?) throws {
        let head = try #require(parseHeads("GET \(text) HTTP/1.1\r\nHost: other\r\n\r\n").heads.first)
        #expect(head.target.form == .absolute)
        #expect(head.target.path == path)
        #expect(head.target.query == query)
        #expect(head.authority == authority)
        #expect(head.targetText == text)
    }

    @Test func asteriskAndAuthorityForm_belongToTheirMethods() throws {
        let asterisk = try target("*", method: "OPTIONS")
        #expect(asterisk.form == .asterisk)
        #expect(asterisk.path == "*")
        let tunnel = try target("h:443", method: "CONNECT")
        #expect(tunnel.form == .authority)
        #expect(tunnel.authority == "h:443")
        #expect(tunnel.path == "")
    }

    @Test func everyByteOfATarget_isAcceptedOrRefusedByTheTable() {
        let refused = Set(byteArray(" \"#<>"))
        for byte in UInt8.min...UInt8.max {
            let bytes = byteArray("GET /?") + [byte] + byteArray("x HTTP/1.1\r\nHost: h\r\n\r\n")
            let isVisible = byte > 0x20 && byte < 0x7f
            #expect((parseHeads([bytes[...]]).heads.count == 1) == (isVisible && !refused.contains(byte)))
        }
    }

    /// #15.16d, RFC 9110 §4.2.3.
    @Test(arguments: [
        ("/%61sset", "/asset"), ("/health/%6cive", "/health/live"), ("/%68ealth/liv%65?a=%61", "/health/live"),
        ("/a%2Fb%41c", "/a%2FbAc"), ("/%c3%a4%7e", "/%c3%a4~"), ("/%2561", "/%2561"), ("/%2e%2E/a", "/../a"),
        ("http://x/%61", "/a"), ("/plain", "/plain"), ("/%2f", "/%2f"),
    ])
    func escapesWithoutNeed_areTheCharacters(_ text: String, _ path: String) throws {
        let target = try target(text)
        #expect(target.path == path)
        #expect(target.text == text)
        #expect(target.hasPath("/asset") == (path == "/asset"))
        #expect(target.hasPathPrefix("/health/") == path.hasPrefix("/health/"))
        #expect(!target.hasPathPrefix("/health/live/and/more"))
    }

    /// #15: each escape copied the path so far.
    @Test func aPathOfEscapesAlone_isReadWhole() throws {
        let count = 2700
        let target = try target("/" + String(repeating: "%61%2F", count: count / 2))
        #expect(target.path == "/" + String(repeating: "a%2F", count: count / 2))
    }

    @Test(arguments: ["/%", "/%6", "/%6g", "/%00", "/a%6"])
    func brokenEscapesInThePath_areRefused(_ text: String) {
        #expect(parseHeads("GET \(text) HTTP/1.1\r\nHost: h\r\n\r\n").heads.isEmpty)
    }

    @Test func brokenEscapeInTheQuery_isLeftToItsReader() throws {
        #expect(try target("/?a=%zz").query == "a=%zz")
    }
}

@Suite(.timeLimit(.minutes(5))) struct FieldsTests {
    @Test func everyByteOfAName_isAcceptedOrRefusedByTheTable() {
        let token = Set(byteArray("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
            let bytes = byteArray("GET / HTTP/1.1\r\nHost: h\r\nX") + [byte] + byteArray("Y: z\r\n\r\n")
            #expect((parseHeads([bytes[...]]).heads.count == 1) == token.contains(byte))
        }
    }

    @Test func everyByteOfAValue_isAcceptedOrRefusedInEveryPlaceOfAWord() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<10 {
                let before = String(repeating: "v", count: place)
                let bytes =
                    byteArray("GET / HTTP/1.1\r\nHost: h\r\nX: a\(before)") + [byte] + byteArray("vvvvvvvvvv\r\n\r\n")
                #expect((parseHeads([bytes[...]]).heads.count == 1) == (byte == 9 || byte >= 32 && byte != 127))
            }
        }
    }

    @Test func names_compareWithoutCase() {
        #expect(FieldName("content-TYPE") == .contentType)
        #expect(FieldName("Content-Typf") != .contentType)
        for text in ["a b", "", "a:", "a\r\nb", "caf\u{e9}"] { #expect(FieldName(text) == nil) }
        #expect(Set([FieldName("X-A"), FieldName("x-a")]).count == 1)
        let broken: FieldName = "a\r\nb: c"
        #expect(broken.text == "a--b--c")
    }

    @Test func lines_keepTheirOrderAndRepeats() {
        var fields = Fields()
        #expect(fields.isEmpty)
        fields.append("A", "1")
        fields.append("B", "")
        fields.append("a", "2")
        #expect(fields.count == 3)
        #expect(fields.all("A") == ["1", "2"])
        #expect(fields.first("b") == "")
        #expect(fields.count(of: "a") == 2)
        #expect(fields.firstIndex(of: "a", from: 1) == 2)
        #expect(fields.lines.map(\.value) == ["1", "", "2"])
        var other = fields
        #expect(other == fields)
        other.append("C", "3")
        #expect(other != fields)
    }
}
