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
        case .upright(let quarterTurns):
            Orientation(exif: exif).followed(by: mirroring)
                .followed(by: Orientation(isMirrored: false, quarterTurns: quarterTurns))
        }
    }

    /// What to do with `source` to answer this request in `output`. O(filters), no pixels.
    ///
    /// The meaning is upright → flip → rotate → crop → resize → cut or pad → filters → flatten; the steps are reordered to
    /// the same effect, see `ImagePlan`.
    package func makePlan(for source: SourceTraits, output: OutputFormat) throws(PlanError) -> ImagePlan {
        let stored = PixelSize(widthPx: source.widthPx, heightPx: source.heightPx)
        let sides = 1...Self.sourceSideLimitPx
        guard sides.contains(stored.widthPx), sides.contains(stored.heightPx) else {
            throw .invalidSourceSize(widthPx: stored.widthPx, heightPx: stored.heightPx)
        }
        let orientation = orientation(exif: source.orientation)
        let turned = orientation.applied(to: stored)
        let region = crop.map { $0.resolved(in: turned) } ?? PixelRect(covering: turned)
        guard let region else { throw .cropOutside(widthPx: turned.widthPx, heightPx: turned.heightPx) }
        let layout = BoxLayout(region.size, self)
        try Self.checkSize(layout, of: region.size, for: output)

        let undo = orientation.inverse
        var steps: [ImageStep] = []
        if region.size != turned { steps.append(.extract(undo.applied(to: region, within: turned))) }
        if layout.resized != region.size { steps.append(.resize(undo.applied(to: layout.resized))) }
        if layout.kept.size != layout.resized {
            steps.append(.crop(undo.applied(to: layout.kept, within: layout.resized)))
        }
        if orientation != .identity { steps.append(.orient(orientation)) }

        let behind = output.holdsAlpha ? background : background.over(.white)
        if layout.canvas != layout.kept.size {
            steps.append(.pad(canvas: layout.canvas, x: layout.offset.x, y: layout.offset.y, background: behind))
        }
        steps += ImageFilter.inOrder(filters.map { $0.scaled(by: scale) }).map { .filter($0) }
        if source.hasAlpha, behind.isOpaque { steps.append(.flatten(behind)) }

        let encoding = Encoding(
            format: output, quality: output.defaultQuality == nil ? nil : quality ?? output.defaultQuality)
        return ImagePlan(source: stored, steps: steps, output: layout.canvas, encoding: encoding)
    }

    /// The result must be within the limits of its format; the picture before cutting too where it was enlarged, for an
    /// enlarged picture costs work that the source did not.
    private static func checkSize(
        _ layout: BoxLayout, of source: PixelSize, for output: OutputFormat
    ) throws(PlanError) {
        let (canvas, resized) = (layout.canvas, layout.resized)
        let (side, area) = (output.sideLimitPx, output.areaLimitPx)
        func require(_ isWithin: Bool, _ size: PixelSize) throws(PlanError) {
            guard !isWithin else { return }
            throw .outputTooLarge(
                widthPx: size.widthPx, heightPx: size.heightPx, sideLimitPx: side, areaLimitPx: area)
        }
        // Sides are compared first, so that the products fit.
        try require(max(canvas.widthPx, canvas.heightPx) <= side, canvas)
        try require(canvas.widthPx * canvas.heightPx <= area, canvas)
        try require(
            resized.widthPx <= max(side, source.widthPx) && resized.heightPx <= max(side, source.heightPx), resized)
        try require(resized.widthPx * resized.heightPx <= max(area, source.widthPx * source.heightPx), resized)
    }
}
