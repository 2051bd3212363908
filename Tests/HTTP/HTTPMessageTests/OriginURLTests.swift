import Testing

@testable import HTTPMessage

@Suite(.timeLimit(.minutes(5))) struct OriginURLTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.com:443/A", "https://example.com/A"),
        ("http://example.com:80", "http://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com?a=b", "https://example.com/?a=b"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/../../a", "https://example.com/a"),
        ("https://example.com/a/..", "https://example.com/"),
        ("https://example.com/a/.", "https://example.com/a/"),
        ("https://example.com//a//b", "https://example.com//a//b"),
        ("https://example.com/%7euser/%2f%2F", "https://example.com/~user/%2F%2F"),
        ("https://example.com/%2e%2e/a", "https://example.com/a"),
        ("https://example.com/a b/ü", "https://example.com/a%20b/%C3%BC"),
        ("https://example.com/a?b=<c>&d=[e]", "https://example.com/a?b=%3Cc%3E&d=%5Be%5D"),
        ("https://example.com/a?../b", "https://example.com/a?../b"),
        ("https://example.com/a?b?c", "https://example.com/a?b?c"),
        ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("https://a_b.example/", "https://a_b.example/"),
        ("http://192.0.2.1:8080/x", "http://192.0.2.1:8080/x"),
        ("http://[2001:DB8:0::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ("http://[::FFFF:127.0.0.1]/", "http://[::ffff:127.0.0.1]/"),
    ])
    func url_isNormalised(_ text: String, _ normal: String) throws {
        let url = try OriginURL(text)
        #expect(url.description == normal)
        #expect(try OriginURL(normal) == url)
    }

    @Test(
        arguments: [
            ("", .scheme), ("example.com", .scheme), ("//example.com/", .scheme), ("ftp://example.com/", .scheme),
            ("file:///etc/passwd", .scheme), ("https:/example.com", .scheme), ("https:example.com", .scheme),
            (" https://example.com", .scheme), ("https://user@example.com/", .credentials),
            ("https://user:secret@example.com/", .credentials), ("https://@example.com/", .credentials),
            ("https://a@b@example.com/", .credentials), ("https:///a", .host), ("https://:443/", .host),
            ("https://.", .host),
            ("https://example.com./", .host), ("https://-a.example/", .host), ("https://a..example/", .host),
            ("https://ex%61mple.com/", .host), ("https://exämple.com/", .host),
            ("https://example.com\\@evil.example/", .credentials),
            ("https://example.com\\.evil.example/", .host), ("https://127.1/", .host), ("https://0x7f.1/", .host),
            ("https://2130706433/", .host), ("https://0177.0.0.1/", .host), ("https://1.2.3.4.5/", .host),
            ("https://example.0x1/", .host), ("https://[::1/", .host), ("https://[::1%25lo]/", .host),
            ("https://[127.0.0.1]/", .host),
            ("https://[::1]x/", .host), ("https://a b/", .host), ("https://example.com:/", .port),
            ("https://example.com:0/", .port),
            ("https://example.com:65536/", .port), ("https://example.com:+80/", .port),
            ("https://example.com:８０/", .port),
            ("https://example.com/#a", .fragment), ("https://example.com#a", .fragment),
            ("https://example.com/\u{1}", .byte(offset: 20)),
            ("https://example.com/a\r\nHost: x", .byte(offset: 21)), ("https://example.com/%", .byte(offset: 20)),
            ("https://example.com/%4", .byte(offset: 20)), ("https://example.com/%zz", .byte(offset: 20)),
            ("https://example.com/?%2", .byte(offset: 21)),
        ] as [(String, OriginURLFault)])
    func wrongURL_isRefused(_ text: String, _ fault: OriginURLFault) {
        #expect(throws: fault) { try OriginURL(text) }
    }

    @Test func length_isBounded_beforeAndAfterNormalising() throws {
        let room = OriginURL.lengthLimit - "https://example.com/".utf8.count
        #expect(
            try OriginURL("https://example.com/" + String(repeating: "a", count: room)).description.utf8.count == 2_048)
        #expect(throws: OriginURLFault.tooLong(limit: 2_048)) {
            try OriginURL("https://example.com/" + String(repeating: "a", count: room + 1))
        }
        #expect(throws: OriginURLFault.tooLong(limit: 2_048)) {
            try OriginURL("https://example.com/" + String(repeating: "ü", count: room / 2))
        }
        #expect(throws: OriginURLFault.host) { try OriginURL("https://\(String(repeating: "a", count: 64)).example/") }
        #expect(throws: OriginURLFault.host) {
            try OriginURL("https://\(Array(repeating: "abcdefg", count: 32).joined(separator: "."))/")
        }
    }

    @Test(arguments: [
        ("", "https://example.com/a/b?c"), ("#x", "https://example.com/a/b?c"), ("d", "https://example.com/a/d"),
        ("/d", "https://example.com/d"), ("../d", "https://example.com/d"), ("?d", "https://example.com/a/b?d"),
        ("//other.example/d", "https://other.example/d"), ("http://other.example", "http://other.example/"),
        ("./d:e", "https://example.com/a/d:e"), ("d?e#f", "https://example.com/a/d?e"),
        ("d/e:f", "https://example.com/a/d/e:f"),
    ])
    func reference_isResolved(_ reference: String, _ expected: String) throws {
        #expect(try OriginURL("https://example.com/a/b?c").resolving(reference).description == expected)
    }

    @Test(arguments: [
        "ftp://example.com/", "javascript:alert(1)", "file:///etc/passwd", "http://", "//", "//user@x/", "mailto:a@b",
    ])
    func referenceElsewhere_isRefused(_ reference: String) {
        #expect(throws: OriginURLFault.self) { try OriginURL("https://example.com/").resolving(reference) }
    }

    @Test func list_allowsWhatItNames_andNothingElse() throws {
        let list = try OriginList([
            "https://a.example", "*.b.example", "http://c.example:8080", "http://[::1]:9000", "HTTPS://D.example:443",
        ])
        for text in [
            "https://a.example/x", "https://A.example:443/", "https://x.b.example/", "https://x.y.b.example/",
            "http://c.example:8080/", "http://[::1]:9000/", "https://d.example/",
        ] {
            #expect(list.contains(try OriginURL(text).origin), "\(text)")
        }
        for text in [
            "http://a.example/", "https://a.example:8443/", "https://x.a.example/", "https://b.example/",
            "https://xb.example/",
            "http://x.b.example/", "https://x.b.example:1/", "https://c.example:8080/", "http://c.example/",
            "http://[::2]:9000/",
            "https://a.example.evil.example/", "https://x.b.example.evil.example/",
        ] {
            #expect(!list.contains(try OriginURL(text).origin), "\(text)")
        }
        #expect(OriginList.none.isEmpty)
        #expect(!OriginList.none.contains(try OriginURL("https://a.example/").origin))
    }

    @Test(arguments: [
        "", "*", "https://*", "*.", "https://a.example/", "https://a.example/x", "https://a.example?x",
        "ftp://a.example",
        "https://u@a.example", "a.*.example", "**.example", "*.127.0.0.1", "*.[::1]", "a.example:0", "a.example#x",
        "a b",
    ])
    func wrongEntry_isNamed(_ entry: String) {
        #expect { try OriginList(["ok.example", entry]) } throws: { ($0 as? OriginListFault)?.entry == entry }
    }
}
