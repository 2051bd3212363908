import HTTPMessage
import Reactor
import Synchronization
import Testing
import FakeOrigin

@testable import Origin

/// Fetches from real origins: redirects, further attempts, resuming.
@Suite(.timeLimit(.minutes(5))) struct FetcherTests {
    static func withFetcher(
        _ answer: @escaping @Sendable (FakeOrigin.Seen) -> [FakeOrigin.Step],
        _ adjust: (inout Fetcher.Settings) -> Void = { _ in }, _ body: (FakeOrigin, Fetcher) throws -> Void
    ) throws {
        try withTrialOrigin(answer) { origin in
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"], adjust)
            defer { fetcher.stop() }
            try body(origin, fetcher)
        }
    }

    @Test func content_comes_withItsHead() throws {
        try Self.withFetcher({ _ in .answer(200, "picture", "ETag: \"a\"", "Content-Type: image/png") }) {
            (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url("/a"))
            let fetched = try pending.wait().get()
            #expect(pending.sink.text == "picture")
            #expect(fetched.byteCount == 7)
            #expect(fetched.exchangeCount == 1)
            #expect(fetched.head.fields.first("content-type") == "image/png")
            #expect(origin.requests.first?.fields["accept-encoding"] == "identity")
        }
    }

    /// #15.14: two lines of one name are refused by strict origins, and the wrong one may count.
    @Test func fieldsOfAnIdentity_takeThePlaceOfOurs_besideItsSecret() throws {
        try withTrialOrigin({ _ in .answer() }) { origin in
            let list = try OriginList(["http://127.0.0.1:\(origin.port)"])
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"]) { settings in
                settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
                var identity = OriginIdentity()
                identity.secret = .basic(user: "me", password: "secret")
                identity.fields.lines = [
                    OriginField(name: "user-agent", value: "theirs"), OriginField(name: "Accept", value: "image/png"),
                ]
                settings.identities.append(identity, for: list)
            }
            defer { fetcher.stop() }
            _ = try fetcher.begin(origin.url()).wait().get()
            let seen = try #require(origin.requests.first)
            #expect(seen.names.sorted() == ["accept", "accept-encoding", "authorization", "host", "user-agent"])
            #expect(seen.fields["user-agent"] == "theirs" && seen.fields["accept"] == "image/png")
        }
    }

    @Test func originThatIsNotListed_isNotAsked() throws {
        try Self.withFetcher({ _ in .answer() }) { (origin, fetcher) throws in
            #expect(try fetcher.begin("http://localhost:\(origin.port)/").error == .originNotAllowed)
            #expect(try fetcher.begin("https://127.0.0.1:\(origin.port)/").error == .originNotAllowed)
            #expect(origin.connectionCount == 0)
        }
    }

    @Test func redirects_areFollowed_thenCounted() throws {
        try Self.withFetcher({ seen in
            switch seen.target {
            case "/end": .answer()
            case "/loop": .redirect("/loop", 301)
            default:
                seen.target.dropFirst().wholeMatch(of: /[0-9]/).map {
                    .redirect($0.output == "1" ? "/end" : "/\(Int($0.output)! - 1)", 307)
                }
                    ?? .answer(404, "")
            }
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url("/5"))
            let fetched = try pending.wait().get()
            #expect(fetched.url.target == "/end")
            #expect(fetched.exchangeCount == 6)
            #expect(pending.sink.text == "content")
            #expect(try fetcher.begin(origin.url("/6")).error == .tooManyRedirects(limit: 5))
            #expect(try fetcher.begin(origin.url("/loop")).error == .tooManyRedirects(limit: 5))
        }
    }

    @Test(arguments: [
        ("http://localhost:1/", OriginError.originNotAllowed), ("//10.0.0.1/", .originNotAllowed),
        ("https://127.0.0.1/", .originNotAllowed), ("file:///etc/passwd", .redirectInvalid(.scheme)),
        ("http://user:x@127.0.0.1/", .redirectInvalid(.credentials)), ("http://0x7f.1/", .redirectInvalid(.host)),
        ("http://169.254.169.254/latest/meta-data/", .originNotAllowed),
    ])
    func redirectElsewhere_isRefused(_ location: String, _ error: OriginError) throws {
        try Self.withFetcher({ _ in .redirect(location) }) { (origin, fetcher) throws in
            #expect(try fetcher.begin(origin.url()).error == error)
            #expect(origin.requests.count == 1)
        }
    }

    /// The whole table again, as places that a listed origin redirects to: names may be allowed by a careless list, their
    /// addresses are not.
    @Test func redirectToAForbiddenAddress_isRefused_alsoWhenItsNameIsListed() throws {
        try withTrialOrigin({ seen in
            // Brackets are escaped in paths.
            let location = seen.target.dropFirst().replacing("%5B", with: "[").replacing("%5D", with: "]")
            return .redirect(String(location))
        }) { origin in
            let hosts = AddressPolicyTests.notGlobal.filter { $0 != "127.0.0.1" && $0 != "::ffff:127.0.0.1" }
                .map { $0.contains(":") ? "[\($0)]" : $0 }
            let list = ["http://127.0.0.1:\(origin.port)"] + hosts.map { "http://\($0):\(origin.port)" }
            let fetcher = try Fetcher.onLoopback(list) { settings in
                settings.addresses = AddressPolicy(exceptions: ["127.0.0.1"].compactMap(AddressRange.init))
            }
            defer { fetcher.stop() }
            for host in hosts {
                let text = "http://\(host):\(origin.port)/"
                #expect(try fetcher.begin(text).error == .addressForbidden, "\(host)")
                #expect(try fetcher.begin(origin.url("/" + text)).error == .addressForbidden, "redirected to \(host)")
            }
            #expect(
                try fetcher.begin(origin.url("/" + origin.url("/" + "ftp://x/"))).error == .redirectInvalid(.scheme))
            // Spellings that only some programs take for an address do not get as far as a connection, in either form.
            for host in [
                "0x7f.1", "0177.0.0.1", "2130706433", "127.1", "0x7f000001", "[::1%25lo]", "[fe80::1%25eth0]",
                "127.0.0.01", "[::ffff:7f.1]",
            ] {
                #expect(throws: OriginURLFault.host) { try OriginURL("http://\(host):\(origin.port)/") }
                let text = "http://\(host.replacing("%25", with: "%2525")):\(origin.port)/"
                #expect(try fetcher.begin(origin.url("/" + text)).error == .redirectInvalid(.host), "\(host)")
            }
            // And the listed origin is still there: every connection was to it.
            #expect(try fetcher.begin(origin.url("/" + origin.url("/end"))).error != .addressForbidden)
        }
    }

    @Test func troubleThatPasses_isTriedAgain() throws {
        let count = Mutex(0)
        try Self.withFetcher({ _ in
            switch count.withLock({ count in
                count += 1
                return count
            }) {
            case 1: .answer(500, "trouble")
            case 2: [.close]
            default: .answer()
            }
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url())
            _ = try pending.wait().get()
            #expect(origin.requests.count == 3)
            #expect(pending.sink.text == "content")
        }
    }

    @Test(arguments: [
        (404, OriginError.notFound), (410, .notFound), (403, .status(403)), (401, .status(401)), (400, .status(400)),
        (204, .status(204)), (206, .notHTTP), (304, .status(304)), (302, .status(302)),
    ])
    func answerThatIsFinal_isNotTriedAgain(_ code: Int, _ error: OriginError) throws {
        try Self.withFetcher({ _ in [.text("HTTP/1.1 \(code) Reason\r\nContent-Length: 0\r\n\r\n")] }) {
            (origin, fetcher) throws in
            #expect(try fetcher.begin(origin.url()).error == error)
            #expect(origin.requests.count == 1)
        }
    }

    @Test func troubleThatStays_isItsStatus_afterAllAttempts() throws {
        try Self.withFetcher({ _ in .answer(503, "later") }) { (origin, fetcher) throws in
            #expect(try fetcher.begin(origin.url()).error == .status(503))
            #expect(origin.requests.count == 3)
        }
    }

    @Test func retryAfter_isObeyed_whereItIsShort_andTold_whereItIsLong() throws {
        try Self.withFetcher({ seen in
            .answer(seen.target == "/long" ? 503 : 429, "", "Retry-After: \(seen.target == "/long" ? "3600" : "0")")
        }) { (origin, fetcher) throws in
            #expect(try fetcher.begin(origin.url("/long")).error == .resting(seconds: 3600))
            #expect(origin.requests.count == 1)
            #expect(try fetcher.begin(origin.url("/short")).error == .resting(seconds: 0))
            #expect(origin.requests.count == 4)
        }
    }

    @Test func brokenContent_isResumed() throws {
        let whole = String((0..<2_000).map { Character(UnicodeScalar(UInt8(0x41 + $0 % 26))) })
        try Self.withFetcher({ seen in
            guard let range = seen.fields["range"], let start = Int(range.dropFirst(6).dropLast()) else {
                return [
                    .text("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 2000\r\n\r\n" + whole.prefix(700)), .close,
                ]
            }
            let rest = whole.dropFirst(start)
            let end = start == 700 ? rest.prefix(500) : rest
            return [
                .text(
                    "HTTP/1.1 206 Partial\r\nETag: \"a\"\r\nContent-Range: bytes \(start)-1999/2000\r\n"
                        + "Content-Length: \(rest.count)\r\n\r\n" + end), .close,
            ]
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url())
            let fetched = try pending.wait().get()
            #expect(pending.sink.text == whole)
            #expect(pending.sink.beginningCount == 1)
            #expect(fetched.head.status == .ok)
            #expect(fetched.byteCount == 2_000)
            #expect(origin.requests.map { $0.fields["range"] } == [nil, "bytes=700-", "bytes=1200-"])
            #expect(origin.requests.map { $0.fields["if-range"] } == [nil, "\"a\"", "\"a\""])
        }
    }

    /// Some origins send no more than so much at once: a part of the rest is not the rest.
    @Test func partOfTheRest_isNotTheWhole() throws {
        let whole = String((0..<2_000).map { Character(UnicodeScalar(UInt8(0x41 + $0 % 26))) })
        try Self.withFetcher({ seen in
            guard let range = seen.fields["range"], let start = Int(range.dropFirst(6).dropLast()) else {
                return [
                    .text(
                        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n\r\n2bc\r\n"
                            + whole.prefix(700)),
                    .close,
                ]
            }
            let end = min(2_000, start + 900)
            return .answer(
                206, String(whole.dropFirst(start).prefix(end - start)), "ETag: \"a\"",
                "Content-Range: bytes \(start)-\(end - 1)/2000")
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url())
            let fetched = try pending.wait().get()
            #expect(pending.sink.text == whole && fetched.byteCount == 2_000)
            #expect(origin.requests.map { $0.fields["range"] } == [nil, "bytes=700-", "bytes=1600-"])
        }
    }

    @Test(arguments: ["ignored", "changed", "refused", "lied"])
    func contentThatCannotBeResumed_isBegunAgain_orRefused(_ how: String) throws {
        try Self.withFetcher({ seen in
            guard seen.fields["range"] != nil else {
                return seen.fields["x"] == nil && how == "refused" && seen.connection > 0
                    ? .answer(200, "second", "ETag: \"b\"")
                    : [.text("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 9\r\n\r\nfir"), .close]
            }
            switch how {
            case "refused": return .answer(416, "")
            case "lied": return .answer(206, "second", "ETag: \"b\"", "Content-Range: bytes 3-8/9")
            default: return .answer(200, "second", "ETag: \"\(how == "changed" ? "b" : "a")\"")
            }
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url())
            if how == "lied" {
                #expect(pending.error == .notHTTP)
            } else {
                #expect(try pending.wait().get().byteCount == 6)
                #expect(pending.sink.text == "second")
            }
        }
    }

    @Test func contentWithoutAStrongValidator_isNotResumed() throws {
        let count = Mutex(0)
        try Self.withFetcher({ seen in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst
                ? [.text("HTTP/1.1 200 OK\r\nETag: W/\"a\"\r\nContent-Length: 9\r\n\r\nfir"), .close]
                : .answer(200, "second")
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url())
            _ = try pending.wait().get()
            #expect(pending.sink.text == "second")
            #expect(origin.requests.allSatisfy { $0.fields["range"] == nil })
        }
    }

    @Test func validator_isSent_and304IsAnAnswer() throws {
        try Self.withFetcher({ seen in
            seen.fields["if-none-match"] == "\"a\""
                ? [.text("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")] : .answer()
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url(), "If-None-Match: \"a\"")
            #expect(try pending.wait().get().isNotModified)
            #expect(pending.sink.beginningCount == 0)
        }
    }

    @Test(arguments: ["Content-Length: 1001", "Transfer-Encoding: chunked", ""])
    func tooMuch_isBrokenOff(_ field: String) throws {
        try Self.withFetcher({ _ in
            let lines = field.isEmpty ? "" : field + "\r\n"
            let body =
                field.hasPrefix("T")
                ? "3e9\r\n" + String(repeating: "x", count: 1_001) + "\r\n0\r\n\r\n"
                : String(repeating: "x", count: 1_001)
            return [.text("HTTP/1.1 200 OK\r\n\(lines)\r\n" + body), .close]
        }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url(), byteLimit: 1_000)
            #expect(pending.error == .tooLarge(limit: 1_000))
            #expect(pending.sink.byteCount <= 1_000)
            #expect(origin.requests.count == 1)
        }
    }

    @Test func codedContent_isRefused_beforeAnyOfIt() throws {
        try Self.withFetcher({ _ in .answer(200, "\u{1f}", "Content-Encoding: gzip") }) { (origin, fetcher) throws in
            let pending = try fetcher.begin(origin.url())
            #expect(pending.error == .contentCoded)
            #expect(pending.sink.beginningCount == 0)
        }
    }

    @Test func sinkThatHasEnough_endsTheFetch() throws {
        try Self.withFetcher({ _ in .answer() }) { (origin, fetcher) throws in
            #expect(try fetcher.begin(origin.url(), sink: GatheringSink(byteLimit: 3)).error == .notKept)
            #expect(try fetcher.begin(origin.url(), sink: GatheringSink(byteLimit: 0)).error == .notKept)
        }
    }

    @Test func cancelledFetch_isTold_andSoIsWhatRunsAtTheEnd() throws {
        try withTrialOrigin({ _ in [.wait("never")] }) { origin in
            let fetcher = try Fetcher.onLoopback(["http://127.0.0.1:\(origin.port)"])
            let first = PendingFetch()
            let ticket = fetcher.fetch(
                FetchRequest(try OriginURL(origin.url()), byteLimit: 1), into: first.sink, completion: first.complete)
            origin.waitForRequests(1)
            fetcher.cancel(ticket)
            #expect(first.error == .cancelled)
            let second = try fetcher.begin(origin.url())
            origin.waitForRequests(2)
            fetcher.stop()
            #expect(second.error == .cancelled)
            #expect(try fetcher.begin(origin.url()).error == .cancelled)
        }
    }

    @Test func exchange_tellsEverything_followsNothing_andCanBeGivenUp() throws {
        try Self.withFetcher({ seen in
            switch seen.target {
            case "/moved": [.text("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")] + .redirect("/elsewhere")
            case "/large": [.text("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n"), .filler(11)]
            case "/cut": [.text("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nx"), .close]
            default: [.wait("never")]
            }
        }) { (origin, fetcher) throws in
            func run(_ path: String, onInterim: (@Sendable (ResponseHead) -> Void)? = nil) throws -> Exchanged {
                let request = ExchangeRequest(try OriginURL(origin.url(path)))
                return try wait { fetcher.exchange(request, byteLimit: 10, onInterim: onInterim, completion: $0) }
            }
            let hints = Mutex<[Int]>([])
            let moved = try run("/moved") { head in hints.withLock { $0.append(head.status.code) } }
            #expect(moved.head.status == .found && moved.head.fields.first(.location) == "/elsewhere")
            #expect(hints.withLock { $0 } == [103])
            #expect(throws: OriginError.tooLarge(limit: 10)) { try run("/large") }
            #expect(throws: OriginError.broken) { try run("/cut") }
            let elsewhere = ExchangeRequest(try OriginURL("http://localhost:\(origin.port)/"))
            #expect(failure { fetcher.exchange(elsewhere, byteLimit: 1, completion: $0) } == .originNotAllowed)
            let slow = ExchangeRequest(try OriginURL(origin.url("/slow")))
            let before = origin.requests.count
            let error = failure { (completion: @escaping @Sendable (Result<Exchanged, OriginError>) -> Void) in
                let ticket = fetcher.exchange(slow, byteLimit: 1, completion: completion)
                origin.waitForRequests(before + 1)
                fetcher.cancel(ticket)
            }
            #expect(error == .cancelled)
        }
    }

    /// Ages count from the head (RFC 9111 §4.2.3), however long the content takes.
    @Test func exchange_tellsWhenTheHeadCame() throws {
        let time = HandMovedClock()
        let desk = try FetchThread(Fetcher.Settings(), on: try EventLoop(clock: time.clock))
        let start = time.clock.unixSeconds()
        var result: Result<Exchanged, OriginError>?
        let exchange = SingleExchange(byteLimit: 10, on: desk.exchanges, onInterim: nil) { result = $0 }
        #expect(exchange.exchangeBegan(ResponseHead(.ok)))
        time.advance(by: .seconds(7))
        exchange.exchangeEnded(.complete, ExchangeReport())
        #expect(try result?.get().headTime == start)
    }
}
