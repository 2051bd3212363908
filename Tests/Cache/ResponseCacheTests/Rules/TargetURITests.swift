import ResponseCache
import Testing

/// URIs as keys, and references to them (RFC 9110 §4.2, RFC 3986 §5).
@Suite(.timeLimit(.minutes(5))) struct TargetURITests {
    @Test(
        arguments: [
            ("http://a.test/x?y#z", "http://a.test/x?y"), ("HTTP://A.Test:80", "http://a.test/"),
            ("https://a.test:443?q", "https://a.test/?q"), ("https://a.test:80/", "https://a.test:80/"),
            ("http://a.test:/x", "http://a.test/x"), ("http://[::1]:80/%7e", "http://[::1]/%7e"),
            ("http://[::1]/", "http://[::1]/"), ("http://a/?", "http://a/?"), ("http://a#f", "http://a/"),
            ("ftp://a/", nil), ("http:a", nil), ("http:///a", nil), ("http://:80/", nil), ("http://u@a/", nil),
            ("/a", nil), ("", nil), (":", nil), ("http", nil),
        ] as [(String, String?)])
    func uri_isNormalised(_ text: String, _ expected: String?) {
        #expect(TargetURI(text)?.text == expected)
    }

    /// RFC 3986 §5.4.
    @Test(
        arguments: [
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
            ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), (";x", "/b/c/;x"), ("", "/b/c/d;p?q"),
            (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"),
            ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
            ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
            ("g?y/../x", "/b/c/g?y/../x"), ("g//h", "/b/c/g//h"),
        ])
    func reference_isResolved(_ reference: String, _ expected: String) {
        #expect(TargetURI("http://a/b/c/d;p?q")?.resolving(reference)?.text == "http://a" + expected)
    }

    @Test(
        arguments: [
            ("//G", "https://g/"), ("http://A/x/../y", "http://a/y"), ("mailto:a", nil), ("//", nil), ("g:h", nil),
        ] as [(String, String?)])
    func referenceToElsewhere_isResolved(_ reference: String, _ expected: String?) {
        #expect(TargetURI("https://a/b")?.resolving(reference)?.text == expected)
    }
}
