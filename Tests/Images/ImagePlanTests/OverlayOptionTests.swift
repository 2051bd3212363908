import Parameters
import Testing

@testable import ImagePlan

/// Suggestions are looked for only as long as they are told.
@Suite(.timeLimit(.minutes(5))) struct OverlayOptionTests {
    @Test func noMoreSuggestionsAreLookedFor_thanAreTold() {
        let parts = [Substring](repeating: "colr:red", count: 1600)
        var askedCount = 0
        let options = OverlayOptions(parts[...], of: ["color", "size"]) { name, names in
            askedCount += 1
            return Suggestion.nearest(to: name, among: names)
        }
        #expect(askedCount == OverlayOptions.mistakeLimit)
        let mistake = "`colr` is not an option of it, did you mean `color`?"
        let told = [String](repeating: mistake, count: 8).joined(separator: "; ")
        do throws(ParameterFault.Reason) {
            try options.finish("words")
            Issue.record("nothing was told")
        } catch {
            #expect(error == .malformed(allowed: "words; " + told))
        }
    }

    @Test(arguments: [1, 8, 9, 500]) func misspeltOptionsOfAnAsset_areLookedAtUpToALimit(_ count: Int) {
        let text = "x" + String(repeating: "|rotat:3", count: count)
        var askedCount = 0
        do throws(ParameterFault.Reason) {
            _ = try Overlay.parse(text) { name, names in
                askedCount += 1
                return Suggestion.nearest(to: name, among: names)
            }
            Issue.record("a misspelt option was taken")
        } catch {
            guard case .malformed(let allowed) = error else {
                Issue.record("\(error)")
                return
            }
            let toldCount = allowed.ranges(of: "did you mean `rotate`?").count
            #expect(toldCount == min(count, OverlayOptions.mistakeLimit))
        }
        // Once each to find where the id ends, and once more to tell.
        #expect(askedCount <= 2 * OverlayOptions.mistakeLimit + 1)
    }

    @Test func namesThatAreRight_areNotLookedFor() throws {
        var askedCount = 0
        let overlay = try Overlay.parse("a|b.png|rotate:30|tile:8") { name, names in
            askedCount += 1
            return Suggestion.nearest(to: name, among: names)
        }
        #expect(overlay == Overlay(id: "a|b.png", degrees: 30, gap: 8))
        #expect(askedCount == 0)
    }
}
