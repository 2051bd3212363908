import MapStyle
import StyleTestKit
import Testing

@Suite(
    "Public tests", .timeLimit(.minutes(5)), .enabled(if: SharedStyles.isPresent, "needs ../shared or $VEDUTA_SHARED"))
struct PublicTests {
    @Test("the public expression tests pass")
    func expressions_pass() throws {
        let outcomes = try ExpressionTestKit(path: SharedStyles.expressions).run()
        #expect(outcomes.count > 400)
        for outcome in outcomes where !outcome.complaints.isEmpty {
            Issue.record("\(outcome.name): \(outcome.complaints.joined(separator: "; "))")
        }
    }

    @Test("the styles of the public render tests are read")
    func styles_areRead() throws {
        let paths = SharedStyles.styles()
        #expect(paths.count > 800)
        for path in paths {
            do {
                _ = try Style.read(SharedStyles.read(path))
            } catch let failure as StyleFailure {
                Issue.record("\(path): \(failure.issues.map { "\($0.path): \($0.message)" }.joined(separator: "; "))")
            }
        }
    }
}
