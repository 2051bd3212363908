// The client's preference comes first; of equally preferred formats those that suit the image remain.

/// What decides the possible formats, besides what the client accepts.
struct FormatCandidates {
    let source: ImageHeader
    let isAnimation: Bool
    let needsAlpha: Bool
    let isLossless: Bool
    /// Whether the colors are reduced to a palette.
    let hasPalette: Bool
    let size: PixelSize

    /// The most pixels for the slow encoders of AVIF and JPEG XL: 2 million of AVIF take a second of one core.
    static let slowPixelLimit = 2_000_000

    /// The formats to choose from, best first; never empty. One that cannot hold the size is a last resort.
    func formats(accepting: Acceptance) -> [OutputFormat] {
        for suited in suitedFormats {
            for tier in accepting.tiers {
                let found = suited.filter { tier.contains($0) && holdsSize($0) }
                if found == [.png], mayBePhotograph, holdsSize(.jpeg),
                    accepting.tiers.contains(where: { $0.contains(.jpeg) })
                {
                    // Clients that accept PNG but not JPEG do not mean photographs: the pixels decide.
                    return [.jpeg, .png]
                }
                if !found.isEmpty { return preferringCommon(found) }
            }
        }
        // The request is more explicit than the client's field (RFC 9110 §12.4.1 permits that).
        return [isLossless || hasPalette ? .png : accepting.tiers.first?.first ?? .jpeg]
    }

    /// Sets of formats, each tried only if the client accepts none before it.
    private var suitedFormats: [[OutputFormat]] {
        if hasPalette { return isAnimation ? [[.gif], [.png]] : [[.png], [.gif]] }
        let isSmall = size.widthPx <= Self.slowPixelLimit / max(1, size.heightPx)
        let slow: [OutputFormat] = isSmall ? [.avif, .jxl] : []
        let all: [OutputFormat] = [.webp, .png, .jpeg, .avif, .jxl, .tiff, .gif]
        let still = still(slow) + (isLossless ? [] : [all])
        return isAnimation ? [[.webp], [.gif]] + still : still
    }

    private func still(_ slow: [OutputFormat]) -> [[OutputFormat]] {
        if isLossless { return [[.webp, .png]] }
        if source.isFlat { return [[.webp, .png], slow] + (needsAlpha ? [] : [[.jpeg]]) }
        if needsAlpha { return [slow + [.webp], [.png], [.avif, .jxl]] }
        return [slow + [.webp, .jpeg] + (isExact ? [.png] : [])]
    }

    /// Whether the source is lossless, so that it may be a drawing after all.
    private var isExact: Bool { source.format.output?.isAlwaysLossless ?? (source.format != .heic) }

    /// Whether only the pixels tell if this is a photograph.
    private var mayBePhotograph: Bool { isExact && !source.isFlat && !needsAlpha && !isLossless && !hasPalette }

    /// JPEG XL stays only if the client accepts no other modern format.
    private func preferringCommon(_ formats: [OutputFormat]) -> [OutputFormat] {
        guard formats.contains(.avif) || formats.contains(.webp) else { return formats }
        return formats.filter { $0 != .jxl }
    }

    private func holdsSize(_ format: OutputFormat) -> Bool {
        let (side, area) = (format.sideLimitPx, format.areaLimitPx)
        return max(size.widthPx, size.heightPx) <= side && size.widthPx * size.heightPx <= area
    }
}
