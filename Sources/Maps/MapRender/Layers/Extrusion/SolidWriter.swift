import MapStyle
import Raster

struct SolidWriter {
    private let frame: Frame
    private let tile: PlacedTile
    private let projection: TileProjection
    /// In units of the tile.
    private let offset: ScreenPoint
    private let yieldsToEqual: Bool
    private var ring: PerspectiveRing
    private var outline = Path()

    init(_ frame: Frame, _ tile: PlacedTile, _ projection: TileProjection, offset: ScreenPoint, yieldsToEqual: Bool) {
        (self.frame, self.tile, self.projection, self.offset) = (frame, tile, projection, offset)
        self.yieldsToEqual = yieldsToEqual
        ring = PerspectiveRing(projection, near: frame.view.nearDistance)
    }

    mutating func add(_ cursor: FeatureCursor, _ style: SolidStyle) {
        let isPolygon = cursor.kind == .polygon
        for part in cursor.parts {
            addSides(cursor.layer.vertices[cursor.layer.part(part)], style, isClosed: isPolygon)
        }
        if isPolygon { addRoof(cursor, style) }
    }

    private mutating func addRoof(_ cursor: FeatureCursor, _ style: SolidStyle) {
        let z = style.height * style.pixelsPerMetre
        let origin = SIMD3(offset.x, offset.y, z)
        guard let mapping = projection.mapping(origin: origin, s: SIMD3(1, 0, 0), t: SIMD3(0, 1, 0)) else { return }
        for part in cursor.parts {
            for vertex in cursor.layer.vertices[cursor.layer.part(part)] {
                ring.add(projection.homogeneous(SIMD4(Double(vertex.x) + offset.x, Double(vertex.y) + offset.y, z, 1)))
            }
            let points = ring.finish().ring
            if points.count > 2 { outline.addRing(points.lazy.map(frame.fixed)) }
        }
        let colors = style.colors(normal: SIMD3(0, 0, 1))
        let picture = style.pattern.map { image -> Face.Picture in
            let placement = frame.patternPlacement(image, tile)
            return Face.Picture(
                texture: image.texture, across: SIMD2(placement.scale, placement.start.x),
                down: SIMD2(placement.scale, placement.start.y))
        }
        let face = Face(
            mapping: mapping, low: 0, high: 0, lowColor: colors.high, highColor: colors.high, picture: picture,
            yieldsToEqual: yieldsToEqual)
        add(face)
    }

    private mutating func addSides(_ vertices: ArraySlice<TileVertex>, _ style: SolidStyle, isClosed: Bool) {
        guard vertices.count > 1, let first = vertices.first, !Self.isOutside(vertices) else { return }
        var distance = 0.0
        var previous = first
        for vertex in vertices.dropFirst() {
            addSide(from: previous, to: vertex, style, &distance)
            previous = vertex
        }
        if isClosed { addSide(from: previous, to: first, style, &distance) }
    }

    private mutating func addSide(
        from previous: TileVertex, to vertex: TileVertex, _ style: SolidStyle, _ distance: inout Double
    ) {
        let (x, y) = (Double(vertex.x), Double(vertex.y))
        let along = SIMD2(x - Double(previous.x), y - Double(previous.y))
        let length = (along * along).sum().squareRoot()
        guard length > 0, !Self.isBoundary(previous, vertex) else { return }
        // MapLibre counts distances in 16 bits.
        if distance + length > 32768 { distance = 0 }
        let start = distance
        distance += length
        let (low, high) = (style.base * style.pixelsPerMetre, style.height * style.pixelsPerMetre)
        let origin = SIMD3(x + offset.x, y + offset.y, 0)
        let unit = along / length
        for (part, z) in [(0.0, low), (-length, low), (-length, high), (0, high)] {
            ring.add(projection.homogeneous(SIMD4(origin.x + unit.x * part, origin.y + unit.y * part, z, 1)))
        }
        let (points, area) = ring.finish()
        guard area < 0,
            let mapping = projection.mapping(origin: origin, s: SIMD3(-unit.x, -unit.y, 0), t: SIMD3(0, 0, 1))
        else { return }
        if points.count > 2 { outline.addRing(points.lazy.map(frame.fixed)) }
        let colors = style.colors(normal: SIMD3(-unit.y, unit.x, 0))
        let picture = style.pattern.map { image -> Face.Picture in
            let placement = frame.patternPlacement(image, tile)
            // MapLibre's unit of heights: an eighth of the pixels of a tile.
            let rise = -Trigonometry.powerOfTwo(Double(tile.id.z)) / 512 / 8 / style.pixelsPerMetre
            return Face.Picture(
                texture: image.texture,
                across: SIMD2(placement.scale, placement.start.x + start.rounded() * placement.scale),
                down: SIMD2(placement.scale * rise, placement.start.y))
        }
        let face = Face(
            mapping: mapping, low: low, high: high, lowColor: colors.low, highColor: colors.high, picture: picture,
            yieldsToEqual: yieldsToEqual)
        add(face)
    }

    private mutating func add(_ face: Face) {
        frame.list.face(face, outline: outline)
        outline.removeAll()
    }

    /// Whether a side comes from cutting at the border of a tile.
    private static func isBoundary(_ a: TileVertex, _ b: TileVertex) -> Bool {
        let limit = Int16(FeatureLayer.extent)
        return a.x == b.x && (a.x < 0 || a.x > limit) || a.y == b.y && (a.y < 0 || a.y > limit)
    }

    /// Whether all vertices are beyond one side of the tile, where the neighbour draws them.
    private static func isOutside(_ vertices: ArraySlice<TileVertex>) -> Bool {
        let limit = Int16(FeatureLayer.extent)
        return vertices.allSatisfy { $0.x < 0 } || vertices.allSatisfy { $0.x > limit }
            || vertices.allSatisfy { $0.y < 0 } || vertices.allSatisfy { $0.y > limit }
    }
}
