import Colors
import ImagePlan

/// A small copy of the source. The quality that reaches a target there is the start of the search for every size.
enum QualityReference {
    /// The start of the search for `target`, from the memo if known; the same in either case.
    static func start(
        _ target: Double, _ format: OutputFormat, _ context: EncodingContext
    ) throws(ImageError) -> QualityStart {
        // Another page, or another level of a master, may give another result.
        let header = context.header
        let cause =
            "\(format.rawValue) \(target) \(context.settings.effort ?? 0) "
            + "\(header.format.rawValue) \(header.widthPx)x\(header.heightPx)"
        func find() throws(ImageError) -> QualityStart {
            do throws(ImageError) {
                return try found(target, format, context)
            } catch .cancelled {
                throw .cancelled
            } catch {
                // A source that cannot be reduced can still be encoded: start where most images end.
                return QualityStart(
                    quality: format.usualQuality(for: target), pixelCount: EncodingSearch.referencePixelCount)
            }
        }
        guard let memo = context.memo else { return try find() }
        return try memo.start(cause, find: find)
    }

    private static func found(
        _ target: Double, _ format: OutputFormat, _ context: EncodingContext
    ) throws(ImageError) -> QualityStart {
        let usual = format.usualQuality(for: target)
        let image = try copy(of: context, format)
        let pixelCount = image.widthPx * image.heightPx
        guard let scorer = try Scorer(image, frames: nil, in: context.render) else {
            return QualityStart(quality: usual, pixelCount: pixelCount)
        }
        let search = QualitySearch(target: target, range: QualitySearch.allQualities)
        var settings = EncoderSettings(effort: context.settings.effort)
        let quality = try search.quality(from: usual) { quality throws(ImageError) in
            settings.quality = quality
            let content = try image.encoded(as: format, settings: settings, in: context.render)
            return try scorer.score(of: content, format, in: context.render) ?? 100
        }
        return QualityStart(quality: quality, pixelCount: pixelCount)
    }

    /// The first page in memory, at most `EncodingSearch.referencePixelCount` pixels.
    private static func copy(of context: EncodingContext, _ format: OutputFormat) throws(ImageError) -> VipsImage {
        let header = context.header
        let ratio = (Double(EncodingSearch.referencePixelCount) / Double(max(1, header.widthPx * header.heightPx)))
            .squareRoot()
        let size = PixelSize(
            widthPx: max(1, Int(Double(header.widthPx) * min(1, ratio))),
            heightPx: max(1, Int(Double(header.heightPx) * min(1, ratio))))
        var shrink = 1
        if header.format == .jpeg { while shrink < 8, ratio * Double(shrink) * 2 <= 1 { shrink *= 2 } }
        let loaded = try Source.load(
            context.source, header.format, shrink: shrink, shouldStop: context.render.shouldStop
        ).readable()
        defer { withExtendedLifetime(context.source) {} }
        var image = try loaded.resampled(to: size, window: PixelRect(covering: size), in: context.render)
        image = try image.inOutputColors()
        if image.hasAlpha, !format.holdsAlpha { image = try image.flattened(on: .white) }
        return try image.evaluated(in: context.render)
    }
}

extension QualityStart {
    /// The start for another size: larger images score less, which these steps compensate.
    func quality(forPixelCount count: Int) -> Int {
        var (steps, size) = (0, pixelCount)
        while size <= count / 4, steps < 12 { (steps, size) = (steps + 2, size * 4) }
        return quality + steps
    }
}
