import Parameters

/// How an image is fitted to its box, and the size of the result, which a rotation by any angle makes larger or smaller.
struct SizedResult: Equatable {
    let layout: BoxLayout
    let canvas: PixelSize
}

extension ImageRequest {
    /// Fits `region`, which crop and trimming leave of the displayed image `whole`, to the box, and its result to `rules`. The
    /// box keeps to them already, but crops and trimming leave parts of any size, and the canvas of a rotation and padding grow
    /// beyond the box: such results become smaller. An image that is shown whole may have its own size.
    func sized(
        _ region: PixelSize, of whole: PixelSize, isDrawing: Bool, rules: SizeRules
    ) throws(PlanInterruption) -> SizedResult {
        let layout = BoxLayout(region, self, isDrawing: isDrawing)
        var limit = rules.sideLimitPx
        if let sideLimitPx, max(layout.resized.widthPx, layout.resized.heightPx) > sideLimitPx {
            guard width == nil, height == nil else { throw .refuse(.sideTooLong(limitPx: sideLimitPx)) }
            limit = sideLimitPx
        }
        var result = SizedResult(layout: layout, canvas: rotated(layout.canvas))
        if limit > 0, max(result.canvas.widthPx, result.canvas.heightPx) > limit {
            let byHeight = result.canvas.heightPx > result.canvas.widthPx
            result = shrunk(result, region, to: limit, byHeight: byHeight, isDrawing: isDrawing)
        }
        let (canvas, list) = (result.canvas, rules.widthsPx)
        guard !list.isEmpty, region != whole || arbitraryRotation != nil || padding != nil,
            !list.contains(canvas.widthPx), height == nil || !list.contains(canvas.heightPx)
        else { return result }
        let byHeight = width == nil && height != nil
        let length = byHeight ? canvas.heightPx : canvas.widthPx
        guard rules.roundsUp, let listed = list.last(where: { $0 < length }) else {
            throw .refuse(
                .sizeNotListed(
                    widthPx: canvas.widthPx, heightPx: canvas.heightPx, ofHeight: byHeight, listedPx: list))
        }
        return shrunk(result, region, to: listed, byHeight: byHeight, isDrawing: isDrawing)
    }

    private func rotated(_ size: PixelSize) -> PixelSize { arbitraryRotation?.canvas(for: size) ?? size }

    /// `result` with `length` as its width, or height, which is larger.
    private func shrunk(
        _ result: SizedResult, _ region: PixelSize, to length: Int, byHeight: Bool, isDrawing: Bool
    ) -> SizedResult {
        let size = result.layout.canvas
        let longer = byHeight ? result.canvas.heightPx : result.canvas.widthPx
        func layout(_ side: (Int) -> Int) -> BoxLayout {
            let margins = result.layout.margins.shrunk(by: length, of: longer)
            var request = self
            (request.scale, request.padding) = (1, nil)
            request.width = .pixels(max(1, side(size.widthPx) - margins.left - margins.right))
            request.height = .pixels(max(1, side(size.heightPx) - margins.top - margins.bottom))
            if width == nil || height == nil || fit != .cover && fit != .contain { request.fit = .fill }
            return BoxLayout(region, request, isDrawing: isDrawing).with(margins)
        }
        guard let rotation = arbitraryRotation else {
            let layout = layout { (2 * $0 * length + longer) / (2 * longer) }
            return SizedResult(layout: layout, canvas: layout.canvas)
        }
        func canvas(_ size: PixelSize) -> PixelSize {
            byHeight
                ? PixelSize(widthPx: size.widthPx, heightPx: length)
                : PixelSize(widthPx: length, heightPx: size.heightPx)
        }
        if rotation.growsCanvas {
            let layout = layout { $0 * length / longer }
            return SizedResult(layout: layout, canvas: canvas(rotation.grown(layout.canvas)))
        }
        // What is cut out must lie inside the image: a little larger than that, whose sides are rounded down.
        var larger = layout { ($0 * length + longer - 1) / longer }
        for more in 1...4 {
            let cut = rotation.straightened(larger.canvas)
            if (byHeight ? cut.heightPx : cut.widthPx) >= length { break }
            larger = layout { ($0 * (length + more) + longer - 1) / longer }
        }
        return SizedResult(layout: larger, canvas: canvas(rotation.straightened(larger.canvas)))
    }
}
