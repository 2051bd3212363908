package import Bytes
package import ImagePlan

extension ImageEngine {
    /// With full chroma; losses are invisible at half the size.
    private static let masterQuality = 92

    /// Makes a master of `source` (`RenderSources.master`), with levels of 2,048, 1,024 and 512 pixels on the longer
    /// side; nil for small images, animations, alpha, 16 bits, CMYK, drawings. Memory: the largest level.
    package static func makeMaster(
        _ source: SharedBytes, in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        defer { withExtendedLifetime(source) {} }
        guard let opened = try worthMaster(source, limits: context.options.limits) else { return nil }
        let header = opened.header
        let sizes = Master.sidesPx.map { masterSize(of: header, side: $0) }
        let plan = ImagePlan(
            source: header.size, steps: [.resize(sizes[0])], output: sizes[0], encoding: Encoding(formats: [.png]))
        let first = try Decoding.resized(opened, source, plan, in: context)
        var image = first.image
        var levels: [Master.Level] = []
        for size in sizes {
            if size != image.size {
                image = try image.resampled(
                    to: size, window: PixelRect(covering: size), isLinear: context.options.usesLinearLight, in: context)
            }
            let settings = EncoderSettings(quality: masterQuality, profile: image.profileBytes)
            levels.append(
                Master.Level(size: size, bytes: try image.encoded(as: .jpeg, settings: settings, in: context)))
        }
        let map = try gainMap(of: source, header, beside: sizes[0], in: context)
        return Master(header: header, levels: levels, gainMap: map).encoded()
    }

    /// Nil where there is none, or it cannot be read.
    private static func gainMap(
        of source: SharedBytes, _ header: ImageHeader, beside level: PixelSize, in context: RenderContext
    ) throws(ImageError) -> SharedBytes? {
        guard header.gainMap != nil, let map = GainMapFile.find(in: source, limits: context.options.limits) else {
            return nil
        }
        let size = map.header.size
        let share = min(1, Double(max(level.widthPx, level.heightPx)) / Double(max(header.widthPx, header.heightPx)))
        do throws(ImageError) {
            return try map.reduced(to: size.scaled(by: share), quality: masterQuality, in: context)
        } catch .cancelled {
            throw .cancelled
        } catch {
            return nil
        }
    }

    /// The cost of a master of `source`; nil if it is not worth making or not sufficient for `request`. Decided by the
    /// header alone, so that the source of an image does not depend on whether its master exists yet.
    package static func costOfWantedMaster(
        _ source: SharedBytes, request: ImageRequest, accepting: Acceptance, options: RenderOptions
    ) throws(ImageError) -> PredictedCost? {
        defer { withExtendedLifetime(source) {} }
        guard let header = try worthMaster(source, limits: options.limits)?.header else { return nil }
        let planning: Planning
        do {
            planning = try request.planning(for: header, accepting: accepting, limits: options.results)
        } catch {
            throw .plan(error)
        }
        switch planning {
        case .plan(let plan):
            return Master.levelSize(for: plan, of: header) == nil ? nil : masterCost(header, options)
        // Borders are searched in the original, which is then at hand.
        case .ask(.trim): return nil
        case .ask(.focus): return masterCost(header, options)
        }
    }

    /// `source`, opened if it deserves a master. Drawings, which are costly to open, never do.
    private static func worthMaster(_ source: SharedBytes, limits: ImageLimits) throws(ImageError) -> Source? {
        guard sniff(source)?.isDrawing != true else { return nil }
        let opened = try Source(source, limits: limits)
        guard Master.isWorthwhile(opened.header, model: opened.image.model) else { return nil }
        return opened
    }

    private static func masterCost(_ header: ImageHeader, _ options: RenderOptions) -> PredictedCost {
        var steps: [PredictedCost.Step] = []
        var above = header.size
        for side in Master.sidesPx {
            let size = masterSize(of: header, side: side)
            let plan = ImagePlan(
                source: above, steps: [.resize(size)], output: size, encoding: Encoding(formats: [.jpeg]))
            var level = ImageHeader(format: header.format, widthPx: above.widthPx, heightPx: above.heightPx)
            level.heldScanCount = header.heldScanCount
            (level.unpackedByteCount, level.heldByteCount) = (header.unpackedByteCount, header.heldByteCount)
            level.partPixelCount = header.partPixelCount
            // Only the first level is decoded, its first step; the others are made from the pixels of the one above.
            steps += plan.predictedCost(level, inLinearLight: options.usesLinearLight).steps.dropFirst(
                above == header.size ? 0 : 1)
            above = size
        }
        if let map = header.gainMap { steps += PredictedCost.conveying(map, at: map.size).steps }
        return PredictedCost(steps: steps, frameCount: 1)
    }

    static func masterSize(of header: ImageHeader, side: Int) -> PixelSize {
        header.size.scaled(by: Double(side) / Double(max(header.widthPx, header.heightPx)))
    }
}
