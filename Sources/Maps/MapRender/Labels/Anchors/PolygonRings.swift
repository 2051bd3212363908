enum PolygonRings {
    /// Each exterior ring with its holes. Exterior rings run like the first one; rings without area are left out.
    static func group(_ rings: [[TileVertex]]) -> [[[TileVertex]]] {
        if rings.count == 1 { return [rings] }
        var polygons: [[[TileVertex]]] = []
        var direction: Bool?
        for ring in rings {
            let area = ring.doubledArea(after: ring.last)
            if area == 0 { continue }
            let isClockwise = area > 0
            if direction == nil { direction = isClockwise }
            if direction == isClockwise {
                polygons.append([ring])
            } else if !polygons.isEmpty {
                polygons[polygons.count - 1].append(ring)
            }
        }
        return polygons
    }
}
