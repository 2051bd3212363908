import Foundation
import Reactor
import ServiceConfiguration
import Testing
import TestSupport
import VedutaService

/// What the service says over the wire; pictures themselves are looked at elsewhere.
@Suite(.timeLimit(.minutes(5))) struct ServiceTests {
    private static let picture = "/asset?id=a.png&width=40&format=webp"

    private func withService(
        _ adjust: (inout Configuration) -> Void = { _ in }, _ body: (RunningService, WireClient) throws -> Void
    ) throws {
        let (_, service, client) = try RunningService.withPictures(adjust)
        try body(service, client)
    }

    @Test(arguments: [
        picture, "/asset?id=missing.png", "/asset?id=a.png&widht=1",
        "/map?latitude=43.77&longitude=11.25&zoom=3&width=64&height=64",
        "/health/live", "/health/ready", "/openapi.yaml", "/veduta.js", "/pages/common.css", "/missing", "/",
    ])
    func head_isGetWithoutContent(_ target: String) throws {
        try withService { _, client in
            let get = try client.get(target)
            let head = try client.get(target, method: "HEAD")
            #expect(head.code == get.code)
            #expect(head.content.isEmpty && !get.content.isEmpty)
            // Problems name their request, whose number may have another length.
            if get.code == 200 { #expect(head.stableHead == get.stableHead) }
            #expect(client.isKept())
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "TRACE"])
    func otherMethods_are405_andSayWhichAreRight(_ method: String) throws {
        try withService { _, client in
            let response = try client.get(Self.picture, method: method)
            #expect(response.code == 405)
            #expect(response.field("Allow") == "GET, HEAD, OPTIONS")
            #expect(response.field("Content-Type") == "application/problem+json")
            #expect(client.isKept())
        }
    }

    @Test func options_sayWhichMethodsAreRight() throws {
        try withService { _, client in
            for target in [Self.picture, "*"] {
                let response = try client.get(target, method: "OPTIONS")
                #expect(response.code == 204)
                #expect(response.field("Allow") == "GET, HEAD, OPTIONS")
            }
            #expect(client.isKept())
        }
    }

    @Test func secondRequest_isAHit_withTheSameBytes() throws {
        try withService { _, client in
            let first = try client.get(Self.picture)
            let second = try client.get(Self.picture)
            #expect(first.code == 200)
            #expect(first.field("Cache-Status") == "veduta; fwd=uri-miss; stored")
            #expect(first.field("Server-Timing")?.contains("decode;dur=") == true)
            #expect(second.field("Cache-Status") == "veduta; hit; ttl=1")
            #expect(second.content == first.content)
            #expect(second.stableHead == first.stableHead)
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 1)
        }
    }

    @Test func tagOfAMap_isKnownToAServiceThatNeverDrewIt() throws {
        let target = "/map?latitude=43.77&longitude=11.25&zoom=3&width=64&height=64&format=png"
        var tag = ""
        try withService { _, client in tag = try #require(try client.get(target).field("ETag")) }
        try withService { _, client in
            let response = try client.get(target, "If-None-Match: \"other\", W/\(tag)")
            #expect(response.code == 304)
            #expect(response.field("ETag") == tag)
            #expect(try client.metric("veduta_renders_total{route=\"map\"}") == 0)
            #expect(client.isKept())
        }
    }

    @Test func conditionalRequests_areAnsweredBeforeAnyRender() throws {
        try withService({ $0.cacheMemory = 0 }) { _, client in
            let full = try client.get(Self.picture)
            let tag = try #require(full.field("ETag"))
            let date = try #require(full.field("Last-Modified"))
            for field in ["If-None-Match: \(tag)", "If-None-Match: *", "If-Modified-Since: \(date)"] {
                let response = try client.get(Self.picture, field)
                #expect(response.code == 304, "\(field)")
                #expect(response.field("ETag") == tag)
                #expect(response.field("Cache-Control") == full.field("Cache-Control"))
                #expect(response.field("Content-Type") == nil)
            }
            #expect(try client.get(Self.picture, "If-Match: \"other\"").code == 412)
            #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 1)
        }
    }

    @Test func negotiatedResources_sayVary_whateverTheAnswer() throws {
        try withService { _, client in
            let target = "/asset?id=a.png&width=40"
            let full = try client.get(target, "Accept: image/webp")
            #expect(full.code == 200)
            #expect(full.field("Content-Type") == "image/webp")
            let tag = try #require(full.field("ETag"))
            let answers = [
                full, try client.get(target, "Accept: image/webp", "If-None-Match: \(tag)"),
                try client.get("/asset?id=a.png&width=0"), try client.get("/asset?id=missing.png"),
            ]
            #expect(answers.map(\.code) == [200, 304, 400, 404])
            for answer in answers { #expect(answer.field("Vary") == "Accept", "\(answer.code)") }
            let fixed = try client.get(Self.picture)
            #expect(fixed.field("Vary") == nil)
            let other = try client.get(target, "Accept: image/avif;q=0, image/png")
            #expect(other.field("ETag") != tag)
        }
    }

    @Test func threeBadParameters_areThreeEntries() throws {
        try withService { _, client in
            let response = try client.get("/asset?id=a.png&width=0&fit=round&rotate=far")
            #expect(response.code == 400)
            #expect(response.field("Content-Type") == "application/problem+json")
            for name in ["width", "fit", "rotate"] {
                #expect(response.text.contains("\"parameter\":\"\(name)\""), "\(response.text)")
            }
            #expect(response.text.split(separator: "\"parameter\":").count == 4)
            #expect(response.text.contains(response.field("X-Request-Id") ?? "?"))
            #expect(client.isKept())
        }
    }

    /// #15.30: the answer said nothing but that a rule of RFC 9112 was broken.
    @Test(arguments: [("/asset?id=\"a.png\"", 15), ("/map?geojson={\"type\":\"Point\"}", 19), ("/asset?id=a<b", 16)])
    func charactersThatURLsCannotHave_areToBeEncoded(_ target: String, _ place: Int) throws {
        try withService { _, client in
            let response = try client.get(target)
            #expect(response.code == 400 && response.problem == "malformed-request")
            #expect(response.text.contains("Byte \(place) of the request line"), "\(response.text)")
            #expect(response.text.contains("as `%22`"))
        }
    }

    @Test func misspeltName_isSuggestedTheRightOne() throws {
        try withService { _, client in
            let response = try client.get("/asset?id=a.png&widht=100")
            #expect(response.code == 400)
            #expect(response.text.contains("\"suggestion\":\"width\""), "\(response.text)")
            #expect(response.text.contains("did you mean"))
        }
    }

    @Test(arguments: [
        "/map?latitude=91&longitude=0", "/map?latitude=0&longitude=541", "/map?latitude=NaN&longitude=0",
        "/map?latitude=1e1&longitude=0", "/map?latitude=0", "/map?latitude=0&longitude=0&zoom=99",
        "/map?latitude=0&longitude=0&width=99999", "/asset", "/asset?id=", "/asset?id=%ff", "/asset?id=a.png&width=%zz",
    ])
    func badRequests_areRefused(_ target: String) throws {
        try withService { _, client in
            let response = try client.get(target)
            #expect(response.code == 400)
            #expect(client.isKept())
        }
    }

    @Test func libraryIsNotLeft_byNoName() throws {
        let outside = try PictureFolder()
        let pictures = try PictureFolder()
        try pictures.add("inside/c.png", try PictureFolder.picture(20, 20))
        pictures.link("out.png", to: outside.path + "/a.png")
        pictures.link("out", to: outside.path)
        pictures.link("up", to: "..")
        pictures.link("in.png", to: "inside/c.png")
        pictures.link("loop", to: "loop")
        let (_, _, client) = try RunningService.withPictures(in: pictures)
        let escapes = [
            "../a.png", "%2e%2e/a.png", "..%2fa.png", "inside/../../x/a.png", "/etc/passwd", "%2fetc%2fpasswd",
            "out.png",
            "out/a.png", "up/a.png", "loop", "inside", "a.png%00.jpg", "..\\a.png", "inside//c.png", "./a.png",
            "~up/a.png",
            String(outside.path.dropFirst()) + "/a.png", "inside/%2e/c.png",
        ]
        for id in escapes {
            let response = try client.get("/asset?id=\(id)&format=png")
            #expect([400, 403, 404].contains(response.code), "\(id): \(response.code)")
            #expect(!response.text.contains(outside.path), "\(id)")
        }
        #expect(try client.get("/asset?id=in.png&format=png").code == 200)
        #expect(try client.metric("veduta_renders_total{route=\"asset\"}") == 1)
    }

    @Test func libraryThatIsGone_isSaidToBeUnavailable_notItsPicturesMissing() throws {
        let (pictures, _, client) = try RunningService.withPictures()
        #expect(try client.get("/asset?id=absent.png").code == 404)
        #expect(try client.get("/health/ready").code == 200)
        try FileManager.default.removeItem(atPath: pictures.path)
        #expect(try client.get("/asset?id=a.png").code == 503)
        #expect(try client.get("/health/ready").code == 503)
        #expect(try client.get("/health/live").code == 200)
    }

    @Test func faultyID_isReportedWithTheOtherFaults() throws {
        try withService { _, client in
            let response = try client.get("/asset?id=../x.png&widht=3")
            #expect(response.code == 400)
            #expect(response.text.contains("\"value\":\"../x.png\""))
            #expect(response.text.contains("\"suggestion\":\"width\""))
        }
    }

    @Test func pictureThatIsNotKept_isNotSaidToBeStored() throws {
        try withService({ $0.cacheMemory = 0 }) { _, client in
            let response = try client.get(Self.picture)
            #expect(response.field("Cache-Status") == "veduta; fwd=uri-miss")
        }
        try withService { _, client in
            let response = try client.get(Self.picture)
            #expect(response.field("Cache-Status") == "veduta; fwd=uri-miss; stored")
        }
    }

    @Test func clientsForOneColdPicture_shareOneRender() throws {
        try withService({ $0.workers = 1 }) { service, observer in
            let clients = try (0..<64).map { _ in try WireClient(service.address) }
            for client in clients { client.request("/asset?id=a.png&width=600&enlarge=1&format=webp") }
            let answers = try clients.map { try $0.read() }
            #expect(answers.allSatisfy { $0.code == 200 })
            #expect(Set(answers.map(\.content)).count == 1)
            #expect(try observer.metric("veduta_renders_total{route=\"asset\"}") == 1)
        }
    }

    @Test func halfClosedClient_getsItsPicture_alsoWhenItIsCold() throws {
        try withService { service, _ in
            for _ in 0..<2 {
                let client = try WireClient(service.address)
                client.request(Self.picture)
                client.endSending()
                var response = try client.read()
                if response.code == 100 { response = try client.read() }
                #expect(response.code == 200)
                #expect(!response.content.isEmpty)
                #expect(client.isClosed())
            }
        }
    }

    @Test(arguments: [false, true])
    func clientThatVanishesMidRender_isCounted_andItsWorkCancelled(byReset: Bool) throws {
        try withService({ $0.workers = 1 }) { service, observer in
            // Far more work than the moment after which the server asks whether anybody listens.
            var busy: WireClient? = try WireClient(service.address)
            busy?.request("/map?latitude=20&longitude=10&zoom=3&width=4096&height=4096&format=avif&quality=90")
            #expect(eventually { (try? observer.metric("veduta_renders_total{route=\"map\"}")) == 1 })
            var queued: WireClient? = try WireClient(service.address)
            queued?.request(Self.picture)
            #expect(eventually { (try? observer.metric("veduta_jobs_queued")) == 1 })
            if byReset {
                busy?.resetWhenReleased()
                queued?.resetWhenReleased()
            }
            // The one that waits leaves first, and the server has noticed: a worker that is free again must not begin its picture.
            queued = nil
            #expect(eventually { (try? observer.metric("veduta_abandoned_waits_total")) == 1 })
            busy = nil
            #expect(eventually { (try? observer.metric("veduta_abandoned_waits_total")) == 2 })
            #expect(eventually { (try? observer.metric("veduta_cancelled_renders_total")) == 2 })
            #expect(try observer.metric("veduta_renders_total{route=\"asset\"}") == 0)
            #expect(try observer.get(Self.picture).code == 200)
        }
    }

    @Test func fullQueue_isToldAtOnce() throws {
        try withService({
            $0.workers = 1
            $0.queue = 1
        }) { service, observer in
            let clients = try (0..<12).map { _ in try WireClient(service.address) }
            for (index, client) in clients.enumerated() {
                client.request("/asset?id=a.png&width=\(1200 + index)&enlarge=1&format=webp")
            }
            let answers = try clients.map { try $0.read() }
            #expect(answers.allSatisfy { $0.code == 200 || $0.code == 503 })
            #expect(answers.contains { $0.code == 200 })
            for answer in answers where answer.code == 503 {
                #expect(answer.field("Retry-After") != nil)
                #expect(!answer.saysClose)
            }
            let refused = answers.count { $0.code == 503 }
            #expect(try observer.metric("veduta_refused_jobs_total") == refused)
        }
    }
}
