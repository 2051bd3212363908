import HTTPMessage
import ImagePlan
import Testing

@testable import VedutaService

/// The entity tag names all that decides the octets, and nothing else.
struct PicturePlanTests {
    private func plan(
        route: Route = .asset, canonical: String = "id=a.jpg&width=10", format: OutputFormat = .jpeg
    ) -> PicturePlan {
        PicturePlan(
            route: route, canonical: canonical, format: format, isNegotiated: true,
            currentValidator: { () throws(Problem) in Self.source },
            render: { _ throws(Problem) in throw .timedOut })
    }

    private static let source = SourceValidator.map("v1")

    private func tag(_ plan: PicturePlan, of source: SourceValidator = source) throws -> String {
        try #require(plan.identity(of: source).entityTag).text
    }

    @Test func sameInputs_giveTheSameTagOf128Bits() throws {
        #expect(try tag(plan()) == tag(plan()))
        // 22 characters of base64url between quotes.
        #expect(try tag(plan()).utf8.count == 24)
    }

    @Test func everyInput_changesTagAndKey() throws {
        let plans = [
            plan(), plan(route: .map), plan(canonical: "id=a.jpg&width=11"), plan(format: .webp),
            // Fields are told apart, not run together.
            plan(canonical: "id=a.jpg&width=10j", format: .png), plan(canonical: "", format: .avif),
        ]
        var identities = plans.map { $0.identity(of: Self.source) }
        identities.append(plan().identity(of: .map("v2")))
        #expect(Set(identities.map { $0.entityTag?.text }).count == identities.count)
        #expect(Set(identities.map(\.key)).count == identities.count)
    }

    @Test func memo_hashesAnewOnlyForAnotherState() throws {
        let first = plan().identity(of: Self.source)
        let entry = PlanMemo.Entry(plan(), first)
        var madeCount = 0
        func identity(_ validator: SourceValidator) -> PictureIdentity {
            entry.identity(of: validator) { plan, validator in
                madeCount += 1
                return plan.identity(of: validator)
            }
        }
        #expect(identity(Self.source).entityTag == first.entityTag)
        #expect(madeCount == 0)
        let changed = identity(.map("v2"))
        #expect(changed.entityTag != first.entityTag)
        #expect(changed.validator == .map("v2"))
        #expect(identity(Self.source).entityTag == first.entityTag)
        #expect(madeCount == 2)
    }
}
