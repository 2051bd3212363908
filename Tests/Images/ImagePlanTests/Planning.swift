import ImagePlan
import Testing

extension ImageRequest {
    /// The plan for an output that is settled; fails the test where pixels have to be asked first.
    func plan(for source: ImageHeader, output: OutputFormat, analysis: AnalysisResults = [:]) throws -> ImagePlan {
        let planning = try planning(for: source, accepting: Acceptance(only: output), analysis: analysis)
        guard case .plan(let plan) = planning else { throw UnansweredQuestion(planning: planning) }
        return plan
    }
}

/// A plan that was expected needs an answer first.
struct UnansweredQuestion: Error { let planning: Planning }

extension Gravity {
    /// Every gravity that needs no pixels and no numbers.
    static let compasses = Compass.allCases.map(Gravity.compass)
}
