package import Bytes
package import ImageEngine
package import ImagePlan
package import Sandbox

/// The functions of `ImageEngine`, in this process or in sandboxed ones, as `--isolation` and the source say.
package struct ImageProcessor: Sendable {
    private let workers: ImageWorkers?
    private let isolation: Isolation

    /// Everything in this process.
    package static let here = ImageProcessor(nil, .off)

    package init(_ workers: ImageWorkers?, _ isolation: Isolation) {
        (self.workers, self.isolation) = (workers, isolation)
    }

    /// The one for these sources. Drawings are trusted from nobody.
    package func chosen(for sources: RenderSources, isTrusted: Bool) -> ImageProcessor {
        switch isolation {
        case .all: self
        case .off: .here
        case .untrusted:
            isTrusted && !([sources.picture] + sources.overlays).contains(where: Self.isDrawing) ? .here : self
        }
    }

    /// Whether sources go to another process, whatever is in them.
    package func isApart(isTrusted: Bool) -> Bool { isolation == .all || isolation == .untrusted && !isTrusted }

    private static func isDrawing(_ source: SharedBytes) -> Bool {
        ImageEngine.announcedFormat(source)?.isDrawing ?? false
    }

    // MARK: Operations

    package func render(
        _ sources: RenderSources, request: ImageRequest, accepting acceptance: Acceptance, in context: RenderContext
    ) throws(ImageError) -> RenderedImage {
        let task = ImageTask(.render, context.options, request: request, accepting: acceptance)
        let (reply, content) = try run(task, sources, context)
        guard case .image(let facts) = reply, let image = facts.image(content) else { throw .strange }
        return image
    }

    package func renderPixels(
        _ sources: RenderSources, request: ImageRequest, in context: RenderContext
    ) throws(ImageError) -> DecodedPixels {
        try pixels(ImageTask(.renderPixels, context.options, request: request), sources, context)
    }

    /// `requests` has at least one.
    package func renderEncodings(
        _ sources: RenderSources, requests: [ImageRequest], in context: RenderContext
    ) throws(ImageError) -> [Result<RenderedImage, ImageError>] {
        let (reply, content) = try run(ImageTask(encodings: requests, context.options), sources, context)
        guard case .images(let outcomes) = reply, outcomes.count == requests.count else { throw .strange }
        return try Self.images(outcomes, in: content)
    }

    /// `content` has the images one after the other.
    static func images(
        _ outcomes: [ImageOutcome], in content: SharedBytes
    ) throws(ImageError) -> [Result<RenderedImage, ImageError>] {
        var (images, start): ([Result<RenderedImage, ImageError>], Int) = ([], 0)
        for outcome in outcomes {
            switch outcome {
            case .failure(let error): images.append(.failure(error))
            case .image(let facts, let byteCount):
                // Told by another process, which may say anything.
                guard byteCount > 0, byteCount <= content.count - start else { throw .strange }
                let bytes = content.slice(start..<start + byteCount).array
                guard let image = facts.image(SharedBytes(bytes)) else { throw .strange }
                images.append(.success(image))
                start += byteCount
            }
        }
        return images
    }

    /// See ``ImageEngine/predictedCost(_:request:accepting:countsMaster:in:)``. That of a master takes no other process.
    package func predictedCost(
        _ sources: RenderSources, request: ImageRequest, accepting acceptance: Acceptance, countsMaster: Bool = false,
        in context: RenderContext
    ) throws(ImageError) -> PredictedCost {
        if workers != nil, ImageEngine.pricesByMaster(sources, limits: context.options.limits) {
            return try ImageEngine.predictedCost(
                sources, request: request, accepting: acceptance, countsMaster: countsMaster, in: context)
        }
        let task = ImageTask(
            .predictedCost(countsMaster: countsMaster), context.options, request: request, accepting: acceptance)
        guard case .cost(let cost) = try run(task, sources, context).reply else { throw .strange }
        return cost
    }

    package func costOfWantedMaster(
        _ source: SharedBytes, request: ImageRequest, accepting acceptance: Acceptance, in context: RenderContext
    ) throws(ImageError) -> PredictedCost? {
        let task = ImageTask(.costOfWantedMaster, context.options, request: request, accepting: acceptance)
        switch try run(task, RenderSources(source), context).reply {
        case .cost(let cost): return cost
        case .nothing: return nil
        default: throw .strange
        }
    }

    package func makeMaster(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        try made(.makeMaster, of: source, context)
    }

    package func makeRegionCopy(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        try made(.makeRegionCopy, of: source, context)
    }

    package func makeRegionPlanes(
        _ source: SharedBytes, sizes: [Int], in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        try made(.makeRegionPlanes(sizes: sizes), of: source, context)
    }

    private func made(
        _ operation: ImageTask.Operation, of source: SharedBytes, _ context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        let (reply, content) = try run(ImageTask(operation, context.options), RenderSources(source), context)
        switch reply {
        case .bytes: return content
        case .nothing: return nil
        default: throw .strange
        }
    }

    package func describe(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> ImageDescription {
        let task = ImageTask(.describe, context.options)
        guard case .description(let description) = try run(task, RenderSources(source), context).reply else {
            throw .strange
        }
        return description
    }

    package func describePages(
        _ source: SharedBytes, after: Int, limit: Int, in context: RenderContext
    ) throws(PageListError) -> PageList {
        let task = ImageTask(.describePages(after: after, limit: limit), context.options)
        let reply: ImageReply
        do throws(ImageError) {
            reply = try run(task, RenderSources(source), context).reply
        } catch {
            throw PageListError(error: error, page: nil)
        }
        switch reply {
        case .pages(let pages): return pages
        case .pageFailure(let error): throw error
        default: throw PageListError(error: .strange, page: nil)
        }
    }

    package func pixels(of source: SharedBytes, in context: RenderContext) throws(ImageError) -> DecodedPixels {
        try pixels(ImageTask(.pixels, context.options), RenderSources(source), context)
    }

    private func pixels(
        _ task: ImageTask, _ sources: RenderSources, _ context: RenderContext
    ) throws(ImageError) -> DecodedPixels {
        let (reply, content) = try run(task, sources, context)
        guard case .pixels(let size, let analysis) = reply,
            var pixels = DecodedPixels(widthPx: size.widthPx, heightPx: size.heightPx, rgba: content)
        else { throw .strange }
        pixels.analysis = analysis
        return pixels
    }

    private func run(
        _ task: ImageTask, _ sources: RenderSources, _ context: RenderContext
    ) throws(ImageError) -> (reply: ImageReply, content: SharedBytes) {
        let result: (reply: ImageReply, content: SharedBytes)
        if let workers {
            result = try workers.run(task, sources, context)
        } else {
            result = task.perform(sources, in: context)
        }
        if case .failure(let error) = result.reply { throw error }
        return result
    }
}
