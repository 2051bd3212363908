import Foundation
import ImagePlan
import ServiceConfiguration
import Testing
import TestSupport

@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct IndexPageTests {
    private func page(_ pictures: [String]) throws -> String {
        IndexPage.html(pictures: pictures, maps: try MapServices.world().examples, styles: ["<a>", "dark"])
    }

    @Test func namesOfFiles_cannotBecomeMarkup() throws {
        let html = try page(["<script>alert(1)</script>.jpg", "\"onerror='x'&amp;.png", "a b+c%.jpg"])
        #expect(!html.contains("<script>") && !html.contains("\"onerror") && !html.contains("'x'"))
        #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;.jpg"))
        #expect(html.contains("&quot;onerror=&#39;x&#39;&amp;amp;.png"))
        #expect(html.contains("/asset?id=a%20b%2Bc%25.jpg&amp;width=320"))
        #expect(html.contains("data-styles=\"&lt;a&gt;,dark\""))
    }

    @Test func everyLink_isARequestThatIsUnderstood() throws {
        let html = try page(["photos/cat.jpg"])
        let links = html.split(separator: "href=\"").dropFirst().compactMap { $0.split(separator: "\"").first }
        let queries = links.map { $0.replacing("&amp;", with: "&") }
        #expect(queries.count > 6)
        for link in queries where link.hasPrefix("/asset?") {
            #expect(try ImageRequestParsing.parse(String(link.dropFirst(7))).id == "photos/cat.jpg")
        }
        for link in queries where link.hasPrefix("/map?") { _ = try MapRequestParsing.parse(String(link.dropFirst(5))) }
    }

    /// A street map is the first link of the page, and what `scripts/serve` shows.
    @Test func anArchiveOfACity_isLinkedInItsMiddle() throws {
        var configuration = Configuration()
        configuration.mapArchive =
            SharedData.packageRoot.appending(path: "Sources/Platform/CResources/city.pmtiles").path
        let html = IndexPage.html(pictures: [], maps: try MapServices.world(configuration).examples, styles: ["light"])
        #expect(html.firstRange(of: "href=\"/map?latitude=0.00000&amp;longitude=0.00000&amp;zoom=16\"") != nil)
    }

    @Test func emptyLibrary_isExplained() throws {
        #expect(try page([]).contains("--library FOLDER"))
    }
}
