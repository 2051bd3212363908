import Foundation
import ImagePlan
import Testing

@testable import VedutaClient

/// What of a draft is drawn on this machine, on systems that can draw.
@Suite(.timeLimit(.minutes(5)))
struct LocalPlanTests {
    private let header = ImageHeader(format: .jpeg, widthPx: 400, heightPx: 300, orientation: 6)
    private let url = AssetURL("~x")

    @Test func plans_areThoseOfTheServer() throws {
        let plan = try #require(LocalPlan(url.size(width: 100, height: 100).fit(.cover).filter(.grayscale), of: header))
        #expect(
            plan.steps == [
                .extract(PixelRect(x: 50, y: 0, widthPx: 300, heightPx: 300)),
                .resize(PixelSize(widthPx: 100, heightPx: 100)),
                .orient(Orientation(exif: 6)), .filter(.grayscale),
            ])
        #expect(plan.format == .jpeg && plan.quality == nil)
        let turned = try #require(LocalPlan(url.rotate(.degrees(270)).format(.png), of: header))
        #expect(turned.steps.isEmpty && turned.format == .png)
    }

    @Test func whatNeedsPixelsOrTheServer_isLeftToIt() {
        for other in [
            url.crop(.attention).size(width: 10, height: 10), url.trim(tolerance: 3), url.filter(.sepia()),
            url.rotate(.degrees(3)), url.mask(.circle), url.overlay("mark.png"), url.format(.avif),
            url.quality(.auto), url.bytes(atMost: 9000), url.preset("card"), url.profile(.p3), url.page(2),
        ] {
            #expect(LocalPlan(other, of: header) == nil, "\(other.local)")
        }
        #expect(LocalRenderer.draw(url, from: Data()) == nil)
    }
}
