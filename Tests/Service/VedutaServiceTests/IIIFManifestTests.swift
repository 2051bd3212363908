import ImagePlan
import Testing

@testable import ImageEngine
@testable import VedutaService

@Suite(.timeLimit(.minutes(5))) struct IIIFManifestTests {
    private func canvasCount(id: String, pageCount: Int, listed: Int) -> (canvases: Int, bytes: Int) {
        let pages = (1...listed).map {
            PageDescription(number: $0, size: PixelSize(widthPx: 60, heightPx: 80), label: "p\($0)", thumbHash: [])
        }
        let text = IIIFManifest(
            base: "https://example.org", id: id, list: PageList(format: .tiff, pageCount: pageCount, pages: pages)
        ).text
        return (text.split(separator: "\"type\":\"Canvas\"").count - 1, text.utf8.count)
    }

    @Test func pagesThatWereNotLookedAt_haveCanvases_upToALimit() {
        #expect(canvasCount(id: "book.tif", pageCount: 5, listed: 5).canvases == 5)
        #expect(canvasCount(id: "book.tif", pageCount: 500, listed: 200).canvases == 500)
        #expect(canvasCount(id: "book.tif", pageCount: 9000, listed: 17).canvases == IIIFManifest.canvasLimit)
    }

    /// Ten addresses a canvas, each with an id whose slashes take three bytes.
    @Test func longIDs_makeNoEndlessManifests() {
        let id = "https://example.net/" + String(repeating: "a/", count: 1000)
        for listed in [1, 200] {
            let made = canvasCount(id: id, pageCount: 9000, listed: listed)
            #expect(made.canvases > 100 && made.bytes <= IIIFManifest.byteLimit)
        }
    }
}
