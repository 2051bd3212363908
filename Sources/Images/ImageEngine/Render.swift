package import Bytes
package import ImagePlan

extension ImageEngine {
    /// The image that `request` asks for; `Stages.swift` lists the steps. With a master in `sources` the image is made
    /// from it, or `needsOriginal` is thrown: the request and the source alone decide which.
    ///
    /// `context` admits work up to three times: before the text of a drawing is counted and parsed; before decoding
    /// (and before that, pixel queries); and before encoding if the pixels call for lossless WebP.
    ///
    /// Throws the errors of `probe`, `plan`, `corrupt` for truncated sources, and `cancelled` after a stop. Not
    /// stoppable: the decoders of AVIF, HEIC, WebP and of a progressive JPEG that libvips reads (at full size, or in
    /// CMYK), a piece of a drawing, and the AVIF encoder.
    package static func render(
        _ sources: RenderSources, request: ImageRequest, accepting: Acceptance, in context: RenderContext
    ) throws(ImageError) -> RenderedImage {
        let order = RenderOrder(sources: sources, request: request, accepting: accepting)
        do {
            return try Stages.run(order, opening: context, in: context)
        } catch {
            throw context.cause(of: error)
        }
    }

    /// The cost of the same `render` by the header, or that of looking at pixels if planning has to.
    package static func predictedCost(
        _ sources: RenderSources, request: ImageRequest, accepting: Acceptance, in context: RenderContext
    ) throws(ImageError) -> PredictedCost {
        let order = RenderOrder(sources: sources, request: request, accepting: accepting)
        var predicted: PredictedCost?
        var recording = context
        recording.admission = { cost in
            predicted = cost
            return .later
        }
        do throws(ImageError) {
            _ = try Stages.run(order, opening: context, in: recording)
        } catch {
            guard error == .cancelled, predicted != nil else { throw context.cause(of: error) }
        }
        return predicted ?? PredictedCost(steps: [], frameCount: 1)
    }

    /// Reads the header of `original` without decoding. Throws `unsupportedFormat`, `corrupt`, or a limit.
    package static func probe(_ original: SharedBytes, limits: ImageLimits) throws(ImageError) -> ImageHeader {
        let source = try CompressedSVG.unpacked(original)
        defer { withExtendedLifetime(source) {} }
        return try Source(source, limits: limits).header
    }
}
