package import Bytes

/// A finished picture: RGBA8, premultiplied, row-major without padding, origin at the top left.
package struct PixelBuffer: Sendable {
    /// `widthPx` × `heightPx` × 4 octets.
    package let pixels: SharedBytes
    package let widthPx: Int
    package let heightPx: Int
}

/// Draws display lists; belongs to one thread. A picture allocates its pixels and the cells of one band, nothing per command
/// or feature; the buffers for the outlines of strokes grow with the largest and serve the next picture too.
///
/// Coverage is the exact area in fixed point and blending is integer, and the outlines of strokes use only `+ − × ÷ √`
/// on doubles, which IEEE 754 defines to the last bit: the same list gives the same octets on every CPU. Whether the same
/// list comes about is up to who makes it.
package final class Rasteriser {
    /// The longest side of a canvas: at most a gibibyte of pixels. A guard against wrong arithmetic, far above what a picture
    /// should have; who takes sizes from outside has a limit of its own.
    package static let sideLimit = 16384

    /// After so many points of a shape it is asked whether to stop.
    static let pointsPerQuestion = 4096

    private var stroker = Stroker()

    /// A rasteriser without buffers yet.
    package init() {}

    /// The picture of `list` over `background`.
    ///
    /// Parts outside the canvas are clipped. `shouldStop` is asked before each command, each band of rows and each few
    /// thousand points of a shape.
    /// O(outline length + painted pixels). Throws `canvasOutOfRange` or `cancelled`.
    package func draw(
        _ list: DisplayList, widthPx: Int, heightPx: Int, background: PaintColour, shouldStop: () -> Bool = { false }
    ) throws(RasterError) -> PixelBuffer {
        guard (1...Self.sideLimit).contains(widthPx), (1...Self.sideLimit).contains(heightPx) else {
            throw .canvasOutOfRange(limit: Self.sideLimit)
        }
        let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: widthPx * heightPx)
        pixels.initialize(repeating: PixelBlender.packed(background).littleEndian)
        let shared = SharedBytes(
            adopting: pixels.baseAddress, count: widthPx * heightPx * 4,
            release: { UnsafeMutableRawPointer(mutating: $0).deallocate() })
        // `shared` owns the memory from here on, also when this throws; nobody reads it before it is returned.
        var band = CoverageBand(widthPx: widthPx, heightPx: heightPx)
        stroker.canvas = (Double(widthPx), Double(heightPx))
        for command in list.commands {
            if shouldStop() { throw .cancelled }
            let parts = list.parts[command.parts.start..<command.parts.end]
            let pointStart = command.parts.start == 0 ? 0 : list.parts[command.parts.start - 1].end
            guard command.colour.alpha != 0 else { continue }
            let blender = PixelBlender(command.colour)
            switch command.paint {
            case .fill(let rule):
                try fill(
                    list.points, from: pointStart, ends: parts, rule, blender, heightPx, &band, pixels, shouldStop)
            case .stroke(let style):
                try stroker.outline(
                    list.points, from: pointStart, parts: parts, style: style, shouldStop: shouldStop)
                let ends = stroker.outlineParts[...]
                try fill(
                    stroker.outlinePoints, from: 0, ends: ends, .nonZero, blender, heightPx, &band, pixels, shouldStop)
            }
        }
        return PixelBuffer(pixels: shared, widthPx: widthPx, heightPx: heightPx)
    }

    private func fill(
        _ points: [FixedPoint], from pointStart: Int, ends: ArraySlice<DisplayList.Part>, _ rule: FillRule,
        _ blender: PixelBlender, _ heightPx: Int, _ band: inout CoverageBand,
        _ pixels: UnsafeMutableBufferPointer<UInt32>, _ shouldStop: () -> Bool
    ) throws(RasterError) {
        var top = 0
        while top < heightPx {
            if top > 0, shouldStop() { throw .cancelled }
            let rowCount = min(band.rowLimit, heightPx - top)
            band.begin(top: top, rowCount: rowCount)
            try points.withUnsafeBufferPointer { buffer throws(RasterError) in
                var start = pointStart
                var pointsAtQuestion = pointStart
                for part in ends {
                    if start - pointsAtQuestion >= Self.pointsPerQuestion {
                        pointsAtQuestion = start
                        if shouldStop() { throw .cancelled }
                    }
                    band.addRing(UnsafeBufferPointer(rebasing: buffer[start..<part.end]))
                    start = part.end
                }
            }
            band.sweep(into: pixels, rule: rule, blender: blender)
            top += rowCount
        }
    }
}
