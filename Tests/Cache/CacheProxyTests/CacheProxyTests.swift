import HTTPMessage
import TestSupport
import Testing

/// The rules of a shared cache through real sockets: a client, a reverse proxy on the engine, an origin.
@Suite(.timeLimit(.minutes(5))) struct CacheProxyTests {
    /// RFC 9111 §4, §5.1; RFC 9211.
    @Test func freshAnswer_isServedWithItsAge() throws {
        let world = try ProxyWorld()
        world.origin.says("/a", "Cache-Control: max-age=60", "X-A: b")
        let miss = try world.get("/a")
        #expect((miss.code, miss.text) == (200, "content"))
        #expect(miss.field("Cache-Status") == "veduta; fwd=uri-miss; fwd-status=200; stored")
        #expect(miss.field("Age") == nil)
        world.pass(5)
        let hit = try world.get("/a")
        #expect((hit.code, hit.text, hit.field("X-A")) == (200, "content", "b"))
        #expect(hit.field("Cache-Status") == "veduta; hit; ttl=55")
        #expect(hit.field("Age") == "5")
        let head = try world.get("/a", method: "HEAD")
        #expect((head.code, head.field("Content-Length"), head.field("Age")) == (200, "7", "5"))
        #expect(world.origin.seen.count == 1)
        #expect(try world.get("/a?b").field("Cache-Status") == "veduta; fwd=uri-miss; fwd-status=200; stored")
    }

    /// RFC 9111 §4.1.
    @Test func variants_areKeptApart() throws {
        let world = try ProxyWorld()
        world.origin.says("/a", "Cache-Control: max-age=60", "Vary: Accept-Language", content: "German")
        #expect(try world.get("/a", "Accept-Language: de").text == "German")
        world.origin.says("/a", "Cache-Control: max-age=60", "Vary: Accept-Language", content: "English")
        let english = try world.get("/a", "Accept-Language: en")
        #expect(english.text == "English")
        #expect(english.field("Cache-Status") == "veduta; fwd=vary-miss; fwd-status=200; stored")
        #expect(try world.get("/a", "Accept-Language: DE").text == "German")
        #expect(try world.get("/a", "Accept-Language: en").text == "English")
        #expect(world.origin.seen.count == 2)
    }

    /// RFC 9111 §4.3.
    @Test func staleAnswer_isValidatedAndFreshened() throws {
        let world = try ProxyWorld()
        world.origin.says("/a", "Cache-Control: max-age=10", "ETag: \"1\"", "X-A: old")
        _ = try world.get("/a")
        world.pass(11)
        world.origin.says("/a", "Cache-Control: max-age=90", "ETag: \"1\"", "X-A: new", content: "other")
        let validated = try world.get("/a")
        #expect((validated.code, validated.text, validated.field("X-A")) == (200, "content", "new"))
        #expect(validated.field("Cache-Status") == "veduta; fwd=stale; fwd-status=304; ttl=90")
        #expect(world.origin.seen.last?.fields.first(.ifNoneMatch) == "\"1\"")
        world.pass(80)
        #expect(try world.get("/a").field("Cache-Status") == "veduta; hit; ttl=10")
        world.pass(20)
        world.origin.says("/a", "Cache-Control: max-age=90", "ETag: \"2\"", content: "changed")
        #expect(try world.get("/a").text == "changed")
        #expect(try world.get("/a").field("Cache-Status") == "veduta; hit; ttl=90")
    }

    /// RFC 9111 §4.3.2; RFC 9110 §14.2.
    @Test func conditionsAndRanges_areAnsweredFromTheStore() throws {
        let world = try ProxyWorld()
        world.origin.says("/a", "Cache-Control: max-age=60", "ETag: \"1\"", "Content-Type: text/plain")
        _ = try world.get("/a")
        let known = try world.get("/a", "If-None-Match: \"1\"")
        #expect((known.code, known.field("ETag"), known.field("Content-Type")) == (304, "\"1\"", nil))
        #expect(try world.get("/a", "If-None-Match: \"2\"").code == 200)
        let part = try world.get("/a", "Range: bytes=1-2")
        #expect((part.code, part.text, part.field("Content-Range")) == (206, "on", "bytes 1-2/7"))
        #expect(world.origin.seen.count == 1)
    }

    /// RFC 5861 §3.
    @Test func staleWhileRevalidate_refreshesOnceInTheBackground() throws {
        let world = try ProxyWorld()
        let lines = ["Cache-Control: max-age=10, stale-while-revalidate=60", "ETag: \"1\""]
        world.origin.says("/a", lines[0], lines[1])
        _ = try world.get("/a")
        world.pass(15)
        world.origin.hold()
        for _ in 0..<5 {
            let stale = try world.get("/a")
            #expect((stale.code, stale.field("Age")) == (200, "15"))
            #expect(stale.field("Cache-Status") == "veduta; hit; ttl=-5")
        }
        #expect(eventually { world.origin.seen.count == 2 })
        world.origin.release()
        // So asked, a stale answer is neither served nor refreshed.
        let wish = "Cache-Control: only-if-cached, min-fresh=1"
        #expect(eventually { (try? world.get("/a", wish).code) == 200 })
        #expect(try world.get("/a").field("Cache-Status") == "veduta; hit; ttl=10")
        #expect(world.origin.seen.count == 2)
    }

    /// RFC 5861 §4; RFC 9111 §4.2.4.
    @Test func staleIfError_coversAnOriginThatFails() throws {
        let world = try ProxyWorld()
        for (path, more) in [
            ("/a", ", stale-if-error=60"), ("/b", ""), ("/c", ", stale-if-error=60, must-revalidate"),
        ] {
            world.origin.says(path, "Cache-Control: max-age=10\(more)")
            _ = try world.get(path)
            world.origin.says(path, status: 503, content: "failed")
        }
        world.pass(20)
        let covered = try world.get("/a")
        #expect((covered.code, covered.text, covered.field("Age")) == (200, "content", "20"))
        #expect(covered.field("Cache-Status") == "veduta; fwd=stale; fwd-status=503; ttl=-10")
        #expect(try world.codes("/b", "/c") == [503, 503])
        #expect(try world.get("/b", "Cache-Control: stale-if-error=10").code == 200)
        world.stopOrigin()
        #expect(try world.codes("/a", "/b", "/c") == [200, 504, 504])
        world.pass(60)
        #expect(try world.get("/a").code == 504)
    }

    /// RFC 9111 §4.4.
    @Test func unsafeRequest_invalidatesWhatItChanged() throws {
        let world = try ProxyWorld()
        for path in ["/a", "/b", "/c"] {
            world.origin.says(path, "Cache-Control: max-age=60")
            _ = try world.get(path)
        }
        world.origin.says("/a", "Location: /b", "Content-Location: http://other.test/c", status: 201)
        #expect(try world.get("/a", method: "POST").field("Cache-Status") == "veduta; fwd=method; fwd-status=201")
        let statuses = try ["/a", "/b", "/c"].map { try world.get($0).field("Cache-Status") ?? "" }
        #expect(statuses.map { $0.hasPrefix("veduta; hit") } == [false, false, true])
    }

    /// RFC 9111 §5.2.1.
    @Test func directivesOfTheRequest_areHeeded() throws {
        let world = try ProxyWorld()
        world.origin.says("/a", "Cache-Control: max-age=10", "ETag: \"1\"")
        let absent = try world.get("/a", "Cache-Control: only-if-cached")
        #expect((absent.code, absent.field("Cache-Status")) == (504, "veduta"))
        #expect(world.origin.seen.isEmpty)
        _ = try world.get("/a")
        #expect(try world.get("/a", "Cache-Control: only-if-cached").code == 200)
        #expect(
            try world.get("/a", "Cache-Control: max-age=0").field("Cache-Status")
                == "veduta; fwd=request; fwd-status=304; ttl=10")
        #expect(
            try world.get("/a", "Pragma: no-cache").field("Cache-Status")
                == "veduta; fwd=request; fwd-status=200; stored")
        #expect(world.origin.seen.last?.fields.contains(.ifNoneMatch) == false)
        world.pass(12)
        #expect(try world.get("/a", "Cache-Control: max-stale=5").field("Cache-Status") == "veduta; hit; ttl=-2")
        #expect(try world.get("/a", "Cache-Control: only-if-cached").code == 504)
    }

    /// RFC 9111 §3, §3.5, §5.2.2; RFC 9213.
    @Test(
        arguments: [
            (["Cache-Control: max-age=60"], "X: y", true),
            (["Cache-Control: no-store, max-age=60"], "X: y", false),
            (["Cache-Control: private, max-age=60"], "X: y", false),
            (["Cache-Control: max-age=60"], "Cache-Control: no-store", false),
            (["Cache-Control: max-age=60"], "Authorization: Basic eDp5", false),
            (["Cache-Control: max-age=60, public"], "Authorization: Basic eDp5", true),
            (["Cache-Control: max-age=0, s-maxage=60"], "X: y", true),
            (["Cache-Control: max-age=60, s-maxage=0"], "X: y", false),
            (["CDN-Cache-Control: max-age=60", "Cache-Control: no-store"], "X: y", true),
            (["CDN-Cache-Control: no-store", "Cache-Control: max-age=60"], "X: y", false),
        ])
    func onlyWhatMayBeShared_isStored(_ lines: [String], _ asking: String, _ isStored: Bool) throws {
        let world = try ProxyWorld()
        world.origin.says("/a", lines.first ?? "", lines.last ?? "")
        _ = try world.get("/a", asking)
        #expect(try world.get("/a").field("Cache-Status")?.hasPrefix("veduta; hit") == isStored)
    }

    /// RFC 9111 §4: one request for many, and no queue for what cannot be shared.
    @Test func requestsForOneURI_shareAnAnswerThatMayBeShared() throws {
        let world = try ProxyWorld()
        for (path, directives, count) in [("/a", "max-age=60", 1), ("/b", "no-store", 6)] {
            world.origin.says(path, "Cache-Control: \(directives)")
            world.origin.hold()
            let before = world.origin.seen.count
            let clients = try (0..<6).map { _ in try world.client() }
            for client in clients { client.send("GET \(path) HTTP/1.1\r\nHost: origin.test\r\n\r\n") }
            #expect(eventually { world.origin.seen.count > before })
            world.origin.release()
            for client in clients { #expect(try client.read().code == 200) }
            #expect(world.origin.seen.count - before <= 6)
            if count == 1 { #expect(world.origin.seen.count - before == 1) }
        }
        // Known by now: nobody waits, and all are at the origin at once.
        world.origin.hold()
        let before = world.origin.seen.count
        let clients = try (0..<6).map { _ in try world.client() }
        for client in clients { client.send("GET /b HTTP/1.1\r\nHost: origin.test\r\n\r\n") }
        #expect(eventually { world.origin.seen.count == before + 6 })
        world.origin.release()
        for client in clients { #expect(try client.read().code == 200) }
    }
}
