package import Bytes

/// A finished picture: RGBA8, premultiplied, row-major without padding, origin at the top left.
package struct PixelBuffer: Sendable {
    /// `widthPx` × `heightPx` × 4 bytes.
    package let pixels: SharedBytes
    package let widthPx: Int
    package let heightPx: Int
}

/// Draws display lists; belongs to one thread. A picture allocates its pixels and the cells of one band, nothing per command
/// or feature; the buffers for the outlines of strokes grow with the largest, up to a limit, and serve the next picture too.
///
/// Coverage is the exact area in fixed point and blending is integer, and the outlines of strokes use only `+ − × ÷ √`
/// on doubles, which IEEE 754 defines to the last bit: the same list gives the same bytes on every CPU. Whether the same
/// list comes about is up to who makes it.
package final class Rasteriser {
    /// The longest side of a canvas: at most a gibibyte of pixels. A guard against wrong arithmetic, far above what a picture
    /// should have; who takes sizes from outside has a limit of its own.
    package static let sideLimit = 16384

    /// After so many points of a shape it is asked whether to stop.
    static let pointsPerQuestion = 4096
    /// After so many pixels of shapes that lie one over the other it is asked whether to stop.
    static let pixelsPerQuestion = 1 << 22

    var stroker = Stroker()
    private var quadPainter = QuadPainter()

    /// A rasteriser without buffers yet.
    package init() {}

    /// The picture of `list` over `background`.
    ///
    /// Parts outside the canvas are clipped. `shouldStop` is asked before each command, each band of rows and each few
    /// thousand points of a shape.
    /// O(outline length + painted pixels). Throws `canvasOutOfRange` or `cancelled`.
    package func draw(
        _ list: DisplayList, widthPx: Int, heightPx: Int, background: PaintColor, shouldStop: () -> Bool = { false }
    ) throws(RasterError) -> PixelBuffer {
        guard (1...Self.sideLimit).contains(widthPx), (1...Self.sideLimit).contains(heightPx) else {
            throw .canvasOutOfRange(limit: Self.sideLimit)
        }
        // Spans are worked on eight pixels at a time, of which the last may lie behind the picture.
        let memory = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: widthPx * heightPx + SpanBlender.width)
        memory.initialize(repeating: PixelBlender.packed(background).littleEndian)
        let pixels = UnsafeMutableBufferPointer(rebasing: memory[..<(widthPx * heightPx)])
        let shared = SharedBytes(
            adopting: pixels.baseAddress, count: widthPx * heightPx * 4,
            release: { UnsafeMutableRawPointer(mutating: $0).deallocate() })
        // `shared` owns the memory from here on, also when this throws; nobody reads it before it is returned.
        var band = CoverageBand(widthPx: widthPx, heightPx: heightPx)
        var canvas = Canvas(pixels: pixels, widthPx: widthPx, heightPx: heightPx)
        stroker.widthPx = widthPx
        var clip: Int?
        var group: Group?
        var depths: DepthBuffer?
        for command in list.commands {
            if shouldStop() { throw .cancelled }
            if command.clip != clip {
                clip = command.clip
                canvas.clip.set(clip.map { list.clips[$0] })
            }
            switch command.shape {
            case .fill(let range, let rule, let weight, let paint):
                try fill(list, range, .area(rule, weight), paint, &band, canvas, shouldStop)
            case .centres(let range, let paint):
                try fill(list, range, .centres, paint, &band, canvas, shouldStop)
            case .hairlines(let range, let paint):
                try outline(list, range, paint, canvas, shouldStop)
            case .discs(let range):
                var painted = 0
                for index in range {
                    let side = Int(min(Double(max(widthPx, heightPx)), list.discs[index].radius * 2 + 2))
                    painted += 64 + min(side, widthPx) * min(side, heightPx)
                    if painted > Self.pixelsPerQuestion {
                        painted = 0
                        if shouldStop() { throw .cancelled }
                    }
                    list.discs[index].draw(on: canvas)
                }
            case .tiltedDisc(let range, let disc):
                let ends = list.parts[range.start..<range.end]
                let start = list.firstPoint(of: range)
                try fill(list.points, from: start, ends: ends, .centres, disc, &band, canvas, shouldStop)
            case .face(let range, let index):
                let buffer = depths ?? DepthBuffer(pixelCount: widthPx * heightPx)
                depths = buffer
                try draw(list.faces[index], list, range, buffer, &band, canvas, shouldStop)
            case .beginGroup:
                guard group == nil else { continue }
                let started = Group(pixelCount: widthPx * heightPx)
                canvas.pixels = started.pixels
                group = started
            case .endGroup(let opacity):
                group?.composite(over: pixels, opacity: opacity)
                canvas.pixels = pixels
                group = nil
            case .surface(let surface): surface.draw(on: canvas)
            case .densities(let map): try map.draw(on: canvas, shouldStop: shouldStop)
            case .lines(let mesh): try LineRasteriser.draw(mesh, on: canvas, shouldStop: shouldStop)
            case .stroke(let range, let style, let color):
                try stroke(list, range, style, PixelBlender(color), &band, canvas, shouldStop)
            case .quads(let range, let style):
                try quadPainter.paint(list.quadStore, range, style, canvas, shouldStop)
            }
        }
        return PixelBuffer(pixels: shared, widthPx: widthPx, heightPx: heightPx)
    }
}
