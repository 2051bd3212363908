package import ImagePlan

extension ImageEngine {
    /// The images of `requests`, which name their formats and differ in their encoding alone: decoded and resized once where
    /// their pixels are the same. Each is the image that `render` gives, byte by byte.
    ///
    /// What the plan asks of pixels is looked for once. `context` admits the cost of all so far. Memory: that of `render`, the resized image, and all encodings.
    package static func renderEncodings(
        _ sources: RenderSources, requests: [ImageRequest], in context: RenderContext
    ) -> [Result<RenderedImage, ImageError>] {
        var images: [Int: Result<RenderedImage, ImageError>] = [:]
        var (sources, spent) = (sources, nil as PredictedCost?)
        while images.count < requests.count {
            let pass = EncodingPass(sources, context, after: spent)
            images.merge(pass.run(requests.enumerated().filter { images[$0.offset] == nil })) { old, _ in old }
            (sources, spent) = (pass.sources, pass.spent)
        }
        return requests.indices.compactMap { images[$0] }
    }
}

/// Encodes the pixels of one request for all that have the same.
private final class EncodingPass {
    /// With what was found in their pixels.
    private(set) var sources: RenderSources
    private let context: RenderContext
    /// What was admitted so far.
    private(set) var spent: PredictedCost?

    init(_ sources: RenderSources, _ context: RenderContext, after spent: PredictedCost?) {
        (self.sources, self.context, self.spent) = (sources, context, spent)
    }

    /// The images of the first request and of those after it with the same pixels, by their places: at least one.
    func run(_ requests: [(offset: Int, element: ImageRequest)]) -> [Int: Result<RenderedImage, ImageError>] {
        guard let (place, request) = requests.first else { return [:] }
        do throws(ImageError) {
            try context.checkStop()
            var watch = StageWatch()
            var first = try Opened(request, sources, counted())
            sources.analysis.merge(first.planned.analysis) { $1 }
            try first.context.admit(first.planned.cost())
            watch.open = watch.lap()
            let pixels = try first.pipeline.run(Stages.pixels).evaluated(in: context)
            watch.decode = watch.lap()
            var images = [place: encode(pixels, first, &watch)]
            for (place, request) in requests.dropFirst() { images[place] = encode(pixels, of: first, as: request) }
            return images
        } catch {
            return [place: .failure(context.cause(of: error))]
        }
    }

    /// nil where `request` asks for other pixels than `first`.
    private func encode(
        _ pixels: borrowing VipsImage, of first: borrowing Opened, as request: ImageRequest
    ) -> Result<RenderedImage, ImageError>? {
        do throws(ImageError) {
            try context.checkStop()
            var watch = StageWatch()
            var other = try Opened(request, sources, counted(beyond: first.planned.cost(countsLooking: false)))
            guard other.pipeline.gives(pixels, of: first.pipeline) else { return nil }
            try other.context.admit(other.planned.cost())
            other.pipeline.report(asIn: first.pipeline)
            watch.open = watch.lap()
            return encode(pixels, other, &watch)
        } catch {
            return .failure(context.cause(of: error))
        }
    }

    private func encode(
        _ pixels: borrowing VipsImage, _ opened: borrowing Opened, _ watch: inout StageWatch
    ) -> Result<RenderedImage, ImageError> {
        do throws(ImageError) {
            let image = try pixels.extracting(PixelRect(covering: pixels.size))
            return .success(
                try opened.order.encode(image, opened.planned, opened.pipeline, watch: &watch, in: opened.context))
        } catch {
            return .failure(context.cause(of: error))
        }
    }

    /// Admits the cost beyond that of decoding `shared`, and all that was admitted before.
    private func counted(beyond shared: PredictedCost? = nil) -> RenderContext {
        var counted = context
        counted.admission = { [self, earlier = spent] cost in
            let all = (shared.map { cost.beyond($0) } ?? cost).following(earlier)
            let admission = context.admission(all)
            if admission == .now { spent = all }
            return admission
        }
        return counted
    }

    /// The stages of `Stages.run` up to the admission.
    private struct Opened: ~Copyable {
        let context: RenderContext
        let order: RenderOrder
        let planned: PlannedImage
        var pipeline: Pipeline

        init(_ request: ImageRequest, _ sources: RenderSources, _ context: RenderContext) throws(ImageError) {
            var order = RenderOrder(
                sources: sources, request: request, accepting: Acceptance(only: request.format ?? .png))
            let source = try order.open(in: context)
            let planned = try order.plan(source.header, opening: context, in: context)
            pipeline = Pipeline(planned, source, isNamed: true, in: context)
            (self.context, self.order, self.planned) = (context, order, planned)
        }
    }
}
