import Bytes
import ImagePlan
import Parameters

/// A small copy of the source, on which a target is looked for once: what reaches it there is where the search begins for
/// every size of the picture.
enum QualityReference {
    /// Where the search for `target` begins; from the memo where that knows. The same whatever was asked before.
    static func start(
        _ target: Double, _ format: OutputFormat, _ context: EncodingContext,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> QualityStart {
        // Another page, or another level of a master, may lead elsewhere.
        let decoded = context.traits
        let cause =
            "\(format.rawValue) \(target) \(context.settings.effort ?? 0) "
            + "\(decoded.format.rawValue) \(decoded.widthPx)x\(decoded.heightPx)"
        func find() throws(ImageError) -> QualityStart {
            do throws(ImageError) {
                return try found(target, format, context, shouldStop: shouldStop)
            } catch .cancelled {
                throw .cancelled
            } catch {
                // What cannot be made small can still be encoded: the search begins where most pictures end.
                return QualityStart(
                    quality: format.usualQuality(for: target), pixelCount: EncodingSearch.referencePixelCount)
            }
        }
        guard let memo = context.memo else { return try find() }
        return try memo.start(cause, find: find)
    }

    private static func found(
        _ target: Double, _ format: OutputFormat, _ context: EncodingContext,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> QualityStart {
        let usual = format.usualQuality(for: target)
        let image = try copy(of: context, format, shouldStop: shouldStop)
        let pixelCount = image.widthPx * image.heightPx
        guard let judge = try Judge(image, frames: nil, shouldStop: shouldStop) else {
            return QualityStart(quality: usual, pixelCount: pixelCount)
        }
        let search = QualitySearch(target: target, range: QualitySearch.allQualities)
        var settings = EncoderSettings()
        settings.effort = context.settings.effort
        let quality = try search.quality(from: usual) { quality throws(ImageError) in
            settings.quality = quality
            let content = try image.encoded(as: format, settings: settings, shouldStop: shouldStop)
            return try judge.score(of: content, format, shouldStop: shouldStop) ?? 100
        }
        return QualityStart(quality: quality, pixelCount: pixelCount)
    }

    /// The first page, at most `EncodingSearch.referencePixelCount` pixels of it, held in memory.
    private static func copy(
        of context: EncodingContext, _ format: OutputFormat, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        let traits = context.traits
        let ratio = (Double(EncodingSearch.referencePixelCount) / Double(max(1, traits.widthPx * traits.heightPx)))
            .squareRoot()
        let size = PixelSize(
            widthPx: max(1, Int(Double(traits.widthPx) * min(1, ratio))),
            heightPx: max(1, Int(Double(traits.heightPx) * min(1, ratio))))
        var shrink = 1
        if traits.format == .jpeg { while shrink < 8, ratio * Double(shrink) * 2 <= 1 { shrink *= 2 } }
        let loaded = try Source.load(
            context.source, traits.format, shrink: shrink, shouldStop: shouldStop
        ).readable()
        defer { withExtendedLifetime(context.source) {} }
        var image = try loaded.resampled(to: size, window: PixelRect(covering: size), shouldStop: shouldStop)
        image = try image.inOutputColors()
        if image.hasAlpha, !format.holdsAlpha { image = try image.flattened(on: .white) }
        return try image.evaluated(shouldStop: shouldStop)
    }
}

extension QualityStart {
    /// The quality to begin with for another size: larger pictures score less, by what this many steps make good.
    func quality(forPixelCount count: Int) -> Int {
        var (steps, size) = (0, pixelCount)
        while size <= count / 4, steps < 12 { (steps, size) = (steps + 2, size * 4) }
        return quality + steps
    }
}
