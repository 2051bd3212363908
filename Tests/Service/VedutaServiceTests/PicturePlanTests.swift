import HTTPMessage
import HTTPServer
import ImagePlan
import ResponseCache
import Testing

@testable import VedutaService

/// The entity tag names all that decides the bytes, and nothing else.
@Suite(.timeLimit(.minutes(5))) struct PicturePlanTests {
    private func plan(
        route: Endpoint = .asset, canonical: String = "id=a.jpg&width=10", variant: String = "jpeg",
        causes: String = ""
    ) -> PicturePlan {
        PicturePlan(
            route: route, canonical: canonical, variant: variant, vary: "Accept", causes: causes, kind: .asset,
            tag: CacheTag(assetID: "a.jpg"),
            currentValidator: { () throws(Problem) in Self.source },
            render: { _ throws(Problem) in throw .timedOut })
    }

    private static let source = SourceValidator.map("v1")

    private static func identity(_ plan: PicturePlan, _ source: SourceValidator = source) -> PictureIdentity {
        PictureIdentity(validator: source, digest: plan.digest(with: source)) { _, _ in FieldLines() }
    }

    private func tag(_ plan: PicturePlan, of source: SourceValidator = source) throws -> String {
        try #require(Self.identity(plan, source).entityTag).text
    }

    @Test func sameInputs_giveTheSameTagOf128Bits() throws {
        #expect(try tag(plan()) == tag(plan()))
        // 22 characters of base64url between quotes.
        #expect(try tag(plan()).utf8.count == 24)
    }

    @Test func idsThatNameContent_areToldFromPaths() {
        let digest = String(repeating: "Az09-_x", count: 7).prefix(43)
        #expect(PictureKind(assetID: "~\(digest)") == .namedContent)
        for id in ["a.jpg", "~", "\(digest)~", "~\(digest)x", "~\(digest.dropLast())", "~\(digest.dropLast())="] {
            #expect(PictureKind(assetID: id) == .asset, "\(id)")
        }
    }

    @Test func variantsOfOneResource_haveOneResourceNameAndNamesOfTheirOwn() {
        #expect(plan().name != plan(variant: "webp;jpeg").name)
        #expect(plan().resourceName == plan(variant: "webp;jpeg").resourceName)
        #expect(plan().resourceName != plan(canonical: "id=b.jpg").resourceName)
        #expect(plan().name == plan().name)
    }

    @Test func everyInput_changesTagAndKey() throws {
        let plans = [
            plan(), plan(route: .map), plan(canonical: "id=a.jpg&width=11"), plan(variant: "webp"),
            plan(variant: "webp;jpeg"), plan(causes: "linear true"),
            // Fields are told apart, not run together.
            plan(canonical: "id=a.jpg&width=10j", variant: "png"), plan(canonical: "", variant: "avif"),
        ]
        var identities = plans.map { Self.identity($0) }
        identities.append(Self.identity(plan(), .map("v2")))
        identities.append(Self.identity(plan(), .map("v1+v1")))
        #expect(Set(identities.map { $0.entityTag?.text }).count == identities.count)
        #expect(Set(identities.map(\.key)).count == identities.count)
    }
}
