import ImagePlan

struct OverlayStage: PixelStage {
    private let overlays: [Overlay]
    let name = "overlay"

    init?(_ plan: ImagePlan) {
        overlays = plan.overlays
        if overlays.isEmpty { return nil }
    }

    func apply(to image: consuming VipsImage, in work: inout StageWork) throws(ImageError) -> VipsImage {
        if work.overlays == nil { work.overlays = try drawn(on: image.size, is16Bit: image.is16Bit, work) }
        guard let drawn = work.overlays, !drawn.isEmpty else { return image }
        return try image.laidUnder(drawn, in: work.context)
    }

    /// In order, without those that cannot be seen.
    private func drawn(
        on size: PixelSize, is16Bit: Bool, _ work: borrowing StageWork
    ) throws(ImageError) -> [DrawnOverlay] {
        let canvas = OverlayCanvas(size: size, is16Bit: is16Bit, colors: work.colors)
        var drawn: [DrawnOverlay] = []
        var assets = work.sources.overlays[...]
        for (index, overlay) in overlays.enumerated() {
            let source: OverlaySource
            switch overlay.content {
            case .asset(_, let size):
                guard let bytes = assets.popFirst() else { throw .operationFailed(log: "the overlay is missing") }
                source = .asset(bytes, size)
            case .text:
                guard let texts = work.sources.texts else { throw .operationFailed(log: "no text can be drawn") }
                try work.context.checkStop()
                guard let pixels = try texts.draw(index, size) else { continue }
                source = .pixels(pixels)
            }
            if let found = try canvas.draw(overlay, source, in: work.context) { drawn.append(found) }
        }
        return drawn
    }
}

extension ImagePlan {
    /// In the order of drawing.
    var overlays: [Overlay] { steps.compactMap { if case .overlay(let overlay) = $0 { overlay } else { nil } } }
}
