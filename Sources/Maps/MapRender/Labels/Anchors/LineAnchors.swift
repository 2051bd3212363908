// Spread evenly from a line's start, at distances of the size at level 18: labels hardly move from level to level.
struct LineAnchors {
    static let limit = 4096

    /// In units of the tile.
    var spacing: Double
    /// Radians of turn that a label may take within ``angleWindow``.
    var maxAngle: Double
    /// Of the label, in units of the tile per ``boxScale``.
    var shapedLength: Double
    var hasText: Bool
    /// From the units of shapes to units of the tile.
    var boxScale: Double
    var overscaling = 1.0

    private var labelLength: Double { shapedLength * boxScale }
    private var angleWindow: Double { hasText ? 0.6 * GlyphImage.em * boxScale : 0 }

    func center(_ line: [TileVertex]) -> SymbolPosition? {
        let middle = Self.length(line) / 2
        var distance = 0.0
        for index in line.indices.dropLast() {
            let (a, b) = (line[index], line[index + 1])
            let step = a.distance(to: b)
            if distance + step > middle {
                let place = Self.position((middle - distance) / step, from: a, to: b, segment: index)
                return fits(line, place) ? place : nil
            }
            distance += step
        }
        return nil
    }

    func spread(_ line: [TileVertex]) -> [SymbolPosition] {
        guard let first = line.first else { return [] }
        let extent = Int16(FeatureLayer.extent)
        let isContinued = first.x == 0 || first.x == extent || first.y == 0 || first.y == extent
        // At least a quarter of the spacing stays free between labels.
        let wanted = spacing - labelLength < spacing / 4 ? labelLength + spacing / 4 : spacing
        guard wanted.isFinite else { return [] }
        let step = max(1, wanted)
        // The first label of a line that begins here is off the start, where others may cross.
        let start =
            isContinued
            ? (step / 2 * overscaling).truncatingRemainder(dividingBy: step)
            : ((shapedLength / 2 + GlyphImage.em * 2) * boxScale * overscaling).truncatingRemainder(dividingBy: step)
        let places = walk(line, from: start, step: step)
        if !places.isEmpty || isContinued { return places }
        return walk(line, from: Self.length(line) / 2, step: step)
    }

    private func walk(_ line: [TileVertex], from start: Double, step: Double) -> [SymbolPosition] {
        let length = Self.length(line)
        let half = labelLength / 2
        let side = Double(FeatureLayer.extent)
        var places: [SymbolPosition] = []
        var distance = 0.0
        var marked = start - step
        for index in line.indices.dropLast() {
            let (a, b) = (line[index], line[index + 1])
            let segment = a.distance(to: b)
            while marked + step < distance + segment {
                marked += step
                let t = (marked - distance) / segment
                let x = Double(a.x) + Double(Int(b.x) - Int(a.x)) * t
                let y = Double(a.y) + Double(Int(b.y) - Int(a.y)) * t
                guard x >= 0, x < side, y >= 0, y < side, marked - half >= 0, marked + half <= length else { continue }
                let place = Self.position(t, from: a, to: b, segment: index)
                if fits(line, place) { places.append(place) }
                if places.count >= Self.limit { return places }
            }
            distance += segment
        }
        return places
    }

    private static func length(_ line: [TileVertex]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    private static func position(_ t: Double, from a: TileVertex, to b: TileVertex, segment: Int) -> SymbolPosition {
        let x = Double(a.x) + t * Double(Int(b.x) - Int(a.x))
        let y = Double(a.y) + t * Double(Int(b.y) - Int(a.y))
        return SymbolPosition(
            x: (x + 0.5).rounded(.down), y: (y + 0.5).rounded(.down), angle: a.angle(to: b), segment: Int32(segment))
    }

    /// Whether the line goes on far enough on both sides and turns little enough for a label there.
    private func fits(_ line: [TileVertex], _ place: SymbolPosition) -> Bool {
        guard angleWindow != 0, labelLength > 0 else { return true }
        var index = Int(place.segment)
        let (dx, dy) = (Double(line[index].x) - place.x, Double(line[index].y) - place.y)
        var distance = -(dx * dx + dy * dy).squareRoot()
        while distance > -labelLength / 2 {
            index -= 1
            guard index >= 0 else { return false }
            distance -= line[index].distance(to: line[index + 1])
        }
        distance += line[index].distance(to: line[index + 1])
        index += 1
        return turnsLittle(line, from: index, distance: distance)
    }

    private func turnsLittle(_ line: [TileVertex], from index: Int, distance: Double) -> Bool {
        var index = index
        var distance = distance
        var corners: [(distance: Double, turn: Double)] = []
        var first = 0
        var total = 0.0
        while distance < labelLength / 2 {
            guard index + 1 < line.count else { return false }
            let before = line[index - 1].angle(to: line[index])
            let after = line[index].angle(to: line[index + 1])
            let turn = abs((before - after + 3 * .pi).truncatingRemainder(dividingBy: 2 * .pi) - .pi)
            corners.append((distance, turn))
            total += turn
            while distance - corners[first].distance > angleWindow {
                total -= corners[first].turn
                first += 1
            }
            if total > maxAngle { return false }
            distance += line[index].distance(to: line[index + 1])
            index += 1
        }
        return true
    }
}

extension TileVertex {
    func distance(to other: TileVertex) -> Double {
        let dx = Double(Int(other.x) - Int(x))
        let dy = Double(Int(other.y) - Int(y))
        return (dx * dx + dy * dy).squareRoot()
    }

    func angle(to other: TileVertex) -> Double {
        Trigonometry.angle(x: Double(Int(other.x) - Int(x)), y: Double(Int(other.y) - Int(y)))
    }
}
