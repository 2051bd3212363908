package import ImagePlan

extension ImageEngine {
    /// The images of `requests`, which name their formats and differ in their encoding alone: decoded and resized once where
    /// their pixels are the same. Each is the image that `render` gives, byte by byte.
    ///
    /// `context` admits the cost of all so far. Memory: that of `render`, the decoded image, and all encodings.
    package static func renderEncodings(
        _ sources: RenderSources, requests: [ImageRequest], in context: RenderContext
    ) -> [Result<RenderedImage, ImageError>] {
        var images: [Result<RenderedImage, ImageError>] = []
        var (left, spent) = (requests[...], PredictedCost?.none)
        // One pass for the first that is left and for all with its pixels.
        while let first = left.first {
            let pass = EncodingPass(sources, context, after: spent)
            images += pass.run(first, left.dropFirst())
            spent = pass.spent
            left = requests[images.count...]
        }
        return images
    }
}

/// Encodes the pixels of one request for those after it.
private final class EncodingPass {
    private let sources: RenderSources
    private let context: RenderContext
    private(set) var spent: PredictedCost?

    init(_ sources: RenderSources, _ context: RenderContext, after spent: PredictedCost?) {
        (self.sources, self.context, self.spent) = (sources, context, spent)
    }

    /// The image of `first` and those after it up to one with other pixels.
    func run(_ first: ImageRequest, _ others: ArraySlice<ImageRequest>) -> [Result<RenderedImage, ImageError>] {
        var images: [Result<RenderedImage, ImageError>] = []
        do throws(ImageError) {
            var watch = StageWatch()
            var opened = try Opened(first, sources, counted)
            watch.open = watch.lap()
            let pixels = try opened.pipeline.run(Stages.pixels).evaluated(in: context)
            watch.decode = watch.lap()
            images.append(encode(pixels, opened, &watch))
            for request in others {
                try context.checkStop()
                var watch = StageWatch()
                var other = try Opened(request, sources, counted)
                guard other.pipeline.gives(pixels, of: opened.pipeline) else { break }
                other.pipeline.report(asIn: opened.pipeline)
                watch.open = watch.lap()
                images.append(encode(pixels, other, &watch))
            }
        } catch {
            images.append(.failure(context.cause(of: error)))
        }
        return images
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

    /// Admits what was admitted before and the new cost.
    private var counted: RenderContext {
        var counted = context
        counted.admission = { [self, earlier = spent] cost in
            let all = cost.following(earlier)
            let admission = context.admission(all)
            if admission == .now { spent = all }
            return admission
        }
        return counted
    }

    /// The first stages of `Stages.run`, up to decoding.
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
            try context.admit(planned.cost())
            pipeline = Pipeline(planned, source, isNamed: true, in: context)
            (self.context, self.order, self.planned) = (context, order, planned)
        }
    }
}
