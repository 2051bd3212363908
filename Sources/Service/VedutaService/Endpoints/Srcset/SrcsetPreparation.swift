import ImageEngine
import ImagePlan
import Renditions
import ResponseCache

/// Has the images that one answer of `/srcset` lists made ahead.
struct SrcsetPreparation: Sendable {
    static let field: StaticString = "Veduta-Prepare"

    let asked: SrcsetRequest
    let assets: AssetEndpoint
    let context: RequestContext

    /// The value of the field: `queued` or `full`. nil where nothing is to be made: for HEAD, with `prepare=off`, or where it would
    /// not be kept.
    func queue(for request: RenditionRequest) -> String? {
        let renditions = context.service.renditions
        guard asked.options.isPreparing, context.head.method == .get, renditions.isKeeping,
            request.decision.storage == .all
        else { return nil }
        // Until it ends it holds neither the request nor its connection.
        let preparation = Preparation(
            of: request.rendition, count: asked.outputs.count, limits: context.lines.limits, client: context.client,
            bill: context.service.budgets.bill(context.admission, context.policy),
            since: renditions.cache.tiers.ledger.epoch, groups: { [asked, assets] in assets.groups(of: asked) })
        return renditions.prepare(preparation) ? "queued" : "full"
    }
}

extension AssetEndpoint {
    /// The images that `asked` lists, as `/asset` has them: all formats of a width are made of one decoded image.
    fileprivate func groups(of asked: SrcsetRequest) -> [Preparation.Group] {
        let widthCount = asked.options.widthsPx.count
        return (0..<widthCount).map { index in
            group(stride(from: index, to: asked.outputs.count, by: widthCount).map { asked.outputs[$0] })
        }
    }

    private func group(_ outputs: [SrcsetRequest.Output]) -> Preparation.Group {
        let renditions = outputs.map { imageRendition(of: $0.request, accepting: Acceptance(only: $0.format)) }
        return Preparation.Group(renditions) { job, indices in
            let wanted = indices.map { outputs[$0] }
            guard let first = wanted.first else { return Preparation.Made([], isLast: false) }
            let made: [Result<AssetRenderer.Made, RenditionError>]
            do throws(RenditionError) {
                made = try renderer(of: first.request, Acceptance(only: first.format))
                    .makeEncodings(wanted.map(\.request), job)
            } catch {
                return Preparation.Made(wanted.map { _ in .failure(error) }, isLast: false)
            }
            return Preparation.Made(
                zip(wanted, made).map { output, made in made.map { $0.content(for: output.request) } },
                isLast: made.contains { (try? $0.get())?.picture.isWhole == true }
                    && !wanted.contains(where: \.request.mayEnlarge))
        }
    }
}

extension RenderedImage {
    /// Whether a wider request would give the same image, as none is enlarged.
    fileprivate var isWhole: Bool { report.plan.resized.widthPx >= report.plan.extract.widthPx }
}
