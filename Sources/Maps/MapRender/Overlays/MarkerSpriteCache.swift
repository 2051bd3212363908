import Bytes
import Colors
import Raster

/// The pictures of a marker with thousands of places: drawn once, then copied to whole pixels. Markers of usual sizes
/// have several, moved by parts of a pixel: the nearest is off by at most an eighth of a pixel.
package struct MarkerSpriteCache {
    package static let least = 48

    private struct Phase: Hashable { var x, y: Int }

    /// A picture, and the part of it that is not empty, which alone is copied.
    private struct Sprite {
        let texture: TextureReference
        let columns, rows: Range<Int>
    }

    /// Device pixels.
    package let side: Int
    private let phaseCount: Int
    private var sprites: [Phase: Sprite] = [:]

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
            sprites[phase] = try draw(frame) {
                paint(ScreenPoint(x: half + Double(phase.x) / count, y: half + Double(phase.y) / count))
            }
        }
        guard let sprite = sprites[phase] else { return nil }
        func corner(_ dx: Int, _ dy: Int) -> FixedPoint {
            frame.fixed(ScreenPoint(x: left + Double(dx), y: top + Double(dy)))
        }
        let (columns, rows) = (sprite.columns, sprite.rows)
        return TexturedQuad(
            topLeft: corner(columns.lowerBound, rows.lowerBound), topRight: corner(columns.upperBound, rows.lowerBound),
            bottomLeft: corner(columns.lowerBound, rows.upperBound),
            bottomRight: corner(columns.upperBound, rows.upperBound),
            piece: SIMD4(
                Float(columns.lowerBound), Float(rows.lowerBound), Float(columns.upperBound), Float(rows.upperBound)),
            texture: sprite.texture)
    }

    /// Nil where nothing is to be seen.
    private func draw(_ frame: Frame, paint: () -> Void) throws(MapError) -> Sprite? {
        var list = DisplayList()
        swap(&frame.list, &list)
        paint()
        swap(&frame.list, &list)
        do throws(RasterError) {
            let picture = try Rasteriser.draw(
                list, widthPx: side, heightPx: side, background: .transparent, shouldStop: frame.shouldStop)
            let (columns, rows) = filled(picture.pixels)
            guard !columns.isEmpty,
                let texture = Texture(widthPx: side, heightPx: side, format: .rgba, texels: picture.pixels)
            else { return nil }
            return Sprite(texture: frame.list.addTexture(texture), columns: columns, rows: rows)
        } catch {
            if error == .cancelled { throw .cancelled }
            return nil
        }
    }

    /// The box around all pixels that are not transparent.
    private func filled(_ pixels: SharedBytes) -> (columns: Range<Int>, rows: Range<Int>) {
        var (left, right, top, bottom) = (side, 0, side, 0)
        unsafe pixels.withUnsafeBytes { bytes in
            for row in 0..<side {
                for column in 0..<side where unsafe bytes[(row * side + column) * 4 + 3] != 0 {
                    (left, right) = (min(left, column), max(right, column + 1))
                    (top, bottom) = (min(top, row), row + 1)
                }
            }
        }
        return left < right ? (left..<right, top..<bottom) : (0..<0, 0..<0)
    }
}
