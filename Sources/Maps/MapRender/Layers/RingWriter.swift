import Raster

struct RingWriter {
    private let frame: Frame
    private let projection: TileProjection
    private let translation: ScreenPoint
    private let window: TileWindow
    private let offset: ScreenPoint
    private var perspective: PerspectiveRing
    var path = Path()

    /// The content is clipped to its tile's square and moved by `translation` device pixels.
    init(_ frame: Frame, _ projection: TileProjection, translation: ScreenPoint) {
        (self.frame, self.projection, self.translation) = (frame, projection, translation)
        window = TileWindow(frame, projection, translation: translation, isClipped: true)
        offset = frame.groundOffset(translation, projection)
        perspective = PerspectiveRing(projection, near: frame.view.nearDistance)
    }

    mutating func add(_ cursor: FeatureCursor) {
        let layer = cursor.layer
        layer.vertices.withUnsafeBufferPointer { vertices in
            for part in cursor.parts {
                let ring = UnsafeBufferPointer(rebasing: vertices[layer.part(part)])
                guard ring.count > 2 else { continue }
                if !projection.isFlat {
                    project(ring)
                } else if window.touches(layer.boxes[part]) {
                    if window.needsCutting { cut(ring) } else { place(ring) }
                }
            }
        }
    }

    private mutating func place(_ ring: UnsafeBufferPointer<TileVertex>) {
        let (tx, ty) = (projection.tx + translation.x, projection.ty + translation.y)
        // Point by point: `Path.addRing` is generic, and not specialized for callers in other modules.
        path.endPart()
        for vertex in ring {
            let (x, y) = (Double(vertex.x), Double(vertex.y))
            path.add(
                FixedPoint(
                    x: Frame.fixed(projection.a * x + projection.c * y + tx),
                    y: Frame.fixed(projection.b * x + projection.d * y + ty)))
        }
        path.endPart(closed: true)
    }

    private mutating func cut(_ ring: UnsafeBufferPointer<TileVertex>) {
        let places = window.cut(ring.map { ScreenPoint(x: Double($0.x), y: Double($0.y)) })
        add(places.map { projection.point($0.x, $0.y) + translation })
    }

    private mutating func project(_ ring: UnsafeBufferPointer<TileVertex>) {
        for vertex in ring {
            perspective.add(
                projection.homogeneous(SIMD4(Double(vertex.x) + offset.x, Double(vertex.y) + offset.y, 0, 1)))
        }
        add(perspective.finish().ring)
    }

    private mutating func add(_ ring: [ScreenPoint]) { if ring.count > 2 { path.addRing(ring.lazy.map(frame.fixed)) } }
}
