import HTTPMessage
import ImageEngine
import ImagePlan
import Renditions
import ResponseCache

extension AssetEndpoint {
    /// The images that `asked` lists, as `/asset` has them: all formats of a width are made of one decoded image.
    func groups(of asked: SrcsetRequest) -> [Preparation.Group] {
        asked.options.widthsPx.indices.map { index in
            let outputs = stride(from: index, to: asked.outputs.count, by: asked.options.widthsPx.count)
                .map { asked.outputs[$0] }
            let renditions = outputs.map { imageRendition(of: $0.request, accepting: Acceptance(only: $0.format)) }
            let makers = outputs.map { renderer(of: $0.request, Acceptance(only: $0.format)) }
            return Preparation.Group(renditions) { job, indices in
                let requests = indices.map { outputs[$0].request }
                do throws(RenditionError) {
                    guard let first = indices.first else { return Preparation.Made([], isLast: false) }
                    let made = try makers[first].makeEncodings(requests, job)
                    return Preparation.Made(
                        zip(requests, made).map { request, made in made.map { $0.content(for: request) } },
                        isLast: made.contains { ((try? $0.get())?.picture).map(Self.isWhole) ?? false }
                            && !requests.contains(where: \.mayEnlarge))
                } catch {
                    return Preparation.Made(requests.map { _ in .failure(error) }, isLast: false)
                }
            }
        }
    }

    /// Whether a wider request would give the same image, as none is enlarged.
    private static func isWhole(_ picture: RenderedImage) -> Bool {
        picture.report.plan.resized.widthPx >= picture.report.plan.extract.widthPx
    }
}

/// Asks for the images of one answer to be made ahead.
struct SrcsetPreparation: Sendable {
    static let field: FieldName = "Veduta-Prepare"

    let groups: [Preparation.Group]
    let context: RequestContext

    /// nil where nothing is to be made: for HEAD, with `prepare=off`, or where it would not be kept.
    init?(_ asked: SrcsetRequest, _ assets: AssetEndpoint, _ request: RenditionRequest, _ context: RequestContext) {
        let decision = RenditionDecision(request.directives, request.policy)
        guard asked.options.isPreparing, context.head.method == .get, context.service.renditions.isKeeping,
            decision.storage == .all
        else { return nil }
        (groups, self.context) = (assets.groups(of: asked), context)
    }

    /// `queued` or `full`: the value of the field of the answer.
    func queue(_ rendition: Rendition) -> String {
        let renditions = context.service.renditions
        let isQueued = renditions.prepare(
            Preparation(
                rendition.name, groups, limits: context.lines.limits, client: context.client,
                bill: context.service.budgets.bill(context.admission, context.policy),
                since: renditions.cache.tiers.ledger.epoch))
        return isQueued ? "queued" : "full"
    }
}
