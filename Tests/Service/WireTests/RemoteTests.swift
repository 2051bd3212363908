import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import FakeOrigin
import VedutaService

/// Originals of other servers, on a real origin: fetched once, held, asked for again, and what happens when they fail.
@Suite(.timeLimit(.minutes(5))) struct RemoteTests {
    private static let picture = Result { try PictureFolder.picture(400, 300) }
    private static let other = Result { try PictureFolder.picture(200, 120) }

    /// The old address and the new one are one picture, under the new id; the old server is not asked, nor need it be allowed.
    @Test func movedOriginals_areThoseOfTheirNewAddress() throws {
        let folder = try PictureFolder()
        let first = try RemoteWorld()
        first.serve("/new/a.png", try Self.picture.get(), "Cache-Control: max-age=600", "ETag: \"1\"")
        let file = folder.path + "/rewrites"
        try Data("# moved\nhttp://old.example.com/ \(first.origin.url("/new/"))\n".utf8).write(to: URL(filePath: file))
        let world = try first.another { $0.remoteRewrite = file }
        let client = try WireClient(world.service.address)
        let old = try client.get("/asset?id=http://old.example.com/a.png&width=40&format=png")
        #expect(old.code == 200, "\(old.head)")
        let new = try world.get("/new/a.png")
        #expect(new.code == 200 && new.field("ETag") == old.field("ETag") && new.content == old.content)
        #expect(new.field("Cache-Status")?.contains("hit") == true)
        #expect(world.count("/new/a.png") == 1)
        #expect(try client.get("/asset?id=http://other.example.com/a.png&width=40").code == 403)
        #expect(throws: (any Error).self) { try first.another { $0.remoteRewrite = "/nonexistent" } }
    }

    // MARK: Holding

    @Test func tenSizes_costOneDownload_alsoAfterARestart() throws {
        let folder = try CacheFolder()
        let world = try RemoteWorld { $0.cacheDirectory = folder.path }
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=600")
        for width in 1...10 {
            let answer = try world.get("/a.png", "width=\(width * 20)&format=png")
            #expect(answer.code == 200 && answer.field("Content-Type") == "image/png")
        }
        #expect(world.count("/a.png") == 1)
        #expect(world.waitForWorkers())
        let next = try world.another { $0.cacheDirectory = folder.path }
        #expect(try next.get("/a.png", "width=333&format=png").code == 200)
        #expect(world.count("/a.png") == 1)
    }

    @Test func twoHundredClientsForOneColdPicture_costOneDownload() throws {
        let world = try RemoteWorld()
        let picture = try Self.picture.get()
        let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(picture.count)\r\n\r\n"
        world.answer("/a.png", [.wait("go"), .text(head), .bytes(picture)])
        let clients = try (0..<200).map { _ in try WireClient(world.service.address) }
        for (index, client) in clients.enumerated() {
            // Two pictures of one original.
            client.request(world.target("/a.png", "width=\(40 + index % 2)&format=png"))
        }
        world.origin.waitForRequests(1)
        world.origin.release("go")
        #expect(try clients.allSatisfy { try $0.read().code == 200 })
        #expect(world.count("/a.png") == 1)
        #expect(try world.metric("veduta_renders_total{route=\"asset\"}") == 2)
        #expect(try world.metric("veduta_origin_fetches_total{outcome=\"fetched\"}") == 1)
    }

    @Test func staleOriginal_isAskedAbout_andTakenAnewWhenItHasChanged() throws {
        let world = try RemoteWorld()
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=10", "ETag: \"1\"")
        let first = try world.get("/a.png")
        world.clock.advance(by: .seconds(11))
        let second = try world.get("/a.png")
        #expect((second.content, second.field("ETag")) == (first.content, first.field("ETag")))
        #expect(second.cacheStatus.hasPrefix("hit"))
        #expect(world.origin.requests.last?.fields["if-none-match"] == "\"1\"")
        #expect(try world.metric("veduta_origin_fetches_total{outcome=\"not_modified\"}") == 1)
        // The answer to the question made it fresh.
        world.clock.advance(by: .seconds(5))
        _ = try world.get("/a.png")
        #expect(world.count("/a.png") == 2)
        world.clock.advance(by: .seconds(6))
        world.serve("/a.png", try Self.other.get(), "Cache-Control: max-age=10", "ETag: \"2\"")
        let third = try world.get("/a.png")
        #expect(third.code == 200 && third.content != first.content && third.field("ETag") != first.field("ETag"))
        #expect(world.count("/a.png") == 3)
    }

    @Test func originWithoutAWord_isTrustedForTheLifetime() throws {
        let world = try RemoteWorld { $0.remoteLifetime = 30 }
        world.serve("/a.png", try Self.picture.get())
        _ = try world.get("/a.png")
        world.clock.advance(by: .seconds(20))
        _ = try world.get("/a.png")
        #expect(world.count("/a.png") == 1)
        world.clock.advance(by: .seconds(20))
        _ = try world.get("/a.png")
        #expect(world.count("/a.png") == 2)
    }

    @Test func staleWhileRevalidate_isServedAtOnce_andAskedAboutBehind() throws {
        let world = try RemoteWorld()
        world.serve(
            "/a.png", try Self.picture.get(), "Cache-Control: max-age=10, stale-while-revalidate=100", "ETag: \"1\""
        )
        let first = try world.get("/a.png")
        world.clock.advance(by: .seconds(20))
        world.serve("/a.png", try Self.other.get(), "Cache-Control: max-age=100", "ETag: \"2\"")
        #expect(try world.get("/a.png").content == first.content)
        #expect(eventually { (try? world.get("/a.png").content != first.content) ?? false })
        #expect(world.count("/a.png") == 2)
    }

    @Test func originalThatMustNotBeKept_isAskedForEachTime_andNeverOnDisk() throws {
        let folder = try CacheFolder()
        let world = try RemoteWorld { $0.cacheDirectory = folder.path }
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: no-store")
        #expect(try world.get("/a.png", "width=50&format=png").code == 200)
        #expect(try world.get("/a.png", "width=60&format=png").code == 200)
        #expect(world.count("/a.png") == 2)
        #expect(world.waitForWorkers())
        // The pictures, not the original.
        #expect(folder.entries.count == 2)
    }

    @Test func requestThatWantsWhatIsNew_hasTheOriginAsked() throws {
        let world = try RemoteWorld()
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=600", "ETag: \"1\"")
        _ = try world.get("/a.png")
        #expect(try world.get("/a.png", "width=40&format=png", "no-cache").code == 200)
        #expect(world.count("/a.png") == 2)
        #expect(world.origin.requests.last?.fields["cache-control"] == "no-cache")
        #expect(try world.get("/b.png", "width=40&format=png", "only-if-cached").code == 504)
        #expect(world.count("/b.png") == 0)
    }

    @Test func purge_forgetsTheOriginal() throws {
        let folder = try CacheFolder()
        let token = "0123456789abcdef0123456789abcdef"
        let world = try RemoteWorld {
            $0.cacheDirectory = folder.path
            $0.token = AccessToken(token)
        }
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=600")
        _ = try world.get("/a.png")
        #expect(world.waitForWorkers())
        let client = try WireClient(world.service.address)
        let id = world.origin.url("/a.png")
        let answer = try client.get("/cache?id=\(id)", method: "DELETE", "Authorization: Bearer \(token)")
        #expect(answer.code == 200)
        #expect(folder.entries.isEmpty)
        #expect(try world.get("/a.png").code == 200)
        #expect(world.count("/a.png") == 2)
    }

    // MARK: Failing

    @Test func originThatIsDown_isStoodInForByWhatIsHeld() throws {
        let world = try RemoteWorld()
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=10", "ETag: \"1\"")
        let first = try world.get("/a.png")
        world.clock.advance(by: .seconds(100))
        world.answer("/a.png", .answer(503, "", "Retry-After: 600"))
        let second = try world.get("/a.png", "width=41&format=png")
        #expect(second.code == 200)
        #expect(try world.get("/a.png").content == first.content)
        // It was asked once, and is spared now.
        #expect(world.count("/a.png") == 2)
    }

    @Test func originThatForbidsStaleAnswers_isObeyed() throws {
        let world = try RemoteWorld()
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=10, must-revalidate", "ETag: \"1\"")
        _ = try world.get("/a.png")
        world.clock.advance(by: .seconds(100))
        world.answer("/a.png", .answer(503, "", "Retry-After: 600"))
        let answer = try world.get("/a.png", "width=41&format=png")
        #expect(answer.code == 502)
    }

    @Test func offlineServer_servesWhatItHolds() throws {
        let folder = try CacheFolder()
        let world = try RemoteWorld { $0.cacheDirectory = folder.path }
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=10", "ETag: \"1\"")
        _ = try world.get("/a.png")
        #expect(world.waitForWorkers())
        world.clock.advance(by: .seconds(100_000))
        let offline = try world.another {
            $0.cacheDirectory = folder.path
            $0.offline = true
        }
        #expect(try offline.get("/a.png", "width=77&format=png").code == 200)
        let absent = try offline.get("/b.png")
        #expect(absent.code == 504 && absent.text.contains("source-offline"))
        #expect(world.origin.requests.count == 1)
    }

    @Test func missingOriginal_isRemembered_andReplacedByTheDefault() throws {
        let world = try RemoteWorld()
        #expect(try world.get("/none.png").code == 404)
        #expect(try world.get("/none.png", "width=41&format=png").code == 404)
        #expect(world.count("/none.png") == 1)
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=600")
        let instead = try world.get("/none.png", "width=40&format=png&default=\(world.origin.url("/a.png"))")
        #expect(instead.code == 404 && instead.field("Content-Type") == "image/png")
        world.clock.advance(by: .seconds(61))
        world.serve("/none.png", try Self.picture.get(), "Cache-Control: max-age=600")
        #expect(try world.get("/none.png").code == 200)
    }

    @Test func overlay_isFetchedToo() throws {
        let pictures = try PictureFolder()
        let world = try RemoteWorld { $0.library = pictures.path }
        let id = world.origin.url("/badge.png")
        world.serve("/badge.png", try Self.other.get(), "Cache-Control: max-age=600")
        let client = try WireClient(world.service.address)
        let plain = try client.get("/asset?id=a.png&width=300&format=png")
        let laid = try client.get("/asset?id=a.png&width=300&format=png&overlay=\(id)")
        #expect(laid.code == 200 && laid.content != plain.content)
        #expect(world.count("/badge.png") == 1)
    }

    /// #15: it waited for the first of the originals, and the overlay was said to be missing.
    @Test func explanation_waitsForAllOriginals() throws {
        let world = try RemoteWorld()
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=600")
        world.serve("/badge.png", try Self.other.get(), "Cache-Control: max-age=600")
        let badge = world.origin.url("/badge.png")
        let told = try world.get("/a.png", "width=300&format=png&explain=1&overlay=\(badge)")
        #expect(told.code == 200 && told.field("Content-Type") == "application/json", "\(told.text)")
        #expect(world.count("/a.png") == 1 && world.count("/badge.png") == 1)
    }

    @Test func originalThatIsGone_doesNotComeBackFromDisk() throws {
        let folder = try CacheFolder()
        let world = try RemoteWorld { $0.cacheDirectory = folder.path }
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=86400", "ETag: \"1\"")
        _ = try world.get("/a.png")
        #expect(world.waitForWorkers())
        world.answer("/a.png", .answer(404, ""))
        #expect(try world.get("/a.png", "width=41&format=png", "no-cache").code == 404)
        #expect(world.waitForWorkers())
        let next = try world.another { $0.cacheDirectory = folder.path }
        #expect(try next.get("/a.png", "width=42&format=png").code == 404)
    }

    @Test func failingOrigin_isReplacedByTheDefault_withItsStatus() throws {
        let world = try RemoteWorld()
        world.answer("/broken.png", .answer(500, "", "Retry-After: 600"))
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=600")
        let instead = try world.get("/broken.png", "width=40&format=png&default=\(world.origin.url("/a.png"))")
        #expect(instead.code == 502 && instead.field("Content-Type") == "image/png")
        #expect(instead.field("ETag") == nil)
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let path: String
        let steps: [FakeOrigin.Step]
        let code: Int
        let type: String
        var testDescription: String { path }
    }

    static let failures = [
        Failure(path: "/private", steps: .redirect("http://192.168.1.1/a.png"), code: 403, type: "source-forbidden"),
        Failure(path: "/metadata", steps: .redirect("http://169.254.169.254/"), code: 403, type: "source-forbidden"),
        Failure(path: "/loop", steps: .redirect("/loop"), code: 502, type: "source-failed"),
        Failure(path: "/file", steps: .redirect("file:///etc/passwd"), code: 502, type: "source-failed"),
        Failure(path: "/forbidden", steps: .answer(403, ""), code: 502, type: "source-failed"),
        Failure(path: "/gone", steps: .answer(410, ""), code: 404, type: "asset-not-found"),
        Failure(path: "/text", steps: .answer(200, "no picture"), code: 415, type: "source-unsupported"),
        Failure(path: "/empty", steps: .answer(200, ""), code: 415, type: "source-unsupported"),
        Failure(path: "/corrupt", steps: .answer(200, "\u{89}PNG\r\n\u{1a}\n"), code: 415, type: "source-unsupported"),
        Failure(path: "/coded", steps: .answer(200, "x", "Content-Encoding: gzip"), code: 502, type: "source-failed"),
        Failure(
            path: "/announced", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")], code: 422,
            type: "source-too-large"),
        Failure(
            path: "/endless", steps: [.text("HTTP/1.1 200 OK\r\n\r\n"), .endless], code: 422, type: "source-too-large"),
        Failure(
            path: "/short", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close], code: 502,
            type: "source-failed"),
        Failure(path: "/reset", steps: [.text("HTTP/1.1 200 OK\r\nCont"), .reset], code: 502, type: "source-failed"),
        // #15.14
        Failure(
            path: "/head", steps: [.text("HTTP/1.1 200 OK\r\nX: "), .filler(200_000), .text("\r\n\r\n")], code: 502,
            type: "source-failed"),
        Failure(path: "/rubbish", steps: [.text("hello\r\n\r\n"), .close], code: 502, type: "source-failed"),
        Failure(path: "/silent", steps: [.wait("never")], code: 504, type: "source-timeout"),
    ]

    @Test(arguments: failures)
    func failures_areProblems(_ failure: Failure) throws {
        let world = try RemoteWorld {
            $0.remoteTimeout = failure.type == "source-timeout" ? 1 : 600
            $0.sourceBytes = 1 << 20
        }
        world.answer(failure.path, failure.steps)
        let answer = try world.get(failure.path)
        #expect((answer.code, answer.field("Content-Type")) == (failure.code, "application/problem+json"))
        #expect(answer.text.contains(":veduta:\(failure.type)\""), "\(answer.text)")
        // The cause is for the log alone.
        #expect(!answer.text.contains("127.0.0.1") && !answer.text.contains("192.168"))
    }

    @Test func idsOfOtherServers_areChecked() throws {
        let world = try RemoteWorld()
        let client = try WireClient(world.service.address)
        #expect(try client.get("/asset?id=https://example.org/a.png").code == 403)
        #expect(try client.get("/asset?id=http://127.0.0.1:1/a.png").code == 403)
        #expect(try client.get("/asset?id=http://user:secret@127.0.0.1/a.png").code == 400)
        #expect(try client.get("/asset?id=http://127.1/a.png").code == 400)
        #expect(world.origin.requests.isEmpty)
        let service = try RunningService(pictures: PictureFolder())
        #expect(try WireClient(service.address).get("/asset?id=https://example.org/a.png").code == 403)
    }

    /// #15.4: one map may not have the server fetch dozens of originals.
    @Test func mapsShowOnlySoManyIconsOfOtherServers() throws {
        let world = try RemoteWorld()
        let client = try WireClient(world.service.address)
        func map(_ count: Int) throws -> WireResponse {
            let markers = (0..<count).map { "&marker=icon:\(world.origin.url("/\($0).png"))%7C48,11" }
            return try client.get(
                "/map?latitude=48&longitude=11&zoom=5&width=64&height=64&format=png" + markers.joined())
        }
        let refused = try map(17)
        #expect(refused.code == 400 && refused.text.contains("at most 16 different pictures from other servers"))
        #expect(world.origin.requests.isEmpty)
        for index in 0..<16 { world.serve("/\(index).png", try Self.other.get(), "Cache-Control: max-age=600") }
        #expect(try map(16).code == 200)
    }

    @Test func pictureOfItself_isNoLoop() throws {
        let world = try RemoteWorld()
        let client = try WireClient(world.service.address)
        for via in [
            "1.1 veduta-a, 1.1 veduta-b, HTTP/1.1 veduta-c",
            Array(repeating: "1.1 x", count: 16).joined(separator: ","),
        ] {
            let answer = try client.get(world.target("/a.png"), "Via: \(via)")
            #expect(answer.code == 508 && answer.text.contains("source-loop"))
        }
        #expect(world.origin.requests.isEmpty)
        world.serve("/a.png", try Self.picture.get())
        _ = try client.get(world.target("/a.png"), "Via: 1.1 cdn, 1.1 veduta-a")
        let via = try #require(world.origin.requests.first?.fields["via"])
        #expect(via.hasPrefix("1.1 veduta-a, 1.1 veduta-") && !via.contains("cdn"))
        // What we sent comes back to us.
        #expect(try client.get(world.target("/b.png"), "Via: \(via)").code == 508)
    }

    /// One client's `Via` would have the original fail for everybody.
    @Test func longVia_staysHere() throws {
        let world = try RemoteWorld()
        world.serve("/a.png", try Self.picture.get(), "Cache-Control: max-age=600")
        let client = try WireClient(world.service.address)
        let long = String(repeating: "a", count: 4_000)
        #expect(try client.get(world.target("/a.png"), "Via: 1.1 \(long)").code == 200)
        let via = try #require(world.origin.requests.first?.fields["via"])
        #expect(via.utf8.count < 512 && !via.contains("aaaa"))
    }

    /// Where the origin is of this program too, and refuses what has come through too many.
    @Test func refusedVia_isForItsClientAlone() throws {
        let picture = try Self.picture.get()
        let script = RemoteWorld.Script()
        script.set("/a.png") { seen in
            if seen.fields["via"]?.contains("veduta-a") == true { return .answer(508, "") }
            return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"), .bytes(picture)]
        }
        let world = try RemoteWorld(script: script)
        let client = try WireClient(world.service.address)
        for _ in 0..<10 {
            let refused = try client.get(world.target("/a.png"), "Via: 1.1 veduta-a, 1.1 veduta-b")
            #expect(refused.code == 508 && refused.text.contains("source-loop"), "\(refused.head)")
        }
        #expect(try world.get("/a.png").code == 200)
    }

    // MARK: Waiting

    @Test func stalledFetches_holdNoWorker() throws {
        let pictures = try PictureFolder()
        let world = try RemoteWorld {
            $0.library = pictures.path
            $0.remoteTimeout = 600
        }
        let waiting = try (0..<200).map { index in
            world.answer("/\(index)", [.wait("go"), .reset])
            let client = try WireClient(world.service.address)
            client.request(world.target("/\(index)"))
            return client
        }
        #expect(eventually { (try? world.metric("veduta_origin_fetches_running")) == 8 })
        #expect(try world.metric("veduta_jobs_running") == 0)
        #expect(try world.metric("veduta_jobs_queued") == 0)
        let client = try WireClient(world.service.address)
        for width in 10..<30 { #expect(try client.get("/asset?id=a.png&width=\(width)&format=png").code == 200) }
        // The others wait for their turns.
        #expect(try world.metric("veduta_origin_fetches_running") == 8)
        // Clients that leave end their fetches.
        for client in waiting { client.resetWhenReleased() }
        withExtendedLifetime(waiting) {}
    }

    @Test func clientThatLeaves_endsItsFetch_unlessSomebodyElseWaits() throws {
        let world = try RemoteWorld { $0.remoteTimeout = 600 }
        let picture = try Self.picture.get()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"
        world.answer("/a.png", [.wait("go"), .text(head), .bytes(picture)])
        do {
            let leaving = try WireClient(world.service.address)
            leaving.request(world.target("/a.png"))
            world.origin.waitForRequests(1)
            leaving.resetWhenReleased()
        }
        #expect(eventually { (try? world.metric("veduta_origin_fetches_total{outcome=\"abandoned\"}")) == 1 })
        let staying = try WireClient(world.service.address)
        staying.request(world.target("/a.png"))
        world.origin.waitForRequests(2)
        do {
            let leaving = try WireClient(world.service.address)
            leaving.request(world.target("/a.png", "width=50&format=png"))
            #expect(eventually { (try? world.metric("veduta_origin_fetches_running")) == 1 })
            leaving.resetWhenReleased()
        }
        world.origin.release("go")
        #expect(try staying.read().code == 200)
        #expect(world.count("/a.png") == 2)
    }
}
