package import Bytes
import CVips
package import ImagePlan

extension ImageEngine {
    /// What making a master of `source` will cost, if it is worth making and `request` be answered from it, by the header
    /// alone; also where that hangs on pixels, which are then looked at in the master. nil: none is wanted. With it, what a
    /// picture is made from is the same whether or not its master is there already. Errors: those of `render`, up to planning.
    package static func costOfWantedMaster(
        _ source: SharedBytes, request: ImageRequest, accepting: Acceptance, options: RenderOptions
    ) throws(ImageError) -> PredictedCost? {
        defer { withExtendedLifetime(source) {} }
        // No drawing has one.
        guard sniff(source)?.isDrawing != true else { return nil }
        let opened = try Source(source, limits: options.limits)
        let traits = opened.traits
        guard Master.isWorthwhile(traits, model: opened.image.model) else { return nil }
        let planning: Planning
        do {
            planning = try request.planning(for: traits, accepting: accepting, limits: options.frames)
        } catch {
            throw .plan(error)
        }
        let plan: ImagePlan
        switch planning {
        case .plan(let known): plan = known
        // Borders are looked for in the original, and what has been looked at is at hand.
        case .ask(.trim): return nil
        case .ask(.focus): return masterCost(traits, options)
        }
        let levels = Master.sidesPx.map {
            Master.Level(size: masterSize(of: traits, side: $0), bytes: SharedBytes([]))
        }
        return Master(traits: traits, levels: levels).level(for: plan) == nil ? nil : masterCost(traits, options)
    }
}
