import Foundation
import ServiceConfiguration
import TestSupport
import Testing
import URLSigning
import WrittenDocuments

/// `/view` over a socket.
@Suite(.timeLimit(.minutes(5))) struct ViewTests {
    private func withClient(
        pages: Int = 30, _ adjust: (inout Configuration) -> Void = { _ in },
        _ body: (PictureFolder, WireClient) throws -> Void
    ) throws {
        let pictures = try PictureFolder()
        let names = [2: "ii & \"more\""]
        try pictures.add(
            "dir/scan.tif",
            WrittenTIFF.bytes((1...pages).map { WrittenTIFF.Page(20, 30, grey: UInt8($0 % 200), name: names[$0]) }))
        let (_, _, client) = try RunningService.withPictures(in: pictures, adjust)
        try body(pictures, client)
    }

    private func items(_ page: WireResponse) -> Int { page.text.components(separatedBy: "<li ").count - 1 }

    @Test func pageOfADocument_listsPagesWithFacts() throws {
        try withClient { _, client in
            let page = try client.get("/view?id=dir/scan.tif")
            #expect(page.code == 200 && page.field("Content-Type") == "text/html; charset=utf-8")
            #expect(items(page) == 24 && page.text.contains("data-count=\"30\""))
            #expect(page.text.contains("id=\"page=3\"") && page.text.contains("data-width=\"20\""))
            #expect(page.text.contains("alt=\"Page 2 of 30 of scan.tif, labelled ii &amp; &quot;more&quot;\""))
            #expect(page.text.contains("href=\"/asset?id=dir/scan.tif&amp;page=3\""))
            #expect(page.text.contains("href=\"/view?id=dir/scan.tif&amp;after=24\""))
            let rest = try client.get("/view?id=dir/scan.tif&after=24")
            #expect(items(rest) == 6 && rest.text.contains("rel=\"prev\"") && !rest.text.contains("rel=\"next\""))
            #expect(try client.get("/asset?id=dir/scan.tif&page=3&width=960&height=960&fit=inside").code == 200)
        }
    }

    @Test func page_isStrict_keptAndPurged() throws {
        try withClient { _, client in
            let page = try client.get("/view?id=dir/scan.tif")
            let policy = try #require(page.field("Content-Security-Policy"))
            for part in ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'self'"] {
                #expect(policy.contains(part))
            }
            #expect(page.field("Referrer-Policy") == "same-origin")
            #expect(page.field("X-Content-Type-Options") == "nosniff")
            #expect(page.field("Cache-Tag") != nil)
            #expect(!page.text.contains("<style") && !page.text.contains("style=") && !page.text.contains("onclick"))
            let tag = try #require(page.field("ETag"))
            #expect(try client.get("/view?id=dir/scan.tif", "If-None-Match: \(tag)").code == 304)
            #expect(try client.metric("veduta_renders_total{route=\"view\"}") == 1)
            let images = try client.get("/view?ids=a.png,dir/scan.tif")
            #expect(images.field("Content-Security-Policy") == policy)
            #expect(images.field("Cache-Control") == "no-cache")
        }
    }

    @Test func images_areListedUnread() throws {
        try withClient { _, client in
            let page = try client.get("/view?ids=a.png,none%22%3E.png")
            #expect(page.code == 200 && items(page) == 2 && page.text.contains("alt=\"Image 1 of 2: a.png\""))
            #expect(page.text.contains("none&quot;&gt;.png") && !page.text.contains("none\">"))
            #expect(try client.metric("veduta_renders_total{route=\"view\"}") == 0)
        }
    }

    @Test func tooMuch_isRefused_allAtOnce() throws {
        try withClient { _, client in
            let ids = { (count: Int) in Array(repeating: "a.png", count: count).joined(separator: ",") }
            #expect(try client.get("/view?ids=\(ids(50))").code == 200)
            let long = try client.get("/view?ids=\(ids(51))")
            #expect(long.code == 400 && long.text.contains("50"))
            let both = try client.get("/view?id=a.png&ids=a.png,&after=1")
            #expect(both.code == 400 && both.text.contains("\"ids\"") && both.text.contains("\"after\""))
            #expect(try client.get("/view").code == 400)
            #expect(try client.get("/view?idd=a.png").text.contains("id"))
            #expect(try client.get("/view?id=none.png").code == 404)
            #expect(try client.get("/view?id=a.png&after=100001").code == 400)
            // The default, as clients send it that are generated from openapi.yaml (#15.9).
            #expect(try client.get("/view?ids=a.png&after=0").code == 200)
        }
    }

    @Test func browsers_getProblemsAsPages_andOthersAsJSON() throws {
        try withClient { _, client in
            let html = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
            for (target, code, words) in [
                ("/view?id=none.png", 404, "The library has no image with this id."),
                ("/view?id=a.png&widht=%3Cb%3E", 400, "<code>widht</code> is not a parameter here"),
                ("/view?idd=%3Cb%3E&after=x", 400, "<li><code>after</code> must be"),
            ] {
                let page = try client.get(target, html)
                #expect(page.code == code && page.field("Content-Type") == "text/html; charset=utf-8", "\(target)")
                #expect(page.text.contains(words), "\(page.text)")
                let policy = page.field("Content-Security-Policy")
                #expect(policy?.hasPrefix("default-src 'none'") == true)
                #expect(page.field("X-Content-Type-Options") == "nosniff")
                #expect(page.text.contains("/pages/common.css") && !page.text.contains("<script"))
                #expect(!page.text.contains("<b>") && page.text.contains(page.field("X-Request-Id") ?? "no id"))
                let problem = try #require(try client.get(target).json()["title"] as? String)
                #expect(page.text.contains("<h1>\(problem)</h1>"))
                // Of the same status and for as long.
                for accept in ["application/json", "*/*", "text/html;q=0.1, application/problem+json"] {
                    let answer = try client.get(target, "Accept: \(accept)")
                    #expect(answer.code == code, "\(accept)")
                    #expect(answer.field("Content-Type") == "application/problem+json", "\(accept)")
                    #expect(answer.field("Cache-Control") == page.field("Cache-Control"))
                    for told in [page, answer] {
                        let varied = (told.field("Vary") ?? "").components(separatedBy: ", ")
                        #expect(varied.contains("Accept"), "\(varied)")
                    }
                }
            }
            #expect(try client.get("/asset?id=none.png", html).field("Content-Type") == "application/problem+json")
        }
    }

    /// Its price does not grow with the document.
    @Test func longDocument_costsTheListedPages() throws {
        try withClient(pages: 1000) { _, client in
            let page = try client.get("/view?id=dir/scan.tif")
            #expect(page.code == 200 && page.text.contains("data-count=\"1000\""))
            #expect((1...24).contains(items(page)))
        }
    }

    @Test func closedServices_tellNothing() throws {
        let key = try #require(SigningKey(text: "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="))
        let closed: [(inout Configuration) -> Void] = [{ $0.keys = SigningKeys([key]) }, { $0.metadata = .off }]
        for adjust in closed {
            try withClient(adjust) { _, client in
                let page = try client.get("/view?id=dir/scan.tif")
                #expect(page.code == 200 && items(page) == 1, "\(page.text)")
                #expect(!page.text.contains("data-count") && !page.text.contains("data-hash"))
                // Whether it exists is not told either.
                #expect(try client.get("/view?id=none.tif").code == 200)
            }
        }
    }
}
