import Bytes
import CVips
import ImagePlan
import Parameters

extension OverlaySize {
    func drawnSize(own: PixelSize, on size: PixelSize) -> PixelSize {
        let scale: Double =
            switch self {
            case .times(let factor): factor.double
            case .percent(let percent):
                min(Double(size.widthPx) / Double(own.widthPx), Double(size.heightPx) / Double(own.heightPx))
                    * percent.double / 100
            }
        func side(_ count: Int) -> Int { max(1, Int(min(1e6, (Double(count) * scale).rounded()))) }
        return PixelSize(widthPx: side(own.widthPx), heightPx: side(own.heightPx))
    }
}

extension Overlay {
    /// The place of an overlay of `drawn` pixels on an image of `size`; it may be partly outside.
    func placed(_ drawn: PixelSize, on size: PixelSize) -> PixelRect {
        let (free, high) = (size.widthPx - drawn.widthPx, size.heightPx - drawn.heightPx)
        let left = [x, Int((Double(free) / 2).rounded(.down)) + x, free - x][gravity.column]
        let top = [y, Int((Double(high) / 2).rounded(.down)) + y, high - y][gravity.row]
        return PixelRect(x: left, y: top, widthPx: drawn.widthPx, heightPx: drawn.heightPx)
    }
}

extension PixelRect {
    func intersection(_ other: PixelRect) -> PixelRect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + widthPx, other.x + other.widthPx), min(y + heightPx, other.y + other.heightPx))
        guard right > left, bottom > top else { return nil }
        return PixelRect(x: left, y: top, widthPx: right - left, heightPx: bottom - top)
    }
}

enum OverlaySource {
    /// An encoded image, and how large it is drawn.
    case asset(SharedBytes, OverlaySize)
    /// Drawn as they are.
    case pixels(DecodedPixels)
}

/// What overlays are drawn for.
struct OverlayCanvas {
    let size: PixelSize
    let is16Bit: Bool
    let colors: WorkingColors

    /// The visible part of `overlay`; nil if there is none.
    func draw(
        _ overlay: Overlay, _ source: OverlaySource, in context: RenderContext
    ) throws(ImageError) -> DrawnOverlay? {
        switch source {
        case .asset(let bytes, let wanted): return try draw(overlay, bytes, wanted, in: context)
        case .pixels(let pixels):
            let place = overlay.placed(PixelSize(widthPx: pixels.widthPx, heightPx: pixels.heightPx), on: size)
            let image = try PixelBuffer(straight: pixels, in: context).image()
            guard !overlay.isTransformed else {
                let grid = OverlayGrid(place, place)
                return try posed(overlay, finished(image, in: context), grid, at: place, in: context)
            }
            guard let visible = place.intersection(PixelRect(covering: size)) else { return nil }
            let window = OverlayGrid(place, visible).window
            return try DrawnOverlay(
                overlay, x: visible.x, y: visible.y, finished(image.extracting(window), in: context))
        }
    }

    private func draw(
        _ overlay: Overlay, _ bytes: SharedBytes, _ wanted: OverlaySize, in context: RenderContext
    ) throws(ImageError) -> DrawnOverlay? {
        var unpriced = context
        unpriced.admission = Admission.always
        let opened = try Source(bytes, in: unpriced)
        let stored = opened.header.size
        let orientation = Orientation(exif: opened.header.orientation)
        let own = orientation.applied(to: stored)
        let place = overlay.placed(wanted.drawnSize(own: own, on: size), on: size)
        guard let visible = OverlayPose(overlay, at: place).visible(on: size) else { return nil }
        // Only the visible part is computed, so a huge overlay costs no more than the image.
        let grid = overlay.isTransformed ? OverlayPose(overlay, at: place).grid(on: size) : OverlayGrid(place, visible)
        let undo = orientation.inverse
        var steps: [ImageStep] = []
        if grid.size != own { steps.append(.resize(undo.applied(to: grid.size))) }
        if grid.window.size != grid.size { steps.append(.crop(undo.applied(to: grid.window, within: grid.size))) }
        let plan = ImagePlan(
            source: stored, steps: steps, output: grid.window.size, encoding: Encoding(formats: [.png]))
        let resized = try Decoding.resized(opened, bytes, plan, in: context)
        var image = try colors.appliedToGuest(resized.image)
        if orientation != .identity { image = try image.oriented(orientation) }
        let pixels = try pixels(of: image, in: context)
        guard overlay.isTransformed else { return DrawnOverlay(overlay, x: visible.x, y: visible.y, pixels) }
        return try posed(overlay, pixels, grid, at: place, in: context)
    }

    private func posed(
        _ overlay: Overlay, _ pixels: borrowing PixelBuffer, _ grid: OverlayGrid, at place: PixelRect,
        in context: RenderContext
    ) throws(ImageError) -> DrawnOverlay? {
        let pose = OverlayPose(overlay, at: place)
        guard let visible = pose.visible(on: size) else { return nil }
        return try DrawnOverlay(
            overlay, x: visible.x, y: visible.y, pose.pixels(pixels, grid, in: visible, stoppingBy: context))
    }

    private func finished(_ image: consuming VipsImage, in context: RenderContext) throws(ImageError) -> PixelBuffer {
        try pixels(of: colors.appliedToGuest(image), in: context)
    }

    /// Straight RGBA with the bit depth of the image.
    private func pixels(of image: consuming VipsImage, in context: RenderContext) throws(ImageError) -> PixelBuffer {
        var image = try image.withColorAndAlpha()
        if is16Bit { image = try image.in16Bits() }
        return try PixelBuffer(image, in: context)
    }
}

/// The visible part of an overlay, at the size at which it is drawn.
final class DrawnOverlay {
    private let x: Int
    private let y: Int
    /// Straight RGBA, with the bit depth of the image.
    private let pixels: PixelBuffer
    /// Of 65536.
    private let opacity: Int32

    init(_ overlay: Overlay, x: Int, y: Int, _ pixels: consuming PixelBuffer) {
        (self.x, self.y) = (x, y)
        self.pixels = pixels
        opacity = Int((overlay.opacity.double * 65536).rounded()).cInt
    }

    func lay(over buffer: borrowing PixelBuffer, in context: RenderContext) throws(ImageError) {
        guard buffer.sampleByteCount == pixels.sampleByteCount, buffer.bands == (buffer.hasAlpha ? 4 : 3),
            y + pixels.size.heightPx <= buffer.size.heightPx, x + pixels.size.widthPx <= buffer.size.widthPx
        else { throw .operationFailed(log: "overlay and image differ") }
        for row in 0..<pixels.size.heightPx {
            if row % 64 == 0 { try context.checkStop() }
            guard let target = unsafe buffer.row(y + row), let source = unsafe pixels.row(row) else { continue }
            unsafe cvips_lay_row(
                target + x * buffer.bands * buffer.sampleByteCount, source, pixels.size.widthPx, buffer.bands.cInt,
                buffer.hasAlpha ? 1 : 0, buffer.sampleByteCount.cInt, opacity)
        }
    }
}

extension VipsImage {
    /// With `overlays` on it in order, in memory; grey becomes RGB.
    consuming func laidUnder(_ overlays: [DrawnOverlay], in context: RenderContext) throws(ImageError) -> VipsImage {
        let base = model == CVIPS_GREY ? try inSRGB() : self
        let buffer = try PixelBuffer(base, in: context)
        for overlay in overlays { try overlay.lay(over: buffer, in: context) }
        return try buffer.image()
    }
}
