import Raster

/// Writes the rings of a tile's polygons to the display list: those that can show, cut where they reach too far.
struct RingWriter {
    private let frame: Frame
    private let projection: TileProjection
    private let translation: ScreenPoint
    private let window: TileWindow
    /// The translation in units of the tile.
    private let offset: ScreenPoint
    private var perspective: PerspectiveRing
    /// The ring in the making.
    private var points: [FixedPoint] = []

    /// A writer for a tile whose content is clipped to its square and moved by `translation` device pixels.
    init(_ frame: Frame, _ projection: TileProjection, translation: ScreenPoint) {
        self.frame = frame
        self.projection = projection
        self.translation = translation
        window = TileWindow(frame, projection, translation: translation, isClipped: true)
        offset = frame.groundOffset(translation, projection)
        perspective = PerspectiveRing(projection, near: frame.view.nearDistance)
    }

    /// Adds the rings of the feature on which the cursor stands.
    mutating func add(_ cursor: FeatureCursor) {
        let layer = cursor.layer
        layer.vertices.withUnsafeBufferPointer { vertices in
            for part in cursor.parts {
                let ring = UnsafeBufferPointer(rebasing: vertices[layer.part(part)])
                guard ring.count > 2 else { continue }
                points.removeAll(keepingCapacity: true)
                if !projection.isFlat {
                    project(ring)
                } else if shows(ring) {
                    if window.needsCutting { cut(ring) } else { place(ring) }
                }
                // Written at once: the list belongs to an object, and each access to that is checked.
                if points.count > 2 { frame.list.addRing(points) }
            }
        }
    }

    private mutating func place(_ ring: UnsafeBufferPointer<TileVertex>) {
        let (tx, ty) = (projection.tx + translation.x, projection.ty + translation.y)
        for vertex in ring {
            let (x, y) = (Double(vertex.x), Double(vertex.y))
            points.append(
                FixedPoint(
                    x: Frame.fixed(projection.a * x + projection.c * y + tx),
                    y: Frame.fixed(projection.b * x + projection.d * y + ty)))
        }
    }

    private mutating func cut(_ ring: UnsafeBufferPointer<TileVertex>) {
        for place in window.cut(ring.map({ ScreenPoint(x: Double($0.x), y: Double($0.y)) })) {
            points.append(frame.fixed(projection.point(place.x, place.y) + translation))
        }
    }

    private mutating func project(_ ring: UnsafeBufferPointer<TileVertex>) {
        for vertex in ring {
            perspective.add(
                projection.homogeneous(SIMD4(Double(vertex.x) + offset.x, Double(vertex.y) + offset.y, 0, 1)))
        }
        for place in perspective.finish().ring { points.append(frame.fixed(place)) }
    }

    private func shows(_ ring: UnsafeBufferPointer<TileVertex>) -> Bool {
        var (minX, minY) = (Int16.max, Int16.max)
        var (maxX, maxY) = (Int16.min, Int16.min)
        for vertex in ring {
            minX = min(minX, vertex.x)
            maxX = max(maxX, vertex.x)
            minY = min(minY, vertex.y)
            maxY = max(maxY, vertex.y)
        }
        return window.touches(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }
}
