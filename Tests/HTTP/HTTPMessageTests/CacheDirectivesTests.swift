import HTTPMessage
import Testing

/// Reading cache directives of requests and responses (RFC 9111 §5.2), and of targeted fields (RFC 9213).
@Suite(.timeLimit(.minutes(5))) struct CacheDirectivesTests {
    private static func fields(_ name: FieldName, _ values: [String]) -> Fields {
        var fields = Fields()
        fields.append(.host, "veduta.test")
        for value in values { fields.append(name, value) }
        return fields
    }

    private static func request(_ change: (inout RequestDirectives) -> Void) -> RequestDirectives {
        var directives = RequestDirectives()
        change(&directives)
        return directives
    }

    private static func response(_ change: (inout ResponseDirectives) -> Void) -> ResponseDirectives {
        var directives = ResponseDirectives()
        change(&directives)
        return directives
    }

    @Test(
        arguments: [
            (["no-cache"], request { $0.noCache = true }),
            (["NO-CACHE , no-store"], request { ($0.noCache, $0.noStore) = (true, true) }),
            (["only-if-cached", "no-transform"], request { ($0.onlyIfCached, $0.noTransform) = (true, true) }),
            (["max-age=0"], request { $0.maxAge = 0 }),
            (["max-age=60"], request { $0.maxAge = 60 }),
            (["max-age=\"60\""], request { $0.maxAge = 60 }),
            (["max-age=60, max-age=30"], request { $0.maxAge = 30 }),
            (["max-age=30", "max-age=60"], request { $0.maxAge = 30 }),
            (["max-age"], request { $0.maxAge = 0 }),
            (["max-age="], request { $0.maxAge = 0 }),
            (["max-age=-1"], request { $0.maxAge = 0 }),
            (["max-age=1.5"], request { $0.maxAge = 0 }),
            (["max-age =5"], request { $0.maxAge = 0 }),
            (["max-age= 5"], request { $0.maxAge = 0 }),
            (["max-age=2147483647"], request { $0.maxAge = 2_147_483_647 }),
            (["max-age=2147483649"], request { $0.maxAge = 1 << 31 }),
            (["max-age=99999999999999999999999999"], request { $0.maxAge = 1 << 31 }),
            (["max-stale"], request { $0.maxStale = .any }),
            (["max-stale=9"], request { $0.maxStale = .seconds(9) }),
            (["max-stale=9, max-stale"], request { $0.maxStale = .seconds(9) }),
            (["max-stale, max-stale=9, max-stale=8"], request { $0.maxStale = .seconds(8) }),
            (["max-stale=x"], request { $0.maxStale = .seconds(0) }),
            (["min-fresh=5, min-fresh=9"], request { $0.minFresh = 9 }),
            (["min-fresh=x"], RequestDirectives()),
            (["min-fresh"], RequestDirectives()),
            (["stale-if-error=5"], request { $0.staleIfError = 5 }),
            (["memory-only, show-key"], request { ($0.memoryOnly, $0.showKey) = (true, true) }),
            (["unknown, x=\"no-store, no-cache\", =5, ,"], RequestDirectives()),
            (["x=\"\\\", no-store\""], RequestDirectives()),
            (["x=\", no-store"], request { $0.noStore = true }),
            (["x=\"a\"\"b, no-cache"], request { $0.noCache = true }),
            (["no-cachet, nno-cache, no-cach"], RequestDirectives()),
            ([""], RequestDirectives()),
        ] as [([String], RequestDirectives)])
    func requestDirectives_areRead(_ values: [String], _ expected: RequestDirectives) {
        #expect(RequestDirectives(Self.fields(.cacheControl, values)) == expected)
    }

    /// RFC 9111 §5.4.
    @Test func pragma_countsOnlyWithoutCacheControl() {
        #expect(RequestDirectives(Self.fields(.pragma, ["foo, No-Cache"])).noCache)
        #expect(!RequestDirectives(Self.fields(.pragma, ["no-store"])).noStore)
        var both = Self.fields(.pragma, ["no-cache"])
        both.append(.cacheControl, "max-age=5")
        #expect(!RequestDirectives(both).noCache)
    }

    @Test func presenceOfDirectives_isKnownWithoutLooking() {
        #expect(Self.fields(.cacheControl, [""]).mayHaveCacheDirectives)
        #expect(Self.fields(.pragma, [""]).mayHaveCacheDirectives)
        var usual = Fields()
        let browser: [FieldName] = [
            .host, .accept, .userAgent, .referrer, .origin, .connection, .range, "Accept-Encoding", "Accept-Language",
            "Cookie", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "X-Forwarded-For", "X-Forwarded-Proto",
            "Via", "traceparent", .authorization, .xRequestID,
        ]
        for name in browser { usual.append(name, "x") }
        #expect(!usual.mayHaveCacheDirectives)
        #expect(!usual.mayBeConditional)
        #expect(RequestDirectives(usual) == RequestDirectives())
    }

    @Test(
        arguments: [
            (["public, max-age=60"], response { ($0.isPublic, $0.maxAge) = (true, 60) }),
            (["S-MaxAge=9,max-age=60"], response { ($0.sharedMaxAge, $0.maxAge) = (9, 60) }),
            (["max-age=5, max-age=4", "max-age=9"], response { $0.maxAge = 4 }),
            (["max-age=five"], response { $0.maxAge = 0 }),
            (["max-age=\"5"], response { $0.maxAge = 0 }),
            (["max-age=\"\""], response { $0.maxAge = 0 }),
            (["max-age='5'"], response { $0.maxAge = 0 }),
            (["max-age=4294967296"], response { $0.maxAge = 1 << 31 }),
            (["no-store=1"], response { $0.noStore = true }),
            (["public=yes, immutable=no, must-understand=?"], ResponseDirectives()),
            (["no-cache"], response { $0.noCache = true }),
            (["no-cache=\"Set-Cookie , X-A\""], response { $0.noCacheFields = ["set-cookie", "x-a"] }),
            (["no-cache=set-cookie"], response { $0.noCacheFields = ["Set-Cookie"] }),
            (["no-cache=\"\""], response { $0.noCache = true }),
            (["no-cache=\"a b\""], response { $0.noCache = true }),
            (["private=\"a\", private"], response { ($0.isPrivate, $0.privateFields) = (true, ["a"]) }),
            (["private=\"a\", private=\"b\""], response { $0.privateFields = ["a", "b"] }),
            (["private=\"a, b"], response { $0.isPrivate = true }),
            (
                ["must-revalidate, proxy-revalidate, must-understand, no-transform, immutable"],
                response {
                    ($0.mustRevalidate, $0.proxyRevalidate, $0.mustUnderstand) = (true, true, true)
                    ($0.noTransform, $0.immutable) = (true, true)
                }
            ),
            (
                ["stale-while-revalidate=9, stale-if-error=8"],
                response { ($0.staleWhileRevalidate, $0.staleIfError) = (9, 8) }
            ),
            (
                ["stale-while-revalidate, stale-if-error=x"],
                response { ($0.staleWhileRevalidate, $0.staleIfError) = (0, 0) }
            ),
            (["community=\"UCI, no-store\""], ResponseDirectives()),
        ] as [([String], ResponseDirectives)])
    func responseDirectives_areRead(_ values: [String], _ expected: ResponseDirectives) {
        #expect(ResponseDirectives(Self.fields(.cacheControl, values)) == expected)
    }

    /// RFC 9213 §2.1, §2.2: the targeted field stands instead of Cache-Control.
    @Test(
        arguments: [
            (["max-age=60, public"], response { ($0.maxAge, $0.isPublic) = (60, true) }),
            (["no-store"], response { $0.noStore = true }),
            (["no-store=?1;x=1"], response { $0.noStore = true }),
            (["no-store, no-store=?0"], ResponseDirectives()),
            (["max-age=60, max-age=90"], response { $0.maxAge = 90 }),
            (["max-age=90", "max-age=60"], response { $0.maxAge = 60 }),
            (
                ["max-age=60;a;b=\"x\";c=1.25 ,\tmust-revalidate"],
                response { ($0.maxAge, $0.mustRevalidate) = (60, true) }
            ),
            (["max-age=\"60\""], response { $0.maxAge = 0 }),
            (["max-age=6.0"], response { $0.maxAge = 0 }),
            (["max-age=-6"], response { $0.maxAge = 0 }),
            (["max-age=(1 2)"], response { $0.maxAge = 0 }),
            (["max-age"], response { $0.maxAge = 0 }),
            (["max-age=999999999999999"], response { $0.maxAge = 1 << 31 }),
            (
                ["private=\"a, b\", no-cache=token"],
                response { ($0.privateFields, $0.noCacheFields) = (["a", "b"], ["token"]) }
            ),
            (["x=:YWJj:, y=@1659578233, z=%\"f%c3\", w=(\"a\";q=1 b), v=*t/:, max-age=1"], response { $0.maxAge = 1 }),
            (["unknown"], ResponseDirectives()),
        ] as [([String], ResponseDirectives)])
    func targetedField_standsForCacheControl(_ values: [String], _ expected: ResponseDirectives) {
        var fields = Self.fields(.cdnCacheControl, values)
        fields.append(.cacheControl, "max-age=7, private")
        let directives = ResponseDirectives(fields, targets: [.cdnCacheControl])
        var plain = expected
        plain.isTargeted = true
        #expect(directives == plain)
    }

    @Test(arguments: [
        "", "  ", "max-age=60,", ",max-age=60", "Max-Age=60", "max-age=60 public", "max-age=", "max-age=60;",
        "a=\"x", "a=\"\u{e9}\"", "a=\"\\x\"", "a=?2", "a=(1", "a=(1\t2)", "a=1.", "a=1.2345", "a=1234567890123456",
        "a=:x", "a=@1.5", "a=#", "max-age= 5", "max-age =5", "-a", "no-store;Q=1", "a=--1",
    ])
    func brokenTargetedField_countsAsAbsent(_ value: String) {
        var fields = Self.fields(.cdnCacheControl, [value])
        fields.append(.cacheControl, "max-age=7")
        let directives = ResponseDirectives(fields, targets: [.cdnCacheControl])
        #expect(!directives.isTargeted)
        #expect(directives.maxAge == 7)
    }

    @Test func firstReadableTarget_isTaken() {
        var fields = Self.fields("My-Cache-Control", ["max-age=1"])
        fields.append(.cdnCacheControl, "max-age=2")
        #expect(ResponseDirectives(fields, targets: ["My-Cache-Control", .cdnCacheControl]).maxAge == 1)
        #expect(ResponseDirectives(fields, targets: [.cdnCacheControl]).maxAge == 2)
        #expect(ResponseDirectives(fields, targets: []).maxAge == nil)
    }

    /// Whatever stands before a directive that forbids, it is read; and no bytes break the readers.
    @Test func randomBytes_hideNoDirective() {
        var numbers = SeededNumbers(seed: 9111)
        let alphabet = Array("\"\"\\,,;=  \tax-09()?:@%*._no-cache=\"".utf8)
        for _ in 0..<3000 {
            let count = Int(numbers.next() % 24)
            let rubbish = String(
                decoding: (0..<count).map { _ in alphabet[Int(numbers.next() % UInt64(alphabet.count))] }, as: UTF8.self
            )
            var fields = Self.fields(.cacheControl, [rubbish + ", no-store, max-age=5"])
            fields.append(.cdnCacheControl, rubbish)
            #expect(RequestDirectives(fields).noStore && RequestDirectives(fields).maxAge == 5, "\(rubbish)")
            #expect(ResponseDirectives(fields).noStore && ResponseDirectives(fields).maxAge == 5, "\(rubbish)")
            let targeted = ResponseDirectives(fields, targets: [.cdnCacheControl])
            #expect(targeted.isTargeted || targeted == ResponseDirectives(fields))
        }
    }

    /// Quotation marks that are broken again and again do not make the reader start over again and again.
    @Test func longValues_areReadOnce() {
        let count = 100_000
        for unit in [",\\\"", "\",", ",", "a=\"", "\\"] {
            let value = "\"" + String(repeating: unit, count: count) + ",no-store"
            #expect(RequestDirectives(Self.fields(.cacheControl, [value])).noStore)
        }
    }
}
