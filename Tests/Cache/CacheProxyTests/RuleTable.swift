/// Conversations through the cache. Each row is about one rule; `required` ones first within a section, then savings.
enum RuleTable {
    /// Where an answer has to come from.
    enum Source {
        /// From the cache, without a word to the origin.
        case stored
        /// From the origin.
        case origin
        /// From the origin, which was asked with this condition.
        case validated(String)
        /// From the origin, which was asked without one.
        case unconditional
    }

    /// A request, what the origin says if it is asked, and what the client must get.
    struct Turn {
        var pass = 0
        var method = "GET"
        var target = "/a"
        var asks: [String] = []
        var says: [String] = []
        var status = 200
        var content = "content"
        var expects = Source.origin
        var validator: String?
        var code: Int?
        var text: String?
        var has: [String] = []
        var lacks: [String] = []
    }

    struct Row {
        var section: String
        var name: String
        var turns: [Turn]
    }

    private static func row(_ section: String, _ name: String, _ turns: Turn...) -> Row {
        Row(section: section, name: name, turns: turns)
    }

    private static let hit = Turn(expects: .stored)
    private static let miss = Turn(expects: .origin)

    private static func fresh(_ more: String..., asks: [String] = [], status: Int = 200) -> Turn {
        Turn(asks: asks, says: ["Cache-Control: max-age=3600", "Date: @0"] + more, status: status)
    }

    static let rows: [Row] =
        storing + headers + reuse + freshness + ages + validation + freshening + heads + invalidation + directives
        + parts + explicitStatuses + heuristicStatuses

    private static let storing = [
        row("9111 §3", "nothing said, nothing stored", Turn(says: ["Date: @0"]), miss),
        row("9111 §3", "no-store", Turn(says: ["Cache-Control: No-StOrE, max-age=99"]), miss),
        row("9111 §3", "private", Turn(says: ["Cache-Control: private, max-age=99"]), miss),
        row(
            "9111 §3", "POST without word on its content's place",
            Turn(method: "POST", says: ["Cache-Control: max-age=9"]), miss),
        row("9111 §3.5", "Authorization", fresh(asks: ["Authorization: x"]), miss),
        row(
            "9111 §3.5", "Authorization, public",
            Turn(asks: ["Authorization: x"], says: ["Cache-Control: public, max-age=9"]), hit),
        row(
            "9111 §3.5", "Authorization, must-revalidate",
            Turn(asks: ["Authorization: x"], says: ["Cache-Control: must-revalidate, max-age=9"]), hit),
        row(
            "9111 §3.5", "Authorization, s-maxage",
            Turn(asks: ["Authorization: x"], says: ["Cache-Control: s-maxage=9"]), hit),
        row(
            "9111 §5.2.2.3", "must-understand, no-store, understood",
            Turn(says: ["Cache-Control: must-understand, no-store, max-age=9"]), hit),
        row(
            "9111 §5.2.2.3", "must-understand, unknown status",
            Turn(says: ["Cache-Control: must-understand, max-age=9"], status: 299), miss),
        row(
            "9111 §3", "an older answer is gone when a newer one is not stored", fresh(),
            Turn(pass: 3601, says: ["Cache-Control: no-store"]), miss),
        row(
            "9110 §9.3.3", "POST that says what a GET would get",
            Turn(method: "POST", says: ["Expires: @99", "Date: @0", "Content-Location: /a"]), hit),
        row(
            "6265 §3", "Set-Cookie is no hindrance", fresh("Set-Cookie: a=b"),
            Turn(expects: .stored, has: ["Set-Cookie: a=b"])),
        row("9111 §4", "Cookie is no hindrance", fresh(), Turn(asks: ["Cookie: a=b"], expects: .stored)),
    ]

    private static let headers = [
        row(
            "9111 §3.1", "listed in Connection", fresh("Connection: a, b", "a: 1", "b: 2", "c: 3"),
            Turn(expects: .stored, has: ["c: 3"], lacks: ["a", "b", "Connection"])),
        row(
            "9111 §3.1", "of one connection",
            fresh(
                "Keep-Alive: x", "Proxy-Authenticate: x", "Proxy-Authentication-Info: x", "Proxy-Connection: x",
                "TE: x", "Upgrade: x"),
            Turn(
                expects: .stored,
                lacks: [
                    "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Connection", "TE",
                    "Upgrade",
                ])),
        row(
            "9111 §5.2.2.4", "named by no-cache", fresh("Cache-Control: no-cache=\"a, b\"", "a: 1", "b: 2", "c: 3"),
            Turn(expects: .stored, has: ["c: 3"], lacks: ["a", "b"])),
        row(
            "9111 §3.1", "unknown ones, and repeated ones", fresh("X-A: 1", "X-A: 2", "Clear-Site-Data: cookies"),
            Turn(expects: .stored, has: ["Clear-Site-Data: cookies"])),
        row(
            "9110 §6.6.1", "Date is the origin's", fresh(),
            Turn(pass: 5, expects: .stored, has: ["Date: @-5", "Age: 5"])),
        row("9110 §7.6.3", "Via", Turn(says: ["Via: 1.1 x"], has: ["Via: 1.1 x, 1.1 veduta-cache"])),
    ]

    private static let reuse = [
        row("9111 §4", "another query", fresh(), Turn(target: "/a?b")),
        row(
            "9111 §4", "the same query", Turn(target: "/a?b", says: ["Cache-Control: max-age=9"]),
            Turn(target: "/a?b", expects: .stored)),
        row(
            "9111 §4.1", "the same field", fresh("Vary: Foo", asks: ["Foo: 1"]),
            Turn(asks: ["Foo: 1"], expects: .stored)),
        row("9111 §4.1", "another value", fresh("Vary: Foo", asks: ["Foo: 1"]), Turn(asks: ["Foo: 2"])),
        row("9111 §4.1", "absent", fresh("Vary: Foo", asks: ["Foo: 1"]), miss),
        row(
            "9111 §4.1", "absent both times", fresh("Vary: Foo, Bar", asks: ["Bar: 1"]),
            Turn(asks: ["Bar: 1"], expects: .stored)),
        row("9111 §4.1", "*", fresh("Vary: *"), miss),
        row("9111 §4.1", "* among others", fresh("Vary: Foo, *"), miss),
        row("9111 §4.1", "* in a second line", fresh("Vary:", "Vary: *"), miss),
        row(
            "9111 §4.1", "several lines are one value", fresh("Vary: Foo", asks: ["Foo: 1, 2"]),
            Turn(asks: ["Foo: 1", "Foo: 2"], expects: .stored)),
        row(
            "9111 §4.1", "case, order and spaces where they mean nothing",
            fresh("Vary: Accept-Language", asks: ["Accept-Language: en, de"]),
            Turn(asks: ["Accept-Language: DE,en"], expects: .stored)),
        row(
            "9111 §4.1", "variants stand side by side", fresh("Vary: Foo", asks: ["Foo: 1"]),
            fresh("Vary: Foo", asks: ["Foo: 2"]),
            Turn(asks: ["Foo: 1"], expects: .stored)),
    ]

    private static func lifetime(_ name: String, _ lines: [String], _ source: Source) -> Row {
        row("9111 §4.2.1", name, Turn(says: ["Date: @0"] + lines), Turn(pass: 5, expects: source))
    }

    private static let freshness = [
        lifetime("max-age=0", ["Cache-Control: max-age=0"], .origin),
        lifetime("max-age below 0", ["Cache-Control: max-age=-9"], .origin),
        lifetime("max-age with letters", ["Cache-Control: max-age=99a"], .origin),
        lifetime("max-age in single quotes", ["Cache-Control: max-age='99'"], .origin),
        lifetime("max-age in a quoted string", ["Cache-Control: x=\"max-age=99\", max-age=1"], .origin),
        lifetime("max-age in a quoted string behind", ["Cache-Control: max-age=1, x=\"max-age=99\""], .origin),
        lifetime("max-age=0 before Expires", ["Cache-Control: max-age=0", "Expires: @99"], .origin),
        lifetime("s-maxage before max-age", ["Cache-Control: max-age=99, s-maxage=1"], .origin),
        lifetime("s-maxage in a line of its own", ["Cache-Control: max-age=99", "Cache-Control: s-maxage=1"], .origin),
        lifetime("Expires in the past", ["Expires: @-99"], .origin),
        lifetime("Expires now", ["Expires: @0"], .origin),
        lifetime("Expires that is no date", ["Expires: 0"], .origin),
        lifetime("Expires with a wrong zone", ["Expires: Thu, 18 Aug 2050 02:01:18 UTC"], .origin),
        lifetime("max-age in quotes", ["Cache-Control: max-age=\"99\""], .stored),
        lifetime("max-age with zeros", ["Cache-Control: max-age=0099"], .stored),
        lifetime("max-age=2147483648", ["Cache-Control: max-age=2147483648"], .stored),
        lifetime("max-age=99999999999999999999999", ["Cache-Control: max-age=99999999999999999999999"], .stored),
        lifetime("MaX-aGe beside a stranger", ["Cache-Control: foobar, MaX-aGe=99"], .stored),
        lifetime("max-age before Expires", ["Cache-Control: max-age=99", "Expires: 0"], .stored),
        lifetime("s-maxage longer", ["Cache-Control: max-age=1, s-maxage=99"], .stored),
        lifetime("Expires", ["Expires: @99"], .stored),
        lifetime("Pragma of an answer means nothing", ["Cache-Control: max-age=99", "Pragma: no-cache"], .stored),
        lifetime("CDN-Cache-Control", ["CDN-Cache-Control: max-age=99", "Cache-Control: no-store"], .stored),
        lifetime("CDN-Cache-Control shorter", ["CDN-Cache-Control: max-age=1", "Cache-Control: max-age=99"], .origin),
        lifetime(
            "CDN-Cache-Control that is no dictionary",
            ["CDN-Cache-Control: max-age=99, &&&", "Cache-Control: no-store"], .origin),
        lifetime("CDN-Cache-Control and Expires", ["CDN-Cache-Control: max-age=0", "Expires: @99"], .origin),
        row(
            "9111 §4.2.1", "Expires and no Date", Turn(says: ["Date: foo", "Expires: @10"]),
            Turn(pass: 5, expects: .stored)),
    ]

    private static let ages = [
        row("9111 §4.2.3", "Age beyond max-age", fresh("Age: 7200"), miss),
        row("9111 §4.2.3", "Age grows", fresh("Age: 30"), Turn(pass: 3, expects: .stored, has: ["Age: 33"])),
        row(
            "9111 §4.2.3", "Date in the past", Turn(says: ["Date: @-40", "Cache-Control: max-age=60"]),
            Turn(pass: 3, expects: .stored, has: ["Age: 43"])),
        row("9111 §4.2.3", "Date and Expires", Turn(says: ["Date: @-10", "Expires: @10", "Age: 25"]), miss),
        row("9111 §4.2.3", "Date in the future", Turn(says: ["Date: @10", "Expires: @20", "Age: 15"]), miss),
        row("9111 §5.1", "two Ages, the first counts", fresh("Age: 7200, 0"), miss),
        row("9111 §5.1", "Age that is no number", fresh("Age: abc"), Turn(pass: 2, expects: .stored, has: ["Age: 2"])),
    ]

    private static let validation = [
        row(
            "9111 §4.3.1", "strong tag", Turn(says: ["Cache-Control: max-age=1", "ETag: \"x\""]),
            Turn(
                pass: 2, says: ["ETag: \"x\""], status: 304, expects: .validated("If-None-Match"), validator: "\"x\"",
                code: 200, text: "content")),
        row(
            "9111 §4.3.1", "weak tag", Turn(says: ["Cache-Control: max-age=1", "ETag: W/\"x\""]),
            Turn(
                pass: 2, says: ["ETag: W/\"x\""], status: 304, expects: .validated("If-None-Match"),
                validator: "W/\"x\"", code: 200, text: "content")),
        row(
            "9111 §4.3.1", "date",
            Turn(says: ["Cache-Control: max-age=1", "Last-Modified: Tue, 01 Sep 2020 00:00:00 GMT"]),
            Turn(
                pass: 2, status: 304, expects: .validated("If-Modified-Since"),
                validator: "Tue, 01 Sep 2020 00:00:00 GMT", code: 200, text: "content")),
        row(
            "9111 §4.3.1", "the fields of Vary go with it",
            Turn(asks: ["Abc: 1"], says: ["Cache-Control: max-age=1", "ETag: \"x\"", "Vary: Abc"]),
            Turn(pass: 2, asks: ["Abc: 1"], status: 304, expects: .validated("Abc"), validator: "1", code: 200)),
        row(
            "9111 §4.3.2", "If-None-Match, stored", fresh("ETag: \"x\"", "Last-Modified: @-9"),
            Turn(
                asks: ["If-None-Match: \"a\", W/\"x\"", "If-Modified-Since: @-99"], expects: .stored, code: 304,
                has: ["ETag: \"x\""])),
        row(
            "9111 §4.3.2", "If-Modified-Since, stored", fresh("Last-Modified: @-99"),
            Turn(asks: ["If-Modified-Since: @-50"], expects: .stored, code: 304)),
        row(
            "9111 §4.3.2", "If-Modified-Since without Last-Modified", fresh(),
            Turn(pass: 2, asks: ["If-Modified-Since: @-1"], expects: .stored, code: 304)),
        row(
            "9111 §4.3.2", "If-None-Match of another", fresh("ETag: \"x\""),
            Turn(asks: ["If-None-Match: \"y\""], expects: .stored, code: 200)),
        row(
            "9111 §4.3.2", "a client's condition after validation",
            Turn(says: ["Cache-Control: max-age=1", "ETag: \"x\""]),
            Turn(
                pass: 2, asks: ["If-None-Match: \"x\""], says: ["ETag: \"x\""], status: 304,
                expects: .validated("If-None-Match"), code: 304)),
        row(
            "9111 §4.3.2", "a client's condition on what came anew",
            Turn(says: ["Cache-Control: max-age=1", "ETag: \"x\""]),
            Turn(
                pass: 2, asks: ["If-None-Match: \"y\""], says: ["Cache-Control: max-age=9", "ETag: \"y\""],
                expects: .validated("If-None-Match"), code: 304)),
        row(
            "9111 §4.3", "a condition that nothing is stored for",
            Turn(
                asks: ["If-None-Match: \"x\""], status: 304, expects: .validated("If-None-Match"), validator: "\"x\"",
                code: 304)),
        row(
            "9111 §4.3.3", "a 304 about something else", Turn(says: ["Cache-Control: max-age=1", "ETag: \"x\""]),
            Turn(
                pass: 2, asks: ["If-None-Match: \"q\""], says: ["Cache-Control: max-age=9", "ETag: \"z\""],
                content: "new", expects: .validated("If-None-Match"), code: 200, text: "new")),
        row(
            "5861 §3", "stale while it is looked for",
            Turn(says: ["Cache-Control: max-age=1, stale-while-revalidate=9"]),
            Turn(pass: 5, says: ["Cache-Control: no-store"], expects: .stored, has: ["Age: 5"])),
        row(
            "5861 §4", "stale when the origin fails", Turn(says: ["Cache-Control: max-age=1, stale-if-error=9"]),
            Turn(pass: 5, status: 503, code: 200, text: "content", has: ["Age: 5"])),
        row(
            "9111 §4.2.4", "not when it must be revalidated",
            Turn(says: ["Cache-Control: max-age=1, stale-if-error=9, proxy-revalidate"]),
            Turn(pass: 5, status: 503, code: 503)),
    ]

    private static func updated(_ field: String, _ old: String, _ new: String) -> Row {
        row(
            "9111 §3.2", "\(field) of a 304",
            Turn(says: ["Cache-Control: max-age=1", "ETag: \"x\"", "\(field): \(old)"]),
            Turn(
                pass: 2, says: ["Cache-Control: max-age=99", "ETag: \"x\"", "\(field): \(new)"], status: 304,
                expects: .validated("If-None-Match"), code: 200, has: ["\(field): \(new)"]),
            Turn(pass: 9, expects: .stored, code: 200, text: "content", has: ["\(field): \(new)", "Age: 9"]))
    }

    private static let freshening = [
        updated("X-Test", "a", "b"), updated("Content-Type", "text/plain", "text/plain;charset=utf-8"),
        updated("Content-Foo", "a", "b"), updated("Set-Cookie", "a=b", "a=c"), updated("Content-Location", "/x", "/y"),
        updated("X-Frame-Options", "deny", "sameorigin"),
        updated("Content-MD5", "rL0Y20zC+Fzt72VPzMSk2A==", "N7UdGUp1E+RbVvZSTy1R8g=="),
        row(
            "9111 §3.2", "what a 304 does not name stays",
            Turn(says: ["Cache-Control: max-age=1", "ETag: \"x\"", "X-A: 1"]),
            Turn(pass: 2, says: ["ETag: \"x\""], status: 304, expects: .validated("If-None-Match"), has: ["X-A: 1"])),
        row(
            "9111 §3.2", "the length of a 304 is nobody's", Turn(says: ["Cache-Control: max-age=1", "ETag: \"x\""]),
            Turn(
                pass: 2, says: ["Cache-Control: max-age=9", "ETag: \"x\"", "Content-Length: 99"], status: 304,
                expects: .validated("If-None-Match"), code: 200, text: "content"),
            Turn(expects: .stored, text: "content", has: ["Content-Length: 7"])),
    ]

    private static let heads = [
        row(
            "9110 §9.3.2", "HEAD out of a GET", fresh("X-A: 1"),
            Turn(method: "HEAD", expects: .stored, has: ["X-A: 1", "Content-Length: 7"])),
        row(
            "9110 §8.6", "the length of a HEAD is the origin's",
            Turn(method: "HEAD", content: "123456789", has: ["Content-Length: 9"])),
        row(
            "9111 §4.3.5", "HEAD freshens", Turn(says: ["Cache-Control: max-age=1", "X-A: 1"]),
            Turn(pass: 2, method: "HEAD", says: ["Cache-Control: max-age=99", "X-A: 2"]),
            Turn(pass: 5, expects: .stored, text: "content", has: ["X-A: 2"])),
        row(
            "9111 §4.3.5", "HEAD of another representation ends it",
            Turn(says: ["Cache-Control: max-age=9", "ETag: \"x\""]),
            Turn(pass: 10, method: "HEAD", says: ["Cache-Control: max-age=99", "ETag: \"y\""]),
            Turn(expects: .unconditional)),
    ]

    private static func unsafe(_ method: String) -> [Row] {
        [
            row("9111 §4.4", "\(method)", fresh(), Turn(method: method), miss),
            row("9111 §4.4", "\(method) that fails", fresh(), Turn(method: method, status: 500), hit),
            row(
                "9111 §4.4", "\(method), Location", Turn(target: "/b", says: ["Cache-Control: max-age=9"]),
                Turn(method: method, says: ["Location: b"]), Turn(target: "/b")),
            row(
                "9111 §4.4", "\(method), Content-Location", Turn(target: "/b", says: ["Cache-Control: max-age=9"]),
                Turn(method: method, says: ["Content-Location: b"]), Turn(target: "/b")),
            row(
                "9111 §4.4", "\(method), Location elsewhere", Turn(target: "/b", says: ["Cache-Control: max-age=9"]),
                Turn(method: method, says: ["Location: http://b.test/b"]), Turn(target: "/b", expects: .stored)),
        ]
    }

    private static let invalidation =
        ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH"].flatMap(unsafe)
        + [
            row("9111 §4.4", "OPTIONS is safe", fresh(), Turn(method: "OPTIONS"), hit),
            row("9111 §4.4", "TRACE is safe", fresh(), Turn(method: "TRACE"), hit),
            row(
                "9110 §7.6.2", "OPTIONS that has come far enough",
                Turn(method: "OPTIONS", asks: ["Max-Forwards: 0"], expects: .stored, code: 200)),
            row(
                "9110 §7.6.2", "OPTIONS that may go on",
                Turn(method: "OPTIONS", asks: ["Max-Forwards: 3"], expects: .validated("Max-Forwards"), validator: "2")),
        ]

    private static let directives = [
        row("9111 §5.2.1.1", "max-age of a request", fresh("Age: 1800"), Turn(asks: ["Cache-Control: max-age=600"])),
        row("9111 §5.2.1.1", "max-age=0 of a request", fresh(), Turn(asks: ["Cache-Control: max-age=0"])),
        row(
            "9111 §5.2.1.2", "max-stale", Turn(says: ["Cache-Control: max-age=1"]),
            Turn(pass: 5, asks: ["Cache-Control: max-stale=9"], expects: .stored)),
        row(
            "9111 §5.2.1.3", "min-fresh", Turn(says: ["Cache-Control: max-age=15"]),
            Turn(asks: ["Cache-Control: min-fresh=20"])),
        row("9111 §5.2.1.4", "no-cache of a request", fresh(), Turn(asks: ["Cache-Control: no-cache"])),
        row("9111 §5.4", "Pragma of a request", fresh(), Turn(asks: ["Pragma: no-cache"])),
        row(
            "9111 §5.2.1.5", "no-store of a request",
            Turn(asks: ["Cache-Control: no-store"], says: ["Cache-Control: max-age=9"]), miss),
        row(
            "9111 §5.2.1.7", "only-if-cached",
            Turn(asks: ["Cache-Control: only-if-cached"], expects: .stored, code: 504)),
        row(
            "9111 §5.2.2.4", "no-cache is stored and validated",
            Turn(says: ["Cache-Control: no-cache, max-age=99", "ETag: \"x\""]),
            Turn(says: ["ETag: \"x\""], status: 304, expects: .validated("If-None-Match"), code: 200)),
        row(
            "9111 §5.2.2.2", "must-revalidate while fresh", Turn(says: ["Cache-Control: max-age=9, must-revalidate"]),
            hit),
        row(
            "8246 §2", "immutable ends with its lifetime",
            Turn(says: ["Cache-Control: max-age=2, immutable", "ETag: \"x\""]),
            Turn(pass: 3, says: ["ETag: \"x\""], status: 304, expects: .validated("If-None-Match"))),
    ]

    private static func range(_ range: String, _ code: Int, _ text: String, _ more: String...) -> Row {
        row(
            "9111 §3.3", "\(range) of a stored whole",
            Turn(
                says: ["Cache-Control: max-age=9", "ETag: \"x\"", "Last-Modified: Tue, 01 Sep 2020 00:00:00 GMT"],
                content: "0123456789"),
            Turn(asks: ["Range: bytes=\(range)"] + more, expects: .stored, code: code, text: text))
    }

    private static let parts = [
        range("0-1", 206, "01"), range("8-", 206, "89"), range("-1", 206, "9"), range("10-", 416, ""),
        range("1-2", 206, "12", "If-Range: \"x\""), range("1-2", 200, "0123456789", "If-Range: \"y\""),
        range("1-2", 206, "12", "If-Range: Tue, 01 Sep 2020 00:00:00 GMT"),
        range("1-2", 200, "0123456789", "If-Range: Tue, 01 Sep 2020 00:00:01 GMT"),
        range("2-1", 200, "0123456789"),
        row(
            "9110 §15.3.7", "a part is no whole",
            Turn(
                asks: ["Range: bytes=0-1"], says: ["Cache-Control: max-age=9", "Content-Range: bytes 0-1/9"],
                status: 206, content: "01", code: 206), miss),
        row(
            "9110 §15.5.17", "416 is about the range",
            Turn(asks: ["Range: bytes=99-"], says: ["Cache-Control: max-age=9"], status: 416, code: 416), miss),
    ]

    /// RFC 9111 §3: with an explicit lifetime any final status is stored, also one that nobody knows.
    private static let explicitStatuses = [
        200, 201, 202, 203, 204, 299, 300, 301, 302, 303, 307, 308, 399, 400, 403, 404, 405, 410, 414, 451, 499, 500,
        501, 502, 503,
        504, 599,
    ].map { status in
        row("9111 §3", "\(status) with a lifetime", fresh(status: status), Turn(expects: .stored, code: status))
    }

    /// RFC 9110 §15.1.
    private static let heuristicStatuses =
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map { heuristic($0, .stored) }
        + [201, 202, 302, 303, 307, 403, 502, 503, 504, 599].map { heuristic($0, .origin) }
        + [heuristic(599, .stored, "Cache-Control: public")]

    private static func heuristic(_ status: Int, _ source: Source, _ more: String...) -> Row {
        row(
            "9111 §4.2.2", "\(status) by guess",
            Turn(says: ["Last-Modified: @-86400", "Date: @0"] + more, status: status),
            Turn(pass: 60, expects: source))
    }
}
