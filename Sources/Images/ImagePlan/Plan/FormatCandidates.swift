// Which formats a picture may be sent in. The client's preference comes first; of formats that it likes equally, those that
// suit the picture remain, and the encoder takes the smallest at like quality.

/// What decides the candidates, beside what the client accepts.
struct FormatCandidates {
    let source: ImageHeader
    /// Whether all frames are kept.
    let isAnimation: Bool
    /// Whether something of the result may be transparent.
    let needsAlpha: Bool
    /// Whether no loss is wanted.
    let isLossless: Bool
    let size: PixelSize

    /// The most pixels for which the slow encoders of AVIF and JPEG XL are weighed against others: 2 million pixels of AVIF
    /// take about a second of one core.
    static let slowPixelLimit = 2_000_000

    /// The formats to choose from, best first; never empty. A format that cannot hold the size is only there where no other
    /// one is.
    func formats(accepting: Acceptance) -> [OutputFormat] {
        for suited in suitedFormats {
            for tier in accepting.tiers {
                let found = suited.filter { tier.contains($0) && holdsSize($0) }
                if found == [.png], mayBePhotograph, holdsSize(.jpeg),
                    accepting.tiers.contains(where: { $0.contains(.jpeg) })
                {
                    // Clients that name PNG but not JPEG do not mean photographs: the pixels tell what it is.
                    return [.jpeg, .png]
                }
                if !found.isEmpty { return preferringCommon(found) }
            }
        }
        // The request says what it wants more plainly than the client what it takes (RFC 9110 §12.4.1 permits that).
        return [isLossless ? .png : accepting.tiers.first?.first ?? .jpeg]
    }

    /// Sets of formats, each tried only where the client takes none of the ones before it.
    private var suitedFormats: [[OutputFormat]] {
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

    /// Whether the source was kept without loss, so that it may be a drawing after all.
    private var isExact: Bool { source.format.output?.isAlwaysLossless ?? (source.format != .heic) }

    /// Whether only the pixels tell if this is a photograph.
    private var mayBePhotograph: Bool { isExact && !source.isFlat && !needsAlpha && !isLossless }

    /// JPEG XL is only there where the client takes nothing else that is modern.
    private func preferringCommon(_ formats: [OutputFormat]) -> [OutputFormat] {
        guard formats.contains(.avif) || formats.contains(.webp) else { return formats }
        return formats.filter { $0 != .jxl }
    }

    private func holdsSize(_ format: OutputFormat) -> Bool {
        let (side, area) = (format.sideLimitPx, format.areaLimitPx)
        return max(size.widthPx, size.heightPx) <= side && size.widthPx * size.heightPx <= area
    }
}
