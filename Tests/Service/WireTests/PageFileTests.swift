import TestSupport
import Testing

/// `/pages/{file}` over a socket.
@Suite(.timeLimit(.minutes(5))) struct PageFileTests {
    private func withClient(_ body: (WireClient) throws -> Void) throws {
        let service = try RunningService { _ in }
        defer { service.stop() }
        try body(try WireClient(service.address))
    }

    @Test func files_haveTheirTypes_andAreRevalidated() throws {
        try withClient { client in
            for (name, mediaType) in [
                ("common.css", "text/css; charset=utf-8"), ("viewer.js", "text/javascript; charset=utf-8"),
            ] {
                let file = try client.get("/pages/\(name)")
                #expect(file.code == 200 && file.field("Content-Type") == mediaType)
                #expect(file.field("Cache-Control") == "no-cache" && file.field("X-Content-Type-Options") == "nosniff")
                let tag = try #require(file.field("ETag"))
                let same = try client.get("/pages/\(name)", "If-None-Match: \(tag)")
                #expect(same.code == 304 && same.content.isEmpty)
            }
        }
    }

    @Test(arguments: ["/pages/", "/pages/none.css", "/pages/common.css/", "/pages/../common.css", "/pages/%ff"])
    func otherNames_areNotFound(_ target: String) throws {
        try withClient { client in
            let answer = try client.get(target)
            #expect(answer.code == 404 && answer.text.contains("route-not-found"), "\(answer.text)")
        }
    }
}
