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
        do { return try Stages.run(order, opening: context, in: context) } catch { throw context.cause(of: error) }
    }

    /// The pixels of the first page of the PNG that `render` makes, for drawing. Throws as ``render(_:request:accepting:in:)``.
    package static func renderPixels(
        _ sources: RenderSources, request: ImageRequest, in context: RenderContext
    ) throws(ImageError) -> DecodedPixels {
        let order = RenderOrder(sources: sources, request: request, accepting: Acceptance(only: .png))
        do { return try Stages.draw(order, in: context) } catch { throw context.cause(of: error) }
    }

    /// The cost of the same `render` by the header; with `crop` by interest or `trim` that of looking at pixels alone, on which
    /// sizes depend. `countsMaster`: with that of the master that the image wants.
    package static func predictedCost(
        _ sources: RenderSources, request: ImageRequest, accepting: Acceptance, countsMaster: Bool = false,
        in context: RenderContext
    ) throws(ImageError) -> PredictedCost {
        // It is the same whatever was found before.
        var sources = sources
        sources.analysis = [:]
        var cost = try firstCost(sources, request: request, accepting: accepting, in: context)
        if let otherwise = request.placeWithoutPixels {
            // That was the price of looking for what is of interest; wherever it is, the rest costs the same.
            var placed = request
            placed.gravity = .compass(otherwise)
            cost = try firstCost(sources, request: placed, accepting: accepting, in: context).following(cost)
        }
        guard countsMaster else { return cost }
        return cost.following(
            try costOfWantedMaster(
                sources.picture, request: request, accepting: accepting, options: context.options))
    }

    /// Whether `predictedCost` reads no more than the header of a master, which is within the limits, and so nothing by a library.
    package static func pricesByMaster(_ sources: RenderSources, limits: ImageLimits) -> Bool {
        guard sources.overlays.isEmpty, let bytes = sources.master, let master = try? Master(bytes) else {
            return false
        }
        return (try? limits.check(master.header.size, isDecodedWhole: false)) != nil
    }

    /// What `render` asks for first.
    private static func firstCost(
        _ sources: RenderSources, request: ImageRequest, accepting: Acceptance, in context: RenderContext
    ) throws(ImageError) -> PredictedCost {
        var order = RenderOrder(sources: sources, request: request, accepting: accepting)
        var predicted: PredictedCost?
        var recording = context
        recording.admission = { cost in
            predicted = cost
            return .later
        }
        do throws(ImageError) {
            if sources.overlays.isEmpty, let header = try order.readMaster() {
                try recording.admit(order.plan(header, opening: context, in: recording).cost())
            } else {
                _ = try Stages.run(order, opening: context, in: recording)
            }
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
