import TestSupport
import Testing

/// `/pages/{file}` over a socket.
@Suite(.timeLimit(.minutes(5))) struct PageFileTests {
    private let service: RunningService
    private let client: WireClient

    init() throws {
        service = try RunningService()
        client = try WireClient(service.address)
    }

    @Test func files_haveTheirTypes_andAreRevalidated() throws {
        for (name, mediaType) in [
            ("common.css", "text/css; charset=utf-8"), ("viewer.js", "text/javascript; charset=utf-8"),
            ("parameters.json", "application/json"),
        ] {
            let file = try client.get("/pages/\(name)")
            #expect(file.code == 200 && file.field("Content-Type") == mediaType)
            #expect(file.field("Cache-Control") == "no-cache" && file.field("X-Content-Type-Options") == "nosniff")
            let tag = try #require(file.field("ETag"))
            let same = try client.get("/pages/\(name)", "If-None-Match: \(tag)")
            #expect(same.code == 304 && same.content.isEmpty)
        }
    }

    @Test func playground_isStrict_andWorksWithoutAScript() throws {
        let page = try client.get("/", "Accept: text/html")
        #expect(page.code == 200 && page.field("Content-Type") == "text/html; charset=utf-8")
        let policy = try #require(page.field("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'") && policy.contains("connect-src 'self'"))
        #expect(policy.contains("frame-ancestors 'self'") && !policy.contains("unsafe"))
        // Links to try, without any script or style in the page itself.
        #expect(page.text.contains("<a href=\"/map?") && page.text.contains("<td><code>/asset</code></td>"))
        #expect(!page.text.contains("<style") && !page.text.contains(" style=") && !page.text.contains("<script>"))
        #expect(try client.get("/").text == page.text)
    }

    /// Whatever the page and its scripts ask for is there.
    @Test func everyFile_thatAFileNames_isThere() throws {
        var texts = [try client.get("/").text]
        var seen: Set<String> = []
        while let text = texts.popLast() {
            for match in text.matches(of: /(?:\/pages\/|'\.\/)([a-z-]+\.(?:json|js|css))/) {
                guard seen.insert(String(match.1)).inserted else { continue }
                let file = try client.get("/pages/\(match.1)")
                #expect(file.code == 200, "\(match.1)")
                texts.append(file.text)
            }
        }
        #expect(
            seen.isSuperset(of: [
                "playground.js", "playground-map.js", "slippy.js", "parameters.json", "parameters-more.json",
            ]))
    }

    @Test(arguments: ["/pages/", "/pages/none.css", "/pages/common.css/", "/pages/../common.css", "/pages/%ff"])
    func otherNames_areNotFound(_ target: String) throws {
        let answer = try client.get(target)
        #expect(answer.code == 404 && answer.text.contains("route-not-found"), "\(answer.text)")
    }
}
