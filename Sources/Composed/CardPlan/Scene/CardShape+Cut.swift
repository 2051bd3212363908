// Shapes of convex rings that are cut.
extension CardShape {
    /// |x|⁴ + |y|⁴ = 1.
    static func squircle(_ rect: CardRect) -> CardShape {
        let count = 160
        let center: SIMD2<Double> = [rect.middleX, rect.middleY]
        return CardShape(rings: [
            (0..<count).map { index in
                let along = direction(Double(index) / Double(count))
                let (x, y) = (abs(along.x).squareRoot(), abs(along.y).squareRoot())
                return [
                    center.x + (along.x < 0 ? -x : x) * rect.width / 2,
                    center.y + (along.y < 0 ? -y : y) * rect.height / 2,
                ]
            }
        ])
    }

    /// What lies on the side of `normal` of a line through `point`.
    func clipped(from point: SIMD2<Double>, _ normal: SIMD2<Double>) -> CardShape {
        func distance(_ place: SIMD2<Double>) -> Double { ((place - point) * normal).sum() }
        let cut = rings.map { ring -> [SIMD2<Double>] in
            guard let first = ring.first else { return [] }
            var kept: [SIMD2<Double>] = []
            // A line cuts a convex ring twice.
            kept.reserveCapacity(ring.count + 2)
            var (place, near) = (first, distance(first))
            for index in ring.indices {
                let next = index + 1 < ring.count ? ring[index + 1] : first
                let far = distance(next)
                if near >= 0 { kept.append(place) }
                if (near >= 0) != (far >= 0) { kept.append(place + (next - place) * (near / (near - far))) }
                (place, near) = (next, far)
            }
            return kept
        }
        return CardShape(rings: cut.filter { $0.count > 2 })
    }

    /// What lies in `rect`, `margin` away from those of its sides (left, top, right, bottom) that are named.
    func clipped(to rect: CardRect, sides: [Bool], _ margin: Double) -> CardShape {
        var shape = self
        let lines: [(SIMD2<Double>, SIMD2<Double>)] = [
            ([rect.x + margin, 0], [1, 0]), ([0, rect.y + margin], [0, 1]), ([rect.right - margin, 0], [-1, 0]),
            ([0, rect.bottom - margin], [0, -1]),
        ]
        for (line, isCut) in zip(lines, sides) where isCut { shape = shape.clipped(from: line.0, line.1) }
        return shape
    }

    /// Without a disc: convex pieces side by side, which are filled as one.
    func without(_ center: SIMD2<Double>, _ radius: Double) -> CardShape {
        let disc = CardShape.disc(center, radius: radius).rings[0]
        var pieces: [[SIMD2<Double>]] = []
        for ring in rings {
            let isNear = CardShape(rings: [ring]).bounds.map {
                $0.x < center.x + radius && $0.right > center.x - radius && $0.y < center.y + radius
                    && $0.bottom > center.y - radius
            }
            guard isNear ?? false else {
                pieces.append(ring)
                continue
            }
            // What lies beyond each side of the disc is a piece; the rest goes on to the next side.
            var rest = CardShape(rings: [ring])
            for (start, end) in zip(disc, disc.dropFirst()) {
                let inwards = SIMD2(start.y - end.y, end.x - start.x)
                pieces += rest.clipped(from: start, -inwards).rings
                rest = rest.clipped(from: start, inwards)
            }
        }
        return CardShape(rings: pieces)
    }

    /// What of this convex shape lies in the convex pieces of another, which go around clockwise.
    func within(_ other: CardShape) -> CardShape {
        CardShape(
            rings: other.rings.flatMap { ring in
                zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(self) { rest, side in
                    rest.clipped(from: side.0, SIMD2(side.0.y - side.1.y, side.1.x - side.0.x))
                }.rings
            })
    }

    var bounds: CardRect? {
        var (left, right, top, bottom) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        for ring in rings {
            for place in ring {
                (left, right) = (min(left, place.x), max(right, place.x))
                (top, bottom) = (min(top, place.y), max(bottom, place.y))
            }
        }
        guard right > left, bottom > top else { return nil }
        return CardRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The middle of the area of the first ring.
    var centroid: SIMD2<Double> {
        guard let ring = rings.first, let origin = ring.first else { return [0, 0] }
        var (sum, area) = (SIMD2<Double>(0, 0), 0.0)
        for (start, end) in zip(ring, ring.dropFirst()) {
            let (a, b) = (start - origin, end - origin)
            let cross = a.x * b.y - b.x * a.y
            area += cross
            sum += (a + b) * cross
        }
        return area == 0 ? origin : origin + sum / (3 * area)
    }

    /// From `place` to the nearest side of the first ring.
    func distance(from place: SIMD2<Double>) -> Double {
        guard let ring = rings.first else { return 0 }
        var least = Double.greatestFiniteMagnitude
        for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
            let (way, from) = (end - start, place - start)
            let length = (way * way).sum()
            let share = length > 0 ? max(0, min(1, (way * from).sum() / length)) : 0
            let offset = from - way * share
            least = min(least, (offset * offset).sum())
        }
        return least.squareRoot()
    }
}
