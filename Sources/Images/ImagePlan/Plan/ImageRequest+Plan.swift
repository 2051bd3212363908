import Colors
import Parameters

extension ImageRequest {
    private static let sourceSideLimitPx = 1 << 30

    /// The whole of EXIF orientation, flip and rotation for a source of this EXIF orientation.
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

    /// What to do with `source` to answer this request, or what has to be found out of its pixels first. O(filters), no
    /// pixels. `accepting` counts where the request leaves the format open.
    ///
    /// The meaning is upright → flip → rotate by quarters → trim → crop → resize → cut or pad → rotate → filters → overlay →
    /// mask → flatten; the steps are reordered to the same effect, see `ImagePlan`.
    package func planning(
        for source: ImageHeader, accepting: Acceptance, analysis: AnalysisResults = [:],
        limits: FrameLimits = FrameLimits()
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
        for source: ImageHeader, accepting: Acceptance, analysis: AnalysisResults, limits: FrameLimits
    ) throws(PlanInterruption) -> ImagePlan {
        let stored = try checkedSize(of: source)
        let orientation = orientation(exif: source.orientation)
        let placement = Placement(
            turned: orientation.applied(to: stored), orientation: orientation, analysis: analysis)
        var region = try region(by: placement)
        var layout = BoxLayout(region.size, self, isDrawing: source.format.isDrawing)
        if let part = layout.partSeen(of: region.size) {
            let rect = try placement.place(part, in: region.size, of: region, by: gravity)
            region = PixelRect(
                x: region.x + rect.x, y: region.y + rect.y, widthPx: rect.widthPx, heightPx: rect.heightPx)
            layout = layout.ofPartSeen
        }
        let kept = try placement.place(
            layout.kept, in: layout.resized, of: region, by: fit == .contain ? .center : gravity)
        let canvas = arbitraryRotation?.canvas(for: layout.canvas) ?? layout.canvas
        let target = target(for: source, size: canvas, accepting: accepting, limits: limits)
        for size in [layout.canvas, canvas] {
            try Self.check(size, from: layout.resized, of: region.size, for: target.encoding.formats)
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
        return ImagePlan(
            source: stored, pages: target.pages, omission: target.omission, steps: steps, output: canvas,
            encoding: target.encoding)
    }

    /// The steps on the small, upright picture.
    private func finish(
        _ layout: BoxLayout, on canvas: PixelSize, _ source: ImageHeader, behind: Color
    ) -> [ImageStep] {
        var steps: [ImageStep] = []
        if layout.canvas != layout.kept {
            let rect = gravity.place.place(layout.kept, in: layout.canvas)
            steps.append(.pad(canvas: layout.canvas, x: rect.x, y: rect.y, background: behind))
        }
        if let arbitraryRotation {
            steps.append(.rotate(degrees: arbitraryRotation.degrees.double, canvas: canvas, background: behind))
        }
        steps += ImageFilter.inOrder(filters, scale: scale).map { .filter($0) }
        if let overlay { steps.append(.overlay(overlay.scaled(by: scale))) }
        let shape = maskShape(of: canvas)
        if let shape { steps.append(.mask(shape)) }
        if source.hasAlpha || shape != nil, behind.isOpaque { steps.append(.flatten(behind)) }
        return steps
    }

    private func checkedSize(of source: ImageHeader) throws(PlanInterruption) -> PixelSize {
        let stored = PixelSize(widthPx: source.widthPx, heightPx: source.heightPx)
        let sides = 1...Self.sourceSideLimitPx
        guard sides.contains(stored.widthPx), sides.contains(stored.heightPx) else {
            throw .refuse(.invalidSourceSize(widthPx: stored.widthPx, heightPx: stored.heightPx))
        }
        if let page, page > max(1, source.pageCount) {
            throw .refuse(.pageOutside(page: page, pageCount: max(1, source.pageCount)))
        }
        return stored
    }

    /// What is left of the picture as it is seen after trimming and cropping.
    private func region(by placement: Placement) throws(PlanInterruption) -> PixelRect {
        let trimmed = try placement.trimmed(tolerance: trim)
        guard let crop else { return trimmed }
        guard let part = try crop.resolved(in: trimmed, by: placement) else {
            throw .refuse(.cropOutside(widthPx: trimmed.widthPx, heightPx: trimmed.heightPx))
        }
        return PixelRect(
            x: trimmed.x + part.x, y: trimmed.y + part.y, widthPx: part.widthPx, heightPx: part.heightPx)
    }

    /// The turn after sizing, if there is one.
    var arbitraryRotation: ArbitraryRotation? {
        guard case .arbitrary(let degrees, let isStraightened) = rotation else { return nil }
        return ArbitraryRotation(degrees: degrees, growsCanvas: !isStraightened)
    }

    /// Rounded corners or another shape for a result of `size`.
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

    /// The result must be within the limits of its format; the picture before cutting too where it was enlarged, for an
    /// enlarged picture costs work that the source did not.
    private static func check(
        _ canvas: PixelSize, from resized: PixelSize, of source: PixelSize, for formats: [OutputFormat]
    ) throws(PlanInterruption) {
        let side = formats.map(\.sideLimitPx).min() ?? 0
        let area = formats.map(\.areaLimitPx).min() ?? 0
        func require(_ isWithin: Bool, _ size: PixelSize) throws(PlanInterruption) {
            guard !isWithin else { return }
            throw .refuse(
                .outputTooLarge(
                    widthPx: size.widthPx, heightPx: size.heightPx, sideLimitPx: side, areaLimitPx: area))
        }
        // Sides are compared first, so that the products fit.
        try require(max(canvas.widthPx, canvas.heightPx) <= side, canvas)
        try require(canvas.widthPx * canvas.heightPx <= area, canvas)
        try require(
            resized.widthPx <= max(side, source.widthPx) && resized.heightPx <= max(side, source.heightPx), resized)
        try require(resized.widthPx * resized.heightPx <= max(area, source.widthPx * source.heightPx), resized)
    }
}
