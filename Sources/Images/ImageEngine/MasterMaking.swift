package import Bytes
import CVips
import ImagePlan

extension ImageEngine {
    /// The JPEG quality of the levels: chroma is as large as luma, and what is lost is not seen at half the size.
    private static let masterQuality = 92

    /// A reduced master of `source`, from which `render` makes pictures of at most half its size (`RenderSources.master`);
    /// nil where it is not worth it: small pictures, animations, alpha, 16 bits, CMYK, drawings.
    ///
    /// Levels of 2,048, 1,024 and 512 pixels on the longer side, each from the one above. The same source gives the same
    /// bytes. Errors: those of `render`. Memory: the largest level.
    package static func makeMaster(
        _ source: SharedBytes, options: RenderOptions, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> SharedBytes? {
        defer { withExtendedLifetime(source) {} }
        // No drawing has one.
        guard sniff(source)?.isDrawing != true else { return nil }
        let opened = try Source(source, limits: options.limits)
        let traits = opened.traits
        guard Master.isWorthwhile(traits, model: opened.image.model) else { return nil }
        let sizes = Master.sidesPx.map { masterSize(of: traits, side: $0) }
        let plan = ImagePlan(
            source: PixelSize(widthPx: traits.widthPx, heightPx: traits.heightPx), steps: [.resize(sizes[0])],
            output: sizes[0], encoding: Encoding(formats: [.png]))
        let first = try Decoding.resized(opened, source, plan, options: options, shouldStop: shouldStop)
        var image = first.image
        var levels: [Master.Level] = []
        for size in sizes {
            if size != image.size {
                image = try image.resampled(
                    to: size, window: PixelRect(covering: size), isLinear: options.usesLinearLight,
                    shouldStop: shouldStop)
            }
            let settings = EncoderSettings(quality: masterQuality, profile: image.profileBytes)
            let bytes = try image.encoded(as: .jpeg, settings: settings, shouldStop: shouldStop)
            levels.append(Master.Level(size: size, bytes: bytes))
        }
        return Master(traits: traits, levels: levels).encoded()
    }

    /// What making a master of an original with these traits costs.
    static func masterCost(_ traits: SourceTraits, _ options: RenderOptions) -> PredictedCost {
        let whole = PixelSize(widthPx: traits.widthPx, heightPx: traits.heightPx)
        var steps: [PredictedCost.Step] = []
        var above = whole
        for side in Master.sidesPx {
            let size = masterSize(of: traits, side: side)
            let plan = ImagePlan(
                source: above, steps: [.resize(size)], output: size, encoding: Encoding(formats: [.jpeg]))
            var level = SourceTraits(format: traits.format, widthPx: above.widthPx, heightPx: above.heightPx)
            level.heldScanCount = traits.heldScanCount
            // Only the first is decoded, which is the first step; the others are made from the pixels of the one above.
            steps += plan.predictedCost(level, inLinearLight: options.usesLinearLight).steps.dropFirst(
                above == whole ? 0 : 1)
            above = size
        }
        return PredictedCost(steps: steps, frameCount: 1)
    }

    static func masterSize(of traits: SourceTraits, side: Int) -> PixelSize {
        let scale = Double(side) / Double(max(traits.widthPx, traits.heightPx))
        func scaled(_ count: Int) -> Int { max(1, Int((Double(count) * scale).rounded())) }
        return PixelSize(widthPx: scaled(traits.widthPx), heightPx: scaled(traits.heightPx))
    }
}

/// What a picture is made from.
struct UsedSources {
    /// With one of the levels in the place of the original, where a master is used.
    let sources: RenderSources
    /// Samples of it per pixel of the original.
    let scale: GridScale
    /// What the level is; nil where it is the original.
    let traits: SourceTraits?
}

extension RenderSources {
    /// The master, where there is one.
    func readMaster() throws(ImageError) -> Master? {
        guard let master else { return nil }
        return try Master(master)
    }

    /// What `plan` is carried out on. Throws `needsOriginal` where there is a master and it does not do.
    func used(for plan: ImagePlan, by master: Master?) throws(ImageError) -> UsedSources {
        guard let master else { return UsedSources(sources: self, scale: .one, traits: nil) }
        guard let level = master.level(for: plan) else { throw .needsOriginal }
        var sources = self
        sources.picture = level.bytes
        let traits = SourceTraits(format: .jpeg, widthPx: level.size.widthPx, heightPx: level.size.heightPx)
        return UsedSources(sources: sources, scale: master.scale(level), traits: traits)
    }
}
