import ClientBudgets
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Renditions
import ResponseCache

extension AssetEndpoint {
    /// Has the images that the answer to `request` lists made ahead. The value of `Veduta-Prepare`: `queued` or `full`; nil where
    /// nothing is to be made: for HEAD, with `prepare=off`, or where it would not be kept.
    func prepare(
        _ asked: SrcsetRequest, for request: RenditionRequest, by renditions: RenditionService, bill: WorkBill?
    ) -> String? {
        guard asked.options.isPreparing, request.request.head.method == .get, renditions.isKeeping,
            request.decision.storage == .all
        else { return nil }
        // Until it ends it holds neither the request nor its connection.
        let preparation = Preparation(
            of: request.rendition, count: asked.outputs.count, limits: request.limits, client: request.client,
            bill: bill, since: renditions.cache.tiers.ledger.epoch, groups: { [self] in groups(of: asked) })
        return renditions.prepare(preparation) ? "queued" : "full"
    }

    /// The images that `asked` lists, as `/asset` has them: all formats of a width are made of one decoded image.
    private func groups(of asked: SrcsetRequest) -> [Preparation.Group] {
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
