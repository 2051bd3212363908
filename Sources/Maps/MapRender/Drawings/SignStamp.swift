import Raster

/// A sign drawn once and stamped wherever it stands: a sign in thousands of places would take as many display lists.
///
/// Stamps lie on whole pixels. For signs of usual sizes there are several, each moved by a part of a pixel, and the one nearest
/// to the place is taken: none is off by more than an eighth of a pixel.
struct SignStamp {
    /// From so many places on a sign is stamped.
    static let least = 48

    /// The place where a stamp goes: the pixel of its upper left corner.
    private struct Phase: Hashable {
        var x: Int
        var y: Int
    }

    private let side: Int
    private let phaseCount: Int
    private var stamps: [Phase: TextureReference] = [:]

    /// Stamps of signs that reach so many device pixels around their place; nil for those that are too large.
    init?(reach: Double) {
        guard reach < 1024 else { return nil }
        side = Int(max(1, reach).rounded(.up)) * 2 + 4
        phaseCount = side <= 256 ? 4 : side <= 640 ? 2 : 1
    }

    /// Adds the quad of a sign at `anchor`; `paint` draws the sign at a place of the empty display list of `frame`.
    mutating func add(at anchor: ScreenPoint, _ frame: Frame, paint: (ScreenPoint) -> Void) throws(MapError) {
        let count = Double(phaseCount)
        // The corner in parts of a pixel.
        let half = Double(side / 2)
        let (x, y) = (((anchor.x - half) * count).rounded(), ((anchor.y - half) * count).rounded())
        let (left, top) = ((x / count).rounded(.down), (y / count).rounded(.down))
        let phase = Phase(x: Int(x - left * count), y: Int(y - top * count))
        if stamps[phase] == nil {
            let texture = try draw(frame) {
                paint(ScreenPoint(x: half + Double(phase.x) / count, y: half + Double(phase.y) / count))
            }
            stamps[phase] = texture.map { frame.list.addTexture($0) }
        }
        guard let texture = stamps[phase] else { return }
        func corner(_ dx: Int, _ dy: Int) -> FixedPoint {
            frame.fixed(ScreenPoint(x: left + Double(dx), y: top + Double(dy)))
        }
        frame.list.addQuad(
            TexturedQuad(
                topLeft: corner(0, 0), topRight: corner(side, 0), bottomLeft: corner(0, side),
                bottomRight: corner(side, side), piece: SIMD4(0, 0, Float(side), Float(side)), texture: texture))
    }

    /// The picture of what `paint` puts on the display list.
    private func draw(_ frame: Frame, paint: () -> Void) throws(MapError) -> Texture? {
        var list = DisplayList()
        swap(&frame.list, &list)
        paint()
        swap(&frame.list, &list)
        do throws(RasterError) {
            let picture = try Rasteriser().draw(
                list, widthPx: side, heightPx: side, background: .transparent, shouldStop: frame.shouldStop)
            return Texture(widthPx: side, heightPx: side, format: .rgba, texels: picture.pixels)
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }
}
