import Bytes
import ImagePlan

struct PlannedImage {
    let plan: ImagePlan
    let header: ImageHeader
    let sources: RenderSources
    let used: UsedSources
    let options: RenderOptions
    let analysis: AnalysisResults
    let analysisSteps: [StepReport]
    let analysisCost: PredictedCost?
    let overlayCost: PredictedCost?

    /// The plan; where a part stands for the original, as though that were all of it.
    private var priced: ImagePlan {
        guard let window = used.window else { return plan }
        return ImagePlan(
            source: window.rect.size, pages: plan.pages, omission: plan.omission, steps: plan.steps,
            output: PixelSize(widthPx: plan.outputWidthPx, heightPx: plan.outputHeightPx), encoding: plan.encoding)
    }

    /// The total cost. `writesExactWebP` is known only from pixels; `countsLooking`: with that of pixel queries.
    func cost(writesExactWebP: Bool? = nil, countsLooking: Bool = true) -> PredictedCost {
        let sampleCount = used.window?.planes?.samples.count ?? 0
        return priced.predictedCost(
            header, decoding: used.decodedHeader, inLinearLight: options.usesLinearLight,
            writesExactWebP: writesExactWebP
        ).following(countsLooking ? analysisCost : nil).following(overlayCost).holding(sources.byteCount + sampleCount)
    }
}

extension RenderSources {
    fileprivate var byteCount: Int { picture.count + (master?.count ?? 0) + overlays.reduce(0) { $0 + $1.count } }
}
