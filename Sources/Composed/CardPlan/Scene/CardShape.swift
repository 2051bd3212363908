import Bytes

/// Closed rings of straight lines, filled where they wind around. Curves are off by less than a fiftieth of a CSS pixel.
package struct CardShape: Equatable, Sendable {
    package var rings: [[SIMD2<Double>]]

    package init(rings: [[SIMD2<Double>]]) { self.rings = rings }

    func moved(by offset: SIMD2<Double>) -> CardShape {
        CardShape(rings: rings.map { ring in ring.map { $0 + offset } })
    }

    package static func box(_ rect: CardRect, radius: Double = 0) -> CardShape {
        let radius = max(0, min(radius, rect.width / 2, rect.height / 2))
        guard radius > 0 else {
            return CardShape(rings: [
                [[rect.x, rect.y], [rect.right, rect.y], [rect.right, rect.bottom], [rect.x, rect.bottom]]
            ])
        }
        let centers: [SIMD2<Double>] = [
            [rect.right - radius, rect.y + radius], [rect.right - radius, rect.bottom - radius],
            [rect.x + radius, rect.bottom - radius], [rect.x + radius, rect.y + radius],
        ]
        return CardShape(rings: [
            centers.enumerated().flatMap { index, center in
                arc(center, radius, from: Double(index) / 4, to: Double(index + 1) / 4)
            }
        ])
    }

    package static func disc(_ center: SIMD2<Double>, radius: Double) -> CardShape {
        CardShape(rings: [arc(center, radius, from: 0, to: 1)])
    }

    /// The border of a box, `width` wide, within it.
    static func frame(_ rect: CardRect, radius: Double, width: Double) -> CardShape {
        let inner = CardRect(
            x: rect.x + width, y: rect.y + width, width: rect.width - 2 * width, height: rect.height - 2 * width)
        let hole = box(inner, radius: radius - width).rings.map { Array($0.reversed()) }
        return CardShape(rings: box(rect, radius: radius).rings + hole)
    }

    /// Between two radii, clockwise from `start` to `end` in turns from the top.
    static func sector(
        _ center: SIMD2<Double>, radii: ClosedRange<Double>, from start: Double, to end: Double
    ) -> CardShape {
        let outer = arc(center, radii.upperBound, from: start, to: end)
        let isWhole = end - start >= 1
        guard radii.lowerBound > 0 else { return CardShape(rings: [isWhole ? outer : outer + [center]]) }
        let inner = Array(arc(center, radii.lowerBound, from: start, to: end).reversed())
        return CardShape(rings: isWhole ? [outer, inner] : [outer + inner])
    }

    /// The part of convex rings between two vertical lines.
    func clipped(_ left: Double, _ right: Double) -> CardShape {
        clipped(from: [right, 0], [-1, 0]).clipped(from: [left, 0], [1, 0])
    }

    /// Clockwise; both ends included.
    private static func arc(
        _ center: SIMD2<Double>, _ radius: Double, from start: Double, to end: Double
    ) -> [SIMD2<Double>] {
        let count = Int(held: ((end - start) * 15.7 * radius.squareRoot()).rounded(.up), in: 3...400)
        return (0...count).map { index in
            center + radius * direction(start + (end - start) * Double(index) / Double(count))
        }
    }

    /// Of unity, for each binary digit of a turn.
    private static let roots: [SIMD2<Double>] = {
        var (root, roots) = (SIMD2<Double>(-1, 0), [SIMD2<Double>]())
        for digit in 0..<40 {
            roots.append(root)
            let half = ((1 + root.x) / 2).squareRoot()
            root = digit == 0 ? [0, 1] : [half, root.y / (2 * half)]
        }
        return roots
    }()

    /// The unit vector `turns` clockwise from the top. Only `+ × ÷ √` on doubles: the same on every machine.
    static func direction(_ turns: Double) -> SIMD2<Double> {
        var rest = turns - turns.rounded(.down)
        var (share, result) = (0.5, SIMD2<Double>(1, 0))
        for root in roots {
            if rest >= share {
                rest -= share
                result = [result.x * root.x - result.y * root.y, result.x * root.y + result.y * root.x]
            }
            share /= 2
        }
        return [result.y, -result.x]
    }
}
