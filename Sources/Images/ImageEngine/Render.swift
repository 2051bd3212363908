package import Bytes
package import ImagePlan

extension ImageEngine {
    /// The image that `request` asks for of `sources`; `Stages.swift` lists what is done.
    ///
    /// Where `sources` have a master, the image is made from it, or `needsOriginal` is thrown: what an image is made from
    /// follows from the request and the source alone.
    ///
    /// `context` admits work before it begins: before the text of a drawing is counted and parsed; when the cost is known,
    /// before decoding (where planning has to look at pixels, first what that costs and then all of it); and once more before
    /// encoding, where the pixels tell that WebP is to be written without loss.
    ///
    /// Errors: those of `probe`, `plan` when the request does not fit the image, `corrupt` when the source breaks off, and
    /// `cancelled` after a stop. `shouldStop` is not asked inside the decoders of AVIF, HEIC and WebP, nor of a progressive
    /// JPEG that libvips reads (at full size, or in CMYK), a piece of a drawing, nor inside the AVIF encoder.
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

    /// What `render` of the same will cost, by the header: nothing is decoded. Where planning has to look at pixels, what that
    /// costs. `context` admits counting the text of drawings. Errors: those of `render` before decoding.
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

    /// What the header of `original` says; nothing is decoded. Throws `unsupportedFormat`, `corrupt`, or the limit that
    /// the header breaks.
    package static func probe(_ original: SharedBytes, limits: ImageLimits) throws(ImageError) -> ImageHeader {
        let source = try CompressedSVG.unpacked(original)
        defer { withExtendedLifetime(source) {} }
        return try Source(source, limits: limits).header
    }
}
