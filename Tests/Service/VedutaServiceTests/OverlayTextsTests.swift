import ImageEngine
import ImagePlan
import Parameters
import TextEngine
import Testing

@testable import VedutaService

/// Texts over images in the machine's own fonts; skipped where there are none.
@Suite(.timeLimit(.minutes(5))) struct OverlayTextsTests {
    private static let fonts = FontSet()
    private static let hasFonts = !fonts.faces.isEmpty

    private func drawn(_ text: String, on size: PixelSize) throws -> DecodedPixels? {
        let request = try ImageRequest.parse(QueryItems.parse("id=a&" + text))
        let painter = OverlayTexts.painter(of: request, fonts: Self.fonts, shouldStop: { false })
        return try #require(painter).draw(0, size)
    }

    @Test(.enabled(if: hasFonts, "no fonts on this machine")) func textsFarLargerThanTheirImage_areRefused() throws {
        let flat = PixelSize(widthPx: 8192, heightPx: 16)
        #expect(throws: ImageError.outOfMemory) {
            _ = try drawn("text=WWWWW|size:3000|width:8192|rotate:1", on: flat)
        }
        let plain = try #require(try drawn("text=Veduta", on: flat))
        #expect(plain.widthPx * plain.heightPx <= 8192 * 16)
        #expect(try drawn("text=Veduta|size:100p", on: PixelSize(widthPx: 300, heightPx: 200)) != nil)
    }
}
