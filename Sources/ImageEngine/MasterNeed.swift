package import Bytes
import CVips
package import ImagePlan

extension ImageEngine {
    /// Whether a master of `source` would be worth making and `request` be answered from it, by the header alone; true also
    /// where that hangs on pixels, which are then looked at in the master. With it, what a picture is made from is the same
    /// whether or not its master is there already. Errors: those of `render`, up to planning.
    package static func wantsMaster(
        _ source: SharedBytes, request: ImageRequest, accepting: Acceptance, options: RenderOptions
    ) throws(ImageError) -> Bool {
        defer { withExtendedLifetime(source) {} }
        let opened = try Source(source, limits: options.limits)
        let traits = opened.traits
        guard Master.isWorthwhile(traits), opened.image.model == CVIPS_RGB || opened.image.model == CVIPS_GREY else {
            return false
        }
        let planning: Planning
        do {
            planning = try request.planning(for: traits, accepting: accepting, limits: options.frames)
        } catch {
            throw .plan(error)
        }
        guard case .plan(let plan) = planning else { return true }
        let levels = Master.sidesPx.map {
            Master.Level(size: masterSize(of: traits, side: $0), bytes: SharedBytes([]))
        }
        return Master(traits: traits, levels: levels).level(for: plan) != nil
    }
}
