import HTTPMessage
import Renditions
import ResponseCache
import Testing

@testable import VedutaService

/// The entity tag names all that decides the bytes, and nothing else.
@Suite(.timeLimit(.minutes(5))) struct RenditionTests {
    private func rendition(
        _ endpoint: Endpoint = .asset, canonical: String = "id=a.jpg&width=10", variant: String = "jpeg",
        causes: String = ""
    ) -> Rendition {
        TestRenditions.rendition(canonical, endpoint, variant: variant, causes: causes, tag: "a.jpg")
    }

    private static let source = SourceValidator.map("v1")

    private func tag(_ rendition: Rendition, of source: SourceValidator = source) throws -> String {
        try #require(rendition.identity(with: source).entityTag).text
    }

    @Test func sameInputs_giveTheSameTagOf128Bits() throws {
        #expect(try tag(rendition()) == tag(rendition()))
        // 22 characters of base64url between quotes.
        #expect(try tag(rendition()).utf8.count == 24)
    }

    @Test func idsThatNameContent_areToldFromPaths() {
        let digest = String(repeating: "Az09-_x", count: 7).prefix(43)
        #expect(RenditionKind.asset("~\(digest)") == .namedContent)
        for id in ["a.jpg", "~", "\(digest)~", "~\(digest)x", "~\(digest.dropLast())", "~\(digest.dropLast())="] {
            #expect(RenditionKind.asset(id) == .asset, "\(id)")
        }
    }

    @Test func variantsOfOneResource_haveOneResourceNameAndNamesOfTheirOwn() {
        #expect(rendition().name != rendition(variant: "webp;jpeg").name)
        #expect(rendition().resourceName == rendition(variant: "webp;jpeg").resourceName)
        #expect(rendition().resourceName != rendition(canonical: "id=b.jpg").resourceName)
        #expect(rendition().name == rendition().name)
    }

    @Test func everyInput_changesTagAndKey() throws {
        let renditions = [
            rendition(), rendition(.map), rendition(canonical: "id=a.jpg&width=11"), rendition(variant: "webp"),
            rendition(variant: "webp;jpeg"), rendition(causes: "linear true"),
            // Fields are told apart, not run together.
            rendition(canonical: "id=a.jpg&width=10j", variant: "png"), rendition(canonical: "", variant: "avif"),
        ]
        var identities = renditions.map { $0.identity(with: Self.source) }
        identities.append(rendition().identity(with: .map("v2")))
        identities.append(rendition().identity(with: .map("v1+v1")))
        #expect(Set(identities.map { $0.entityTag?.text }).count == identities.count)
        #expect(Set(identities.map(\.key)).count == identities.count)
    }
}
