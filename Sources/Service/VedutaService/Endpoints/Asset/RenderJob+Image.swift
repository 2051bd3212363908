import ImageEngine
import ImagePlan
import Renditions

// What a job decides, in the words of the engine.

extension RenderContext {
    init(_ job: RenderJob, limits: ImageLimits) {
        self.init(options: RenderOptions(limits: limits), admission: job.admission, shouldStop: job.shouldStop)
    }
}

extension RenderJob {
    /// What `ImageEngine` asks when it knows the cost.
    var admission: @Sendable (PredictedCost) -> Admission {
        { cost in
            switch admit(RenderCost(cost)) {
            case .goOn: .now
            case .startLater: .later
            case .tooCostly: .never
            }
        }
    }
}

extension RenderCost {
    init(_ cost: PredictedCost) {
        self.init(
            NeededWork(microseconds: cost.microseconds, byteCount: cost.byteCount), isLong: cost.isLong,
            isDrawing: cost.isDrawing, steps: cost.steps.map(\.name))
    }
}
