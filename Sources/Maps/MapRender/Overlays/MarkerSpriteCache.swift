import Colors
import Raster

/// The pictures of a marker with thousands of places, which would take as many display lists: it is drawn once, and then
/// copied to wherever it is.
///
/// Copies lie on whole pixels. For markers of usual sizes there are several pictures, each moved by a part of a pixel, and the one
/// nearest to the place is taken: none is off by more than an eighth of a pixel.
struct MarkerSpriteCache {
    /// From so many places on it pays.
    static let least = 48

    /// By how many parts of a pixel a picture is moved.
    private struct Phase: Hashable {
        var x: Int
        var y: Int
    }

    private let side: Int
    private let phaseCount: Int
    private var sprites: [Phase: TextureReference] = [:]

    /// For a marker that reaches so many device pixels around its place; nil for one that is too large.
    init?(reach: Double) {
        guard reach < 1024 else { return nil }
        side = Int(max(1, reach).rounded(.up)) * 2 + 4
        phaseCount = side <= 256 ? 4 : side <= 640 ? 2 : 1
    }

    /// The quad of the marker at `anchor`; `paint` draws the marker at a place of the empty display list of `frame`.
    mutating func quad(
        at anchor: ScreenPoint, _ frame: Frame, paint: (ScreenPoint) -> Void
    ) throws(MapError) -> TexturedQuad? {
        let count = Double(phaseCount)
        // The corner in parts of a pixel.
        let half = Double(side / 2)
        let (x, y) = (((anchor.x - half) * count).rounded(), ((anchor.y - half) * count).rounded())
        let (left, top) = ((x / count).rounded(.down), (y / count).rounded(.down))
        let phase = Phase(x: Int(x - left * count), y: Int(y - top * count))
        if sprites[phase] == nil {
            let texture = try draw(frame) {
                paint(ScreenPoint(x: half + Double(phase.x) / count, y: half + Double(phase.y) / count))
            }
            sprites[phase] = texture.map { frame.list.addTexture($0) }
        }
        guard let texture = sprites[phase] else { return nil }
        func corner(_ dx: Int, _ dy: Int) -> FixedPoint {
            frame.fixed(ScreenPoint(x: left + Double(dx), y: top + Double(dy)))
        }
        return TexturedQuad(
            topLeft: corner(0, 0), topRight: corner(side, 0), bottomLeft: corner(0, side),
            bottomRight: corner(side, side), piece: SIMD4(0, 0, Float(side), Float(side)), texture: texture)
    }

    /// The picture of what `paint` puts on the display list.
    private func draw(_ frame: Frame, paint: () -> Void) throws(MapError) -> Texture? {
        var list = DisplayList()
        swap(&frame.list, &list)
        paint()
        swap(&frame.list, &list)
        do throws(RasterError) {
            let picture = try Rasteriser.draw(
                list, widthPx: side, heightPx: side, background: .transparent, shouldStop: frame.shouldStop)
            return Texture(widthPx: side, heightPx: side, format: .rgba, texels: picture.pixels)
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }
}
