import Colors
import Raster

/// The pictures of a marker with thousands of places: drawn once, then copied to whole pixels. Markers of usual sizes
/// have several, moved by parts of a pixel: the nearest is off by at most an eighth of a pixel.
package struct MarkerSpriteCache {
    package static let least = 48

    private struct Phase: Hashable { var x, y: Int }

    /// Device pixels.
    package let side: Int
    private let phaseCount: Int
    private var sprites: [Phase: TextureReference] = [:]

    /// The most pictures of one marker.
    package var countLimit: Int { phaseCount * phaseCount }

    /// `reach` is in device pixels.
    package init?(reach: Double) {
        guard reach < 1024 else { return nil }
        side = Int(max(1, reach).rounded(.up)) * 2 + 4
        phaseCount = side <= 256 ? 4 : side <= 640 ? 2 : 1
    }

    /// `paint` draws the marker at a place of the empty display list of `frame`.
    mutating func quad(
        at anchor: ScreenPoint, _ frame: Frame, paint: (ScreenPoint) -> Void
    ) throws(MapError) -> TexturedQuad? {
        let count = Double(phaseCount)
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
