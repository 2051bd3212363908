import HTTPMessage
import Testing

/// A head that has to be refused, and how.
struct RefusedHead: CustomTestStringConvertible, Sendable {
    let text: String
    let error: RequestError

    init(_ text: String, _ error: RequestError) {
        self.text = text
        self.error = error
    }

    /// A request whose only fault is in `fields`, which stand after Host.
    static func fields(_ fields: String, _ error: RequestError) -> RefusedHead {
        RefusedHead("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n", error)
    }

    /// A request for `target` with a good Host.
    static func target(_ target: String, _ error: RequestError, method: String = "GET") -> RefusedHead {
        RefusedHead("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n", error)
    }

    /// A request with `host` as its Host.
    static func host(_ host: String) -> RefusedHead {
        RefusedHead("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", .invalidHost)
    }

    var testDescription: String { text.prefix(60).debugDescription }
}

@Suite(.timeLimit(.minutes(5))) struct RefusedHeadTests {
    static let requestLines: [RefusedHead] = [
        RefusedHead("\r\n\r\n\r\n\r\n\r\n", .tooManyEmptyLines(limit: 4)),
        RefusedHead("\n", .invalidMethod(offset: 0)),
        RefusedHead("\rG", .invalidLineEnd(offset: 0)),
        RefusedHead(" GET / HTTP/1.1\r\n", .invalidMethod(offset: 0)),
        RefusedHead("GE(T / HTTP/1.1\r\n", .invalidMethod(offset: 2)),
        RefusedHead("GET\t/ HTTP/1.1\r\n", .invalidMethod(offset: 3)),
        RefusedHead("GET\r\n", .invalidMethod(offset: 3)),
        RefusedHead("\u{16}\u{3}\u{1}\u{2}", .invalidMethod(offset: 0)),
        RefusedHead(String(repeating: "A", count: 129), .methodTooLong(limit: 128)),
        RefusedHead("GET  / HTTP/1.1\r\n", .invalidTarget(offset: 4)),
        RefusedHead("GET /a\u{0}b HTTP/1.1\r\n", .invalidTarget(offset: 6)),
        RefusedHead("GET /\u{1} HTTP/1.1\r\n", .invalidTarget(offset: 5)),
        RefusedHead("GET /\u{7f} HTTP/1.1\r\n", .invalidTarget(offset: 5)),
        RefusedHead("GET /\u{ff} HTTP/1.1\r\n", .invalidTarget(offset: 5)),
        RefusedHead("GET /#f HTTP/1.1\r\n", .invalidTarget(offset: 5)),
        RefusedHead("GET /\r\n\r\n", .invalidTarget(offset: 5)),
        RefusedHead("GET /\nHTTP/1.1\r\n", .invalidTarget(offset: 5)),
        RefusedHead("GET /\tHTTP/1.1\r\n", .invalidTarget(offset: 5)),
        RefusedHead("GET /" + String(repeating: "a", count: 8192), .targetTooLong(limit: 8192)),
        RefusedHead("GET / x HTTP/1.1\r\n", .invalidVersion(offset: 6)),
        RefusedHead("GET /  HTTP/1.1\r\n", .invalidVersion(offset: 6)),
        RefusedHead("GET / http/1.1\r\n", .invalidVersion(offset: 6)),
        RefusedHead("GET / ICAP/1.0\r\n", .invalidVersion(offset: 6)),
        RefusedHead("GET / HTTP/1\r\n", .invalidVersion(offset: 12)),
        RefusedHead("GET / HTTP/01.1\r\n", .invalidVersion(offset: 12)),
        RefusedHead("GET / HTTP/1.10\r\n", .invalidVersion(offset: 14)),
        RefusedHead("GET / HTTP/1.1x\r\n", .invalidVersion(offset: 14)),
        RefusedHead("GET / HTTP/1.1 \r\n", .invalidVersion(offset: 14)),
        RefusedHead("GET / HTTP/1.1\n", .invalidVersion(offset: 14)),
        RefusedHead("GET / HTTP/1.1\r\r\n", .invalidLineEnd(offset: 15)),
        RefusedHead("GET / HTTP/2.0\r\n", .unsupportedVersion(major: 2)),
        RefusedHead("GET / HTTP/0.9\r\n", .unsupportedVersion(major: 0)),
        RefusedHead("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion(major: 2)),
        RefusedHead("GET / HTTP/2.0x\r\n", .invalidVersion(offset: 14)),
    ]

    static let targets: [RefusedHead] = [
        .target("img", .invalidTargetForm), .target("*", .invalidTargetForm),
        .target("127.0.0.1:80", .invalidTargetForm), .target("?q", .invalidTargetForm),
        .target("/%zz", .invalidTargetForm), .target("/%", .invalidTargetForm), .target("/%2", .invalidTargetForm),
        .target("/a%2", .invalidTargetForm), .target("/%00", .invalidTargetForm),
        .target("/%2?5", .invalidTargetForm), .target("http://", .invalidTargetForm),
        .target("http:///x", .invalidTargetForm), .target("http://u:p@a/", .invalidTargetForm),
        .target("ftp://a/", .invalidTargetForm), .target("http://a:b/", .invalidTargetForm),
        .target("http://a/%gg", .invalidTargetForm), .target("/", .invalidTargetForm, method: "CONNECT"),
        .target("a", .invalidTargetForm, method: "CONNECT"), .target("a:", .invalidTargetForm, method: "CONNECT"),
        .target("http://a/", .invalidTargetForm, method: "CONNECT"),
        RefusedHead("GET http://a/ HTTP/1.1\r\n\r\n", .missingHost),
    ]

    static let fields: [RefusedHead] = [
        RefusedHead("GET / HTTP/1.1\r\n\r\n", .missingHost),
        RefusedHead("GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedField(offset: 16)),
        .fields("Host: a", .repeatedHost), .fields("host: b", .repeatedHost),
        .host(""), .host("a b"), .host("a/b"), .host("u@a"), .host("a:8x"), .host("a, b"), .host("a,b"),
        .host("a:65536"), .host(":80"), .host("[::1"), .host("[::1]x"), .host("[]"), .host("[1::2::3]"),
        .host("[1:2:3:4:5:6:7:8:9]"), .host("[1:2]"), .host("[12345::]"), .host("[::1.2.3]"), .host("[::256.1.1.1]"),
        .host("[fe80::1%25eth0]"), .host("[v1.x]"), .host("%zz"), .host("a%2"), .host("caf\u{e9}"), .host("a#"),
        .fields("X-A : b", .invalidFieldName(offset: 28)), .fields("X-A\t: b", .invalidFieldName(offset: 28)),
        .fields("JustAWord", .invalidFieldName(offset: 34)), .fields(": v", .invalidFieldName(offset: 25)),
        .fields("X(A: v", .invalidFieldName(offset: 26)), .fields("X A: v", .invalidFieldName(offset: 26)),
        .fields("X\u{0}A: v", .invalidFieldName(offset: 26)), .fields("\u{ef}oo: v", .invalidFieldName(offset: 25)),
        .fields("X\rA: v", .invalidFieldName(offset: 26)), .fields("\nX: v", .invalidFieldName(offset: 25)),
        .fields("X: a\u{0}b", .invalidFieldValue(offset: 29)), .fields("X: a\u{1}b", .invalidFieldValue(offset: 29)),
        .fields("X: a\u{7f}b", .invalidFieldValue(offset: 29)),
        .fields("X: 12345678\u{b}", .invalidFieldValue(offset: 36)),
        .fields("X: a\rb", .invalidLineEnd(offset: 30)), .fields("X: a\r\r", .invalidLineEnd(offset: 30)),
        .fields("X: a\nY: b", .invalidLineEnd(offset: 29)), .fields("X:\n", .invalidLineEnd(offset: 27)),
        .fields("X: a\r\n b", .foldedField(offset: 31)), .fields("X: a\r\n\tb", .foldedField(offset: 31)),
        RefusedHead("GET / HTTP/1.1\r\nHost: a\r\n\r\u{0}", .invalidLineEnd(offset: 26)),
        RefusedHead("GET / HTTP/1.1\r\nHost: a\n\r\n", .invalidLineEnd(offset: 23)),
    ]

    static let framing: [RefusedHead] =
        [
            "-5", "+5", "0x5", "5 5", "", "5e0", "5.0", "0_5", "5, 6", "5, 5", "9223372036854775808",
            "99999999999999999999999",
        ]
        .map { .fields("Content-Length: \($0)", .invalidContentLength) } + [
            .fields("Content-Length: 5\r\nContent-Length: 6", .repeatedContentLength),
            .fields("Content-Length: 5\r\ncontent-length: 5", .repeatedContentLength),
            .fields("Content-Length: 5\r\nTransfer-Encoding: chunked", .contentLengthWithTransferEncoding),
            .fields("Transfer-Encoding: chunked\r\nContent-Length: 0", .contentLengthWithTransferEncoding),
            .fields("Transfer-Encoding: gzip, chunked", .unknownTransferCoding),
            .fields("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", .unknownTransferCoding),
            // Where `chunked` is not the last, nothing tells where the content ends (RFC 9112 §6.3).
            .fields("Transfer-Encoding: gzip", .invalidTransferEncoding),
            .fields("Transfer-Encoding: xchunked", .invalidTransferEncoding),
            .fields("Transfer-Encoding: identity", .invalidTransferEncoding),
            .fields("Transfer-Encoding: \u{a0}chunked", .invalidTransferEncoding),
            .fields("Transfer-Encoding: \"chunked\"", .invalidTransferEncoding),
            .fields("Transfer-Encoding: chunked;q=1", .invalidTransferEncoding),
            .fields("Transfer-Encoding: \u{b}chunked", .invalidFieldValue(offset: 44)),
            .fields("Transfer-Encoding: chunked, gzip", .invalidTransferEncoding),
            .fields("Transfer-Encoding: chunked, chunked", .invalidTransferEncoding),
            .fields("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .invalidTransferEncoding),
            .fields("Transfer-Encoding: , chunked", .invalidTransferEncoding),
            .fields("Transfer-Encoding: chunked,", .invalidTransferEncoding),
            .fields("Transfer-Encoding:", .invalidTransferEncoding),
            RefusedHead("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .invalidTransferEncoding),
        ]

    @Test(arguments: requestLines + targets + fields + framing)
    func malformedHead_isRefusedWithItsErrorWhereverItIsCut(_ refused: RefusedHead) {
        let bytes = byteArray(refused.text)
        #expect(parseHeads([bytes[...]]) == ParseResult(error: refused.error))
        for pieces in everyCut(bytes) where bytes.count < 200 {
            #expect(parseHeads(pieces) == ParseResult(error: refused.error))
        }
    }

    @Test(arguments: [
        "a", "a:80", "a:", "A.b-c_~1", "127.0.0.1", "[::]", "[::1]:80", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]",
        "[1::]",
        "[1:2:3:4:5:6:1.2.3.4]", "%41.example", "a!$&'()*+;=", "a:65535",
    ])
    func validHost_isAccepted(_ host: String) {
        #expect(parseHeads("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").heads.first?.authority == host)
    }

    @Test func hostMayBeMissingInHTTP10Only() {
        #expect(parseHeads("GET / HTTP/1.0\r\n\r\n").heads.count == 1)
    }

    @Test func everyErrorHasAStatusOfTheSpecification() {
        #expect(RequestError.targetTooLong(limit: 1).status == .uriTooLong)
        #expect(RequestError.headTooLarge(limit: 1).status == .fieldsTooLarge)
        #expect(RequestError.tooManyFields(limit: 1).status == .fieldsTooLarge)
        #expect(RequestError.fieldTooLarge(limit: 1).status == .fieldsTooLarge)
        #expect(RequestError.unknownTransferCoding.status == .notImplemented)
        #expect(RequestError.methodTooLong(limit: 1).status == .notImplemented)
        #expect(RequestError.unsupportedVersion(major: 2).status == .versionNotSupported)
        #expect(RequestError.invalidHost.status == .badRequest)
    }
}

@Suite(.timeLimit(.minutes(5))) struct HeadLimitTests {
    private static func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits()
        change(&limits)
        return limits
    }

    /// Checks that `text` passes at `limit` and fails with `error` one below it, however it is cut.
    private func check(
        _ text: String, _ path: WritableKeyPath<HTTPLimits, Int>, exactly limit: Int, _ error: (Int) -> RequestError
    ) {
        let bytes = byteArray(text)
        let enough = Self.limits { $0[keyPath: path] = limit }
        let tooFew = Self.limits { $0[keyPath: path] = limit - 1 }
        for pieces in [[bytes[...]]] + everyCut(bytes) {
            #expect(parseHeads(pieces, limits: enough).heads.count == 1)
            #expect(parseHeads(pieces, limits: tooFew) == ParseResult(error: error(limit - 1)))
        }
    }

    private let text = "PATCH /abcdef HTTP/1.1\r\nHost: a\r\nX-Yz: \tabc \r\n\r\n"

    @Test func eachLimit_holdsAtItsByte() {
        check(text, \.methodByteCount, exactly: 5) { .methodTooLong(limit: $0) }
        check(text, \.targetByteCount, exactly: 7) { .targetTooLong(limit: $0) }
        check(text, \.headByteCount, exactly: text.utf8.count) { .headTooLarge(limit: $0) }
        check(text, \.fieldByteCount, exactly: 11) { .fieldTooLarge(limit: $0) }
        check(text, \.fieldCount, exactly: 2) { .tooManyFields(limit: $0) }
        check("\r\n\r\n" + text, \.leadingEmptyLineCount, exactly: 2) { .tooManyEmptyLines(limit: $0) }
    }

    @Test func zeroAndNegativeLimits_refuseAndDoNotTrap() {
        for value in [0, -1, Int.min] {
            for path in [
                \HTTPLimits.methodByteCount, \.targetByteCount, \.headByteCount, \.fieldCount, \.fieldByteCount,
            ] {
                #expect(parseHeads(text, limits: Self.limits { $0[keyPath: path] = value }).error != nil)
            }
        }
    }

    @Test func endlessField_isRefusedBeforeItIsBuffered() {
        let result = parseHeads("GET / HTTP/1.1\r\nX: " + String(repeating: "b", count: 300_000))
        #expect(result.error == .fieldTooLarge(limit: 16384))
    }

    @Test func manyFields_areRefused() {
        let fields = (0..<20_000).map { "X\($0): a\r\n" }.joined()
        #expect(parseHeads("GET / HTTP/1.1\r\n\(fields)").error == .tooManyFields(limit: 100))
    }
}
