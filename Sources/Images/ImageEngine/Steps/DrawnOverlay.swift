import Bytes
import CVips
import ImagePlan
import Parameters

extension Overlay {
    func drawnSize(own: PixelSize, on size: PixelSize) -> PixelSize {
        let scale: Double =
            switch self.size {
            case .times(let factor): factor.double
            case .percent(let percent):
                min(Double(size.widthPx) / Double(own.widthPx), Double(size.heightPx) / Double(own.heightPx))
                    * percent.double / 100
            }
        func side(_ count: Int) -> Int { max(1, Int(min(1e6, (Double(count) * scale).rounded()))) }
        return PixelSize(widthPx: side(own.widthPx), heightPx: side(own.heightPx))
    }

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

/// The visible part of an overlay, decoded at the size at which it is drawn.
struct DrawnOverlay: ~Copyable {
    private let x: Int
    private let y: Int
    /// Straight RGBA, with the bit depth of the image.
    private let pixels: PixelBuffer
    /// Of 65536.
    private let opacity: Int32

    static func make(
        _ overlay: Overlay, _ bytes: SharedBytes, on size: PixelSize, is16Bit: Bool, colors: WorkingColors,
        in context: RenderContext
    ) throws(ImageError) -> DrawnOverlay? {
        var unpriced = context
        unpriced.admission = Admission.always
        let opened = try Source(bytes, in: unpriced)
        let stored = opened.header.size
        let orientation = Orientation(exif: opened.header.orientation)
        let drawn = overlay.drawnSize(own: orientation.applied(to: stored), on: size)
        let place = overlay.placed(drawn, on: size)
        guard let visible = place.intersection(PixelRect(covering: size)) else { return nil }
        // Only the visible part is computed, so a huge overlay costs no more than the image.
        let window = PixelRect(
            x: visible.x - place.x, y: visible.y - place.y, widthPx: visible.widthPx, heightPx: visible.heightPx)
        let undo = orientation.inverse
        var steps: [ImageStep] = []
        if drawn != orientation.applied(to: stored) { steps.append(.resize(undo.applied(to: drawn))) }
        if window.size != drawn { steps.append(.crop(undo.applied(to: window, within: drawn))) }
        let plan = ImagePlan(source: stored, steps: steps, output: visible.size, encoding: Encoding(formats: [.png]))
        let resized = try Decoding.resized(opened, bytes, plan, in: context)
        var image = try colors.appliedToGuest(resized.image)
        if orientation != .identity { image = try image.oriented(orientation) }
        image = try image.withColorAndAlpha()
        if is16Bit { image = try image.in16Bits() }
        return DrawnOverlay(
            x: visible.x, y: visible.y, pixels: try PixelBuffer(image, in: context),
            opacity: Int((overlay.opacity.double * 65536).rounded()).cInt)
    }

    /// `image` with the overlay on it, in memory; grey becomes RGB.
    func composited(over image: consuming VipsImage, in context: RenderContext) throws(ImageError) -> VipsImage {
        let base = image.model == CVIPS_GREY ? try image.inSRGB() : image
        let buffer = try PixelBuffer(base, in: context)
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
        return try buffer.image()
    }
}
