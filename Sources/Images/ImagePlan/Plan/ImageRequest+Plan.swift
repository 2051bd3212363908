import Colors
import Parameters

extension ImageRequest {
    private static let sourceSideLimitPx = 1 << 30

    /// EXIF orientation, flip and rotation combined.
    package func orientation(exif: Int) -> Orientation {
        let mirroring: Orientation =
            switch flip {
            case nil: .identity
            case .horizontal: Orientation(isMirrored: true, quarterTurns: 0)
            case .vertical: Orientation(isMirrored: true, quarterTurns: 2)
            case .both: Orientation(isMirrored: false, quarterTurns: 2)
            }
        return switch rotation {
        case .asStored: mirroring
        case .arbitrary: Orientation(exif: exif).followed(by: mirroring)
        case .upright(let quarterTurns):
            Orientation(exif: exif).followed(by: mirroring)
                .followed(by: Orientation(isMirrored: false, quarterTurns: quarterTurns))
        }
    }

    /// The plan to answer this request from `source`, or the pixel query that it needs first. O(filters). The meaning
    /// is upright → flip → rotate by quarters → trim → crop → resize → cut or pad → rotate → filters → overlays → mask →
    /// flatten; the steps are reordered to the same effect, see `ImagePlan`.
    package func planning(
        for source: ImageHeader, accepting: Acceptance, analysis: AnalysisResults = [:],
        limits: ResultLimits = ResultLimits()
    ) throws(PlanError) -> Planning {
        do throws(PlanInterruption) {
            return .plan(try plan(for: source, accepting: accepting, analysis: analysis, limits: limits))
        } catch {
            switch error {
            case .ask(let question): return .ask(question)
            case .refuse(let reason): throw reason
            }
        }
    }

    private func plan(
        for header: ImageHeader, accepting: Acceptance, analysis: AnalysisResults, limits: ResultLimits
    ) throws(PlanInterruption) -> ImagePlan {
        var source = header
        if let finePixelLimit, source.format == .pdf {
            let size = source.size.finelyDrawn(pixelLimit: finePixelLimit)
            (source.widthPx, source.heightPx) = (size.widthPx, size.heightPx)
        }
        let stored = try checkedSize(of: source)
        let orientation = orientation(exif: source.orientation)
        // It was chosen in the upright image, whatever the request does with the stored one.
        let upright = Orientation(exif: source.orientation)
        let placement = Placement(
            turned: orientation.applied(to: stored), orientation: orientation, analysis: analysis,
            focalPoint: focalPoint.map { orientation.applied(to: upright.inverse.applied(to: $0)) })
        var region = try region(by: placement)
        let sized = try sized(
            region.size, of: placement.turned, isDrawing: source.format.isDrawing, rules: limits.sizes)
        let canvas = sized.canvas
        var layout = sized.layout
        if let part = layout.partSeen(of: region.size) {
            let rect = try placement.place(part, in: region.size, of: region, by: gravity)
            region = PixelRect(
                x: region.x + rect.x, y: region.y + rect.y, widthPx: rect.widthPx, heightPx: rect.heightPx)
            layout = layout.ofPartSeen
        }
        let kept = try placement.place(
            layout.kept, in: layout.resized, of: region, by: fit == .contain ? .center : gravity)
        let target = target(for: source, size: canvas, accepting: accepting, limits: limits)
        if refusesEnlarging, !source.format.isDrawing,
            layout.resized.widthPx > region.widthPx || layout.resized.heightPx > region.heightPx
        {
            throw .refuse(.enlarges(widthPx: region.widthPx, heightPx: region.heightPx))
        }
        for size in [layout.canvas, canvas] {
            try Self.check(size, from: layout.resized, of: region.size, for: target.encoding)
        }

        let undo = orientation.inverse
        var steps: [ImageStep] = []
        if region.size != placement.turned {
            steps.append(.extract(undo.applied(to: region, within: placement.turned)))
        }
        if layout.resized != region.size { steps.append(.resize(undo.applied(to: layout.resized))) }
        if kept.size != layout.resized { steps.append(.crop(undo.applied(to: kept, within: layout.resized))) }
        if orientation != .identity { steps.append(.orient(orientation)) }
        steps += finish(layout, on: canvas, source, behind: target.behind)
        var encoding = target.encoding
        encoding.gainMap = gainMapChoice(
            for: source, steps: steps, size: undo.applied(to: kept.size), formats: encoding.formats)
        return ImagePlan(
            source: stored, pages: target.pages, omission: target.omission, steps: steps, output: canvas,
            encoding: encoding)
    }

    private func finish(
        _ layout: BoxLayout, on canvas: PixelSize, _ source: ImageHeader, behind: Color
    ) -> [ImageStep] {
        var steps: [ImageStep] = []
        if layout.canvas != layout.kept {
            let rect = gravity.place.place(layout.kept, in: layout.box)
            let (x, y) = (rect.x + layout.margins.left, rect.y + layout.margins.top)
            steps.append(
                isBackgroundBlurred
                    ? .surround(canvas: layout.canvas, x: x, y: y)
                    : .pad(canvas: layout.canvas, x: x, y: y, background: behind))
        }
        if let arbitraryRotation {
            steps.append(.rotate(degrees: arbitraryRotation.degrees.double, canvas: canvas, background: behind))
        }
        steps += ImageFilter.inOrder(filters, scale: scale).map { .filter($0) }
        steps += overlays.map { .overlay($0.scaled(by: scale)) }
        let shape = maskShape(of: canvas)
        if let shape { steps.append(.mask(shape)) }
        if source.hasAlpha || shape != nil, behind.isOpaque { steps.append(.flatten(behind)) }
        return steps
    }

    private func checkedSize(of source: ImageHeader) throws(PlanInterruption) -> PixelSize {
        let stored = source.size
        let sides = 1...Self.sourceSideLimitPx
        guard sides.contains(stored.widthPx), sides.contains(stored.heightPx) else {
            throw .refuse(.invalidSourceSize(widthPx: stored.widthPx, heightPx: stored.heightPx))
        }
        if let page, page > max(1, source.pageCount) {
            throw .refuse(.pageOutside(page: page, pageCount: max(1, source.pageCount)))
        }
        return stored
    }

    /// The part of the displayed image after trimming and cropping.
    private func region(by placement: Placement) throws(PlanInterruption) -> PixelRect {
        let trimmed = try placement.trimmed(tolerance: trim)
        guard let crop else { return trimmed }
        if cropsBeforeTurning {
            let turning = orientation(exif: 1)
            let size = turning.inverse.applied(to: trimmed.size)
            let whole = PixelRect(x: 0, y: 0, widthPx: size.widthPx, heightPx: size.heightPx)
            guard let part = try crop.resolved(in: whole, by: placement) else {
                throw .refuse(.cropOutside(widthPx: size.widthPx, heightPx: size.heightPx))
            }
            return turning.applied(to: part, within: size)
        }
        guard let part = try crop.resolved(in: trimmed, by: placement) else {
            throw .refuse(.cropOutside(widthPx: trimmed.widthPx, heightPx: trimmed.heightPx))
        }
        return PixelRect(x: trimmed.x + part.x, y: trimmed.y + part.y, widthPx: part.widthPx, heightPx: part.heightPx)
    }

    var arbitraryRotation: ArbitraryRotation? {
        guard case .arbitrary(let degrees, let isStraightened) = rotation else { return nil }
        return ArbitraryRotation(degrees: degrees, growsCanvas: !isStraightened)
    }

    private func maskShape(of size: PixelSize) -> MaskShape? {
        switch mask {
        case .circle: return .circle
        case .ellipse: return size.widthPx == size.heightPx ? .circle : .ellipse
        case nil: break
        }
        let shorter = min(size.widthPx, size.heightPx)
        let length: Double
        switch radius {
        case nil: return nil
        case .pixels(let count): length = Double(count) * scale.double
        case .percent(let percent): length = percent.double / 100 * Double(shorter)
        }
        return .rounded(radiusPx: min(length, Double(shorter) / 2))
    }

    /// Of the result and, if it is enlarged, of the image before cutting, which costs work that the source did not.
    private static func check(
        _ canvas: PixelSize, from resized: PixelSize, of source: PixelSize, for encoding: Encoding
    ) throws(PlanInterruption) {
        let side = encoding.formats.map(\.sideLimitPx).min() ?? 0
        let held = encoding.formats.map(\.areaLimitPx).min() ?? 0
        let area = encoding.colorCount == nil ? held : min(held, Encoding.paletteAreaLimitPx)
        func require(_ isWithin: Bool, _ size: PixelSize) throws(PlanInterruption) {
            guard !isWithin else { return }
            let (width, height) = (size.widthPx, size.heightPx)
            throw .refuse(.outputTooLarge(widthPx: width, heightPx: height, sideLimitPx: side, areaLimitPx: area))
        }
        // Sides first, so that the products fit.
        try require(max(canvas.widthPx, canvas.heightPx) <= side, canvas)
        try require(canvas.widthPx * canvas.heightPx <= area, canvas)
        try require(
            resized.widthPx <= max(side, source.widthPx) && resized.heightPx <= max(side, source.heightPx), resized)
        try require(resized.widthPx * resized.heightPx <= max(area, source.widthPx * source.heightPx), resized)
    }

    /// Decides pages and formats for frames of `size`.
    func target(for source: ImageHeader, size: PixelSize, accepting: Acceptance, limits: ResultLimits) -> PlanTarget {
        let isWhole = page == nil && source.pageCount > 1 && (source.isAnimated || hasAllPages)
        let isWithin = isWhole && limits.allow(source.pageCount, of: size)
        let needsAlpha = !background.isOpaque && mayShowThrough(source)
        let candidates = FormatCandidates(
            source: source, isAnimation: isWithin, needsAlpha: needsAlpha, isLossless: isLossless,
            hasPalette: colorCount != nil, size: size)
        let keepsGainMap = wantsGainMap(of: source, accepting: accepting)
        let formats = (format ?? (keepsGainMap ? .jpeg : nil)).map { [$0] } ?? candidates.formats(accepting: accepting)
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
        let acceptsSource = own.map { own in format.map { $0 == own } ?? accepting.tiers.contains { $0.contains(own) } }
        var encoding = Encoding(
            formats: formats, acceptsSource: acceptsSource ?? false,
            quality: formats.allSatisfy(\.isAlwaysLossless) ? nil : quality, byteLimit: byteLimit,
            colorCount: colorCount, isLossless: isLossless, isProgressive: isProgressive, effort: effort,
            metadata: metadata, profile: profile)
        encoding.isQuick = isQuick
        return encoding
    }

    private func mayShowThrough(_ source: ImageHeader) -> Bool {
        source.hasAlpha || radius != nil || mask != nil || (hasBars && !isBackgroundBlurred)
            || arbitraryRotation?.growsCanvas == true
    }
}

struct PlanTarget {
    let pages: PageSelection
    let omission: PageOmission?
    let encoding: Encoding
    /// The background, opaque if the output has no alpha.
    let behind: Color
}
