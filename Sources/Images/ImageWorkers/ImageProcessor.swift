package import Bytes
package import ImageEngine
package import ImagePlan
package import Sandbox

/// `ImageEngine`, in this process or in sandboxed ones, as `--isolation` and the source say.
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

    package func render(
        _ sources: RenderSources, request: ImageRequest, accepting acceptance: Acceptance, in context: RenderContext
    ) throws(ImageError) -> RenderedImage {
        guard let workers else {
            return try ImageEngine.render(sources, request: request, accepting: acceptance, in: context)
        }
        return try workers.render(sources, request: request, accepting: acceptance, in: context)
    }

    /// See ``ImageEngine/renderPixels(_:request:in:)``.
    package func renderPixels(
        _ sources: RenderSources, request: ImageRequest, in context: RenderContext
    ) throws(ImageError) -> DecodedPixels {
        guard let workers else { return try ImageEngine.renderPixels(sources, request: request, in: context) }
        return try workers.renderPixels(sources, request: request, in: context)
    }

    /// `requests` has at least one; see ``ImageEngine/renderEncodings``.
    package func renderEncodings(
        _ sources: RenderSources, requests: [ImageRequest], in context: RenderContext
    ) throws(ImageError) -> [Result<RenderedImage, ImageError>] {
        guard let workers else { return ImageEngine.renderEncodings(sources, requests: requests, in: context) }
        return try workers.renderEncodings(sources, requests: requests, in: context)
    }

    /// See ``ImageEngine/predictedCost(_:request:accepting:countsMaster:in:)``. That of a master takes no other process.
    package func predictedCost(
        _ sources: RenderSources, request: ImageRequest, accepting acceptance: Acceptance, countsMaster: Bool = false,
        in context: RenderContext
    ) throws(ImageError) -> PredictedCost {
        guard let workers, !ImageEngine.pricesByMaster(sources, limits: context.options.limits) else {
            return try ImageEngine.predictedCost(
                sources, request: request, accepting: acceptance, countsMaster: countsMaster, in: context)
        }
        return try workers.predictedCost(
            sources, request: request, accepting: acceptance, countsMaster: countsMaster, in: context)
    }

    package func costOfWantedMaster(
        _ source: SharedBytes, request: ImageRequest, accepting acceptance: Acceptance, in context: RenderContext
    ) throws(ImageError) -> PredictedCost? {
        guard let workers else {
            return try ImageEngine.costOfWantedMaster(
                source, request: request, accepting: acceptance, options: context.options)
        }
        return try workers.costOfWantedMaster(source, request: request, accepting: acceptance, in: context)
    }

    package func makeMaster(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        guard let workers else { return try ImageEngine.makeMaster(source, in: context) }
        return try workers.makeMaster(source, in: context)
    }

    package func makeRegionCopy(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        guard let workers else { return try ImageEngine.makeRegionCopy(source, in: context) }
        return try workers.makeRegionCopy(source, in: context)
    }

    package func makeRegionPlanes(
        _ source: SharedBytes, sizes: [Int], in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        guard let workers else { return try ImageEngine.makeRegionPlanes(source, sizes: sizes, in: context) }
        return try workers.makeRegionPlanes(source, sizes: sizes, in: context)
    }

    package func describe(_ source: SharedBytes, in context: RenderContext) throws(ImageError) -> ImageDescription {
        guard let workers else { return try ImageEngine.describe(source, in: context) }
        return try workers.describe(source, in: context)
    }

    package func describePages(
        _ source: SharedBytes, after: Int, limit: Int, in context: RenderContext
    ) throws(PageListError) -> PageList {
        guard let workers else {
            return try ImageEngine.describePages(source, after: after, limit: limit, in: context)
        }
        return try workers.describePages(source, after: after, limit: limit, in: context)
    }

    package func pixels(of source: SharedBytes, in context: RenderContext) throws(ImageError) -> DecodedPixels {
        guard let workers else { return try ImageEngine.pixels(of: source, in: context) }
        return try workers.pixels(of: source, in: context)
    }
}
