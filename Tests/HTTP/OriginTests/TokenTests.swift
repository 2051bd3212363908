import HTTPMessage
import Reactor
import Synchronization
import Testing
import FakeOrigin

@testable import Origin

@Suite(.timeLimit(.minutes(5))) struct TokenTests {
    private let start = MonotonicInstant(nanoseconds: 0)

    /// A value that was asked for at the start, and came at once.
    private func renewed(
        _ value: String = "a", lifetime: Int = 100, renewAfter: Int? = nil, margin: Duration = .seconds(60)
    ) -> Renewal<String> {
        var state = Renewal<String>()
        _ = state.ask(now: start)
        state.succeeded(value, lifetime: lifetime, renewAfter: renewAfter, margin: margin, now: start)
        return state
    }

    @Test func firstRequest_asks_andOthersWait() {
        var state = Renewal<String>()
        #expect(state.ask(now: start) == .renew)
        for _ in 0..<5 { #expect(state.ask(now: start) == .wait) }
        state.succeeded("a", lifetime: 100, now: start)
        #expect(state.ask(now: start) == .value("a"))
    }

    @Test func token_isRefreshedOnce_beforeItExpires() {
        var state = renewed()
        #expect(state.ask(now: start + .seconds(89)) == .value("a"))
        #expect(state.ask(now: start + .seconds(90)) == .valueAndRenew("a"))
        #expect(state.ask(now: start + .seconds(95)) == .value("a"))
        state.failed(now: start + .seconds(96))
        #expect(state.ask(now: start + .seconds(97)) == .value("a"))
        #expect(state.ask(now: start + .seconds(100)) == .failed)
        #expect(state.ask(now: start + .seconds(101)) == .renew)
        state.succeeded("b", lifetime: 3_600, now: start + .seconds(102))
        #expect(state.ask(now: start + .seconds(102 + 3_539)) == .value("b"))
        #expect(state.ask(now: start + .seconds(102 + 3_540)) == .valueAndRenew("b"))
    }

    @Test func refusedToken_isForgotten_unlessThereIsANewerOne() {
        var state = renewed("b")
        state.refused("a")
        #expect(state.ask(now: start) == .value("b"))
        state.refused("b")
        #expect(state.ask(now: start) == .renew)
    }

    @Test func endpointThatFails_isNotAskedAtOnceAgain() {
        var state = Renewal<String>()
        _ = state.ask(now: start)
        state.failed(now: start)
        #expect(state.ask(now: start + .seconds(4)) == .failed)
        #expect(state.ask(now: start + .seconds(5)) == .renew)
    }

    @Test func margin_isATenthOfTheLifetimeAtMost() {
        for (lifetime, renewal) in [(3_600, 3_300), (1_000, 900)] {
            var state = renewed(lifetime: lifetime, margin: .seconds(300))
            #expect(state.ask(now: start + .seconds(renewal - 1)) == .value("a"))
            #expect(state.ask(now: start + .seconds(renewal)) == .valueAndRenew("a"))
        }
    }

    @Test func valueWithoutAnEnd_servesWhileItsRenewalFails() {
        var state = renewed(lifetime: .max, renewAfter: 60)
        #expect(state.ask(now: start + .seconds(59)) == .value("a"))
        #expect(state.ask(now: start + .seconds(60)) == .valueAndRenew("a"))
        state.failed(now: start + .seconds(60))
        #expect(state.ask(now: start + .seconds(64)) == .value("a"))
        #expect(state.ask(now: start + .seconds(100_000)) == .valueAndRenew("a"))
    }

    @Test func doubtedValue_isRenewedOnceAMinute_andServesMeanwhile() {
        var state = renewed(lifetime: 3_600)
        #expect(state.doubted("a", now: start + .seconds(59)) == .keep)
        #expect(state.doubted("b", now: start + .seconds(60)) == .replaced)
        #expect(state.doubted("a", now: start + .seconds(60)) == .renew)
        #expect(state.doubted("a", now: start + .seconds(61)) == .wait)
        #expect(state.ask(now: start + .seconds(61)) == .value("a"))
        state.failed(now: start + .seconds(62))
        #expect(state.doubted("a", now: start + .seconds(66)) == .keep)
        #expect(state.doubted("a", now: start + .seconds(67)) == .renew)
        state.succeeded("a", lifetime: 3_600, now: start + .seconds(70))
        #expect(state.doubted("a", now: start + .seconds(129)) == .keep)
        #expect(state.doubted("a", now: start + .seconds(130)) == .renew)
    }

    /// A file that is read again each minute is read again for a doubt in between too.
    @Test func renewalWithoutADoubt_leavesTheAgeOfTheValue() {
        var state = renewed(lifetime: .max, renewAfter: 60)
        #expect(state.ask(now: start + .seconds(60)) == .valueAndRenew("a"))
        state.succeeded("a", lifetime: .max, renewAfter: 60, now: start + .seconds(60))
        #expect(state.doubted("a", now: start + .seconds(61)) == .renew)
        state.succeeded("b", lifetime: .max, renewAfter: 60, now: start + .seconds(61))
        #expect(state.doubted("a", now: start + .seconds(62)) == .replaced)
        #expect(state.doubted("b", now: start + .seconds(120)) == .keep)
    }

    // MARK: With an origin

    /// An origin that gives tokens `t1`, `t2`… at `/token`, and content to the last of them.
    private static func withTokens(
        lifetime: Int = 3_600, clock: Clock = .system, total: Duration? = nil,
        _ body: (FakeOrigin, Fetcher, Counter) throws -> Void
    ) throws {
        let count = Counter()
        try withTrialOrigin({ seen in
            if seen.target == "/token" {
                let number = count.value.withLock { count in
                    count += 1
                    return count
                }
                return [.wait("token")]
                    + .answer(
                        200, "{\"access_token\":\"t\(number)\",\"token_type\":\"Bearer\",\"expires_in\":\(lifetime)}")
            }
            let last = count.value.withLock { $0 }
            return seen.fields["authorization"] == "Bearer t\(last)" ? .answer() : .answer(401, "")
        }) { origin in
            let list = try OriginList(["http://127.0.0.1:\(origin.port)"])
            let endpoint = TokenEndpoint(
                url: try OriginURL(origin.url("/token")), clientID: "me you", clientSecret: "s:ecret", scope: "read")
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"], clock: clock) { settings in
                var identity = OriginIdentity()
                identity.secret = .token(endpoint)
                settings.identities.append(identity, for: list)
                settings.bounds.connectionsPerHost = 64
                if let total { settings.limits.total = total }
            }
            defer { fetcher.stop() }
            try body(origin, fetcher, count)
        }
    }

    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    @Test func manyRequests_causeOneRefresh() throws {
        try Self.withTokens { (origin, fetcher, _) throws in
            let pending = try (0..<200).map { try fetcher.begin(origin.url("/\($0)")) }
            origin.waitForRequests(1)
            origin.release("token")
            for one in pending { #expect(try one.wait().get().byteCount == 7) }
            let asked = origin.requests.filter { $0.target == "/token" }
            #expect(asked.count == 1)
            #expect(asked.first?.method == "POST")
            #expect(
                asked.first.map { String(decoding: $0.content, as: UTF8.self) }
                    == "grant_type=client_credentials&scope=read")
            // me%20you:s%3Aecret
            #expect(asked.first?.fields["authorization"] == "Basic bWUlMjB5b3U6cyUzQWVjcmV0")
        }
    }

    @Test func fetch_endsInItsTime_whileItsTokenIsAwaited() throws {
        try Self.withTokens(total: .milliseconds(100)) { (origin, fetcher, _) throws in
            #expect(try fetcher.begin(origin.url()).error == .timedOut)
            #expect(origin.requests.allSatisfy { $0.target == "/token" })
        }
    }

    @Test func tokenThatIsTakenBack_isReplacedOnce_forAll() throws {
        try Self.withTokens { (origin, fetcher, count) throws in
            origin.release("token")
            _ = try fetcher.begin(origin.url()).wait().get()
            // The origin counts the first token as expired from now on.
            count.value.withLock { $0 = 1_000 }
            let pending = try (0..<200).map { try fetcher.begin(origin.url("/\($0)")) }
            for one in pending { #expect(try one.wait().get().byteCount == 7) }
            #expect(origin.requests.count { $0.target == "/token" } == 2)
        }
    }

    /// The time of a token is over: whoever needs the next one waits for the one request for it.
    @Test func expiredToken_isRenewedOnce_forAll() throws {
        let ahead = Atomic<Int>(0)
        let clock = Clock(
            monotonic: { Clock.system.monotonic() + .seconds(ahead.load(ordering: .acquiring)) },
            unixSeconds: Clock.system.unixSeconds)
        try Self.withTokens(lifetime: 3_600, clock: clock) { (origin, fetcher, _) throws in
            origin.release("token")
            _ = try fetcher.begin(origin.url()).wait().get()
            ahead.store(3_601, ordering: .releasing)
            let pending = try (0..<200).map { try fetcher.begin(origin.url("/\($0)")) }
            for one in pending { #expect(try one.wait().get().byteCount == 7) }
            #expect(origin.requests.count { $0.target == "/token" } == 2)
            // Nobody was sent away with the old one.
            #expect(origin.requests.count == 203)
        }
    }

    @Test(arguments: [
        "{}", "no JSON", "{\"access_token\":\"a\\r\\nX: y\",\"token_type\":\"Bearer\"}",
        "{\"access_token\":\"\",\"token_type\":\"Bearer\"}", "{\"access_token\":\"a\",\"token_type\":\"mac\"}",
    ])
    func noToken_isAnError_andIsNotAskedForAgainAndAgain(_ reply: String) throws {
        try withTrialOrigin({ _ in .answer(200, reply) }) { origin in
            let list = try OriginList(["http://127.0.0.1:\(origin.port)"])
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"]) { settings in
                var identity = OriginIdentity()
                if let url = try? OriginURL(origin.url("/token")) {
                    identity.secret = .token(TokenEndpoint(url: url, clientID: "a", clientSecret: "b"))
                }
                settings.identities.append(identity, for: list)
            }
            defer { fetcher.stop() }
            for _ in 0..<20 {
                let error = try fetcher.begin(origin.url()).error
                #expect(error == .credentialsUnusable)
            }
            #expect(origin.requests.count == 1)
        }
    }

    @Test func credentials_neverGoToAnotherOrigin() throws {
        try withTrialOrigin({ _ in .answer() }) { other in
            try withTrialOrigin({ _ in .redirect(other.url("/stolen")) }) { origin in
                for secret in [
                    OriginIdentity.Secret.basic(user: "me", password: "secret"), .none,
                    .keys(id: "me", key: "secret", region: "eu-west-1", service: "s3"),
                ] {
                    let fetcher = try Fetcher.onLoopback([
                        "http://127.0.0.1:\(origin.port)", "http://127.0.0.1:\(other.port)",
                    ]) {
                        var identity = OriginIdentity()
                        identity.secret = secret
                        identity.fields.lines = [OriginField(name: "X-Api-Key", value: "secret")]
                        if let list = try? OriginList(["http://127.0.0.1:\(origin.port)"]) {
                            $0.identities.append(identity, for: list)
                        }
                    }
                    defer { fetcher.stop() }
                    _ = try fetcher.begin(origin.url()).wait().get()
                }
            }
            #expect(other.requests.count == 3)
            for seen in other.requests {
                #expect(seen.fields["authorization"] == nil)
                #expect(seen.fields["x-api-key"] == nil)
            }
        }
    }

    @Test func secrets_areNotInTexts() throws {
        let endpoint = TokenEndpoint(
            url: try OriginURL("https://a.example/token"), clientID: "me", clientSecret: "hush")
        let secrets: [OriginIdentity.Secret] = [
            .basic(user: "me", password: "hush"), .none, .token(endpoint),
            .keys(id: "me", key: "hush", region: "r", service: "s3"),
        ]
        for secret in secrets {
            var identity = OriginIdentity()
            identity.secret = secret
            identity.fields.lines = [OriginField(name: "X", value: "hush")]
            var text = ""
            dump(identity, to: &text)
            #expect(!text.contains("hush"), "\(text)")
            #expect(!"\(identity)\(secret)".contains("hush"))
            #expect(!String(reflecting: identity).contains("hush"))
        }
    }
}
