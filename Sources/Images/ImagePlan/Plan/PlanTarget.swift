import Colors
import Parameters

/// What a plan leads to: pages, format and what lies behind the picture.
struct PlanTarget {
    let pages: PageSelection
    /// Why pages are missing that were asked for.
    let omission: PageOmission?
    let encoding: Encoding
    /// The background, opaque where the output holds no alpha.
    let behind: Color
}

extension ImageRequest {
    /// Decides pages and formats for a result whose frames are of `size`.
    func target(
        for source: ImageHeader, size: PixelSize, accepting: Acceptance, limits: FrameLimits
    ) -> PlanTarget {
        let isWhole = page == nil && source.pageCount > 1 && (source.isAnimated || hasAllPages)
        let isWithin = isWhole && limits.allow(source.pageCount, of: size)
        let needsAlpha = !background.isOpaque && mayShowThrough(source)
        let candidates = FormatCandidates(
            source: source, isAnimation: isWithin, needsAlpha: needsAlpha, isLossless: isLossless, size: size)
        let formats = format.map { [$0] } ?? candidates.formats(accepting: accepting)
        func holdsAll(_ output: OutputFormat) -> Bool { source.isAnimated ? output.holdsFrames : output.holdsPages }

        var pages = PageSelection.one((page ?? 1) - 1)
        var omission: PageOmission?
        if isWithin, formats.allSatisfy(holdsAll) {
            pages = .first(source.pageCount)
        } else if isWhole, !isWithin, (format.map { [$0] } ?? accepting.tiers.flatMap(\.self)).contains(where: holdsAll)
        {
            omission = .limit
        } else if hasAllPages, isWhole {
            omission = .format
        }
        let behind = formats.allSatisfy(\.holdsAlpha) ? background : background.over(.white)
        return PlanTarget(
            pages: pages, omission: omission, encoding: encoding(formats, source, accepting), behind: behind)
    }

    private func encoding(_ formats: [OutputFormat], _ source: ImageHeader, _ accepting: Acceptance) -> Encoding {
        let own = source.format.output
        let acceptsSource = own.map { own in
            format.map { $0 == own } ?? accepting.tiers.contains { $0.contains(own) }
        }
        return Encoding(
            formats: formats, acceptsSource: acceptsSource ?? false,
            quality: formats.allSatisfy(\.isAlwaysLossless) ? nil : quality, byteLimit: byteLimit,
            isLossless: isLossless, isProgressive: isProgressive, effort: effort, metadata: metadata, profile: profile)
    }

    /// Whether anything of the result can be other than opaque before it is laid on the background.
    private func mayShowThrough(_ source: ImageHeader) -> Bool {
        source.hasAlpha || radius != nil || mask != nil || (fit == .contain && width != nil && height != nil)
            || arbitraryRotation?.growsCanvas == true
    }
}
