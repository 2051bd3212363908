import MapGrammar
import MapRender

/// Finds the closest camera that shows all targets.
///
/// A camera with a fixed turn and tilt shows the ground as a projective map of `scale × (place - centre)`, so a
/// rectangle of pixels shows a convex polygon of these. For each of its sides, with normal n and offset m, a place p is
/// visible if n · (s·p - s·c) <= m: linear in the scale s and in s·c. Both are multiplied by k, how much larger the
/// middle of the targets appears than the middle of the image, which keeps the inequalities linear. Bisection finds the
/// largest s·k with a solution; the largest s alone would, on a tilted map, move everything far away.
struct GroundFit {
    /// CSS pixels of the world's side at level 0 of the 256-pixel world, and at its last level.
    static let scales = 256.0...256 * 16_777_216.0

    private let view: View
    private let padding: MapPadding
    /// Where the ground comes nearer, times how much larger it appears per CSS pixel; zero without a tilt.
    private let tilt: SIMD2<Double>
    private let shouldStop: () -> Bool

    /// What is found after `shouldStop` is true is of no use.
    init(_ camera: Camera, _ padding: MapPadding, shouldStop: @escaping () -> Bool = { false }) {
        var camera = camera
        (camera.longitude, camera.latitude, camera.zoom) = (0, 0, 0)
        view = View(camera)
        self.padding = padding
        self.shouldStop = shouldStop
        // Down the picture.
        let down = Trigonometry.sineAndCosine(Trigonometry.radians(camera.bearing))
        let steepness = camera.isFlat ? 0 : Trigonometry.sineAndCosine(Trigonometry.radians(camera.pitch)).sine
        tilt = SIMD2(-down.sine, down.cosine) * (steepness / view.cameraToCenterDistance)
    }

    /// A centre on the Mercator plane, and the side of the world in CSS pixels.
    struct Found: Equatable {
        var center: SIMD2<Double>
        var scale: Double
    }

    /// Shows `place` in the middle of what the padding leaves.
    func looking(at place: SIMD2<Double>, scale: Double) -> Found {
        Found(center: place - middleOfRoom / scale, scale: scale)
    }

    /// Shows all targets, with `place` in the middle of what the padding leaves; the scale is at most `limit`.
    func looking(at place: SIMD2<Double>, showing targets: FitTargets, limit: Double) -> Found {
        let ground = middleOfRoom
        var scale = limit
        for (margin, places) in targets.places {
            for side in sides(margin, share: 1) {
                let slack = side.most - dot(side.normal, ground)
                for target in places {
                    let reach = dot(side.normal, target - place)
                    if reach > 0 { scale = min(scale, slack / reach) }
                }
            }
        }
        let found = looking(at: place, scale: max(Self.scales.lowerBound, scale))
        // Near a pole the world may end before the place can be in the middle.
        return (0...1).contains(found.center.y) ? found : showing(targets, limit: limit)
    }

    /// Shows all targets, centred if possible; the scale is at most `limit`.
    func showing(_ targets: FitTargets, limit: Double) -> Found {
        guard !targets.isEmpty else { return looking(at: SIMD2(0.5, 0.5), scale: Self.scales.lowerBound) }
        // Margins that do not fit are made smaller.
        for share in [1, 0.5, 0.25, 0] {
            if let found = showing(targets, share: share, limit: max(Self.scales.lowerBound, limit)) { return found }
        }
        return looking(at: targets.middle, scale: Self.scales.lowerBound)
    }

    /// Shows nothing outside of a box, centred if possible; the scale is at most `limit`.
    func within(_ least: SIMD2<Double>, _ most: SIMD2<Double>, limit: Double) -> Found {
        let corners = corners(.none, share: 0)
        let low = corners.reduce(SIMD2(Double.infinity, .infinity)) { pointwiseMin($0, $1) }
        let high = corners.reduce(SIMD2(-Double.infinity, -.infinity)) { pointwiseMax($0, $1) }
        let needed = (high - low) / (most - least)
        let scale = max(Self.scales.lowerBound, min(limit, max(needed.x, needed.y)))
        return Found(center: (least + most - (low + high) / scale) / 2, scale: scale)
    }

    /// A side of the visible ground: `normal · place <= most` inside.
    private struct Side {
        var normal: SIMD2<Double>
        var most: Double
    }

    /// `normal · centre >= size × least + constant`, where `size` is s·k and `centre` is s·k·c in CSS pixels.
    private struct Inequality {
        var normal: SIMD2<Double>
        var least: Double
        var constant: Double

        func depth(of center: SIMD2<Double>, size: Double) -> Double { dot(normal, center) - (size * least + constant) }
    }

    private func showing(_ targets: FitTargets, share: Double, limit: Double) -> Found? {
        let inequalities = inequalities(targets, share: share, limit: limit)
        let extent = (targets.most - targets.least).max()
        func centers(_ size: Double) -> [SIMD2<Double>] {
            let camera = view.camera
            return Self.solutions(inequalities, size: size, bound: size * extent + 20 * (camera.width + camera.height))
        }
        func found(_ size: Double, _ center: SIMD2<Double>) -> Found {
            let nearness = 1 - dot(tilt, center)
            return Found(center: targets.middle + center / size, scale: size / nearness)
        }
        if !view.camera.isFlat {
            // At the largest scale the targets are centred, if all are visible then.
            let middle = middleOfRoom
            let size = limit / (1 - dot(tilt, middle))
            let center = -middle * (size / limit)
            if inequalities.allSatisfy({ $0.depth(of: center, size: size) >= -1e-9 }) { return found(size, center) }
        }
        // Steps down by quarters of a level to the first size with a solution; the largest is between it and the one
        // before. Within sight nothing appears twice as large as in the middle, or a quarter as large.
        var size = view.camera.isFlat ? limit : limit * 2
        var tooLarge = size
        var solution = centers(size)
        while solution.isEmpty {
            guard size > Self.scales.lowerBound / 4, !shouldStop() else { return nil }
            tooLarge = size
            size *= 0.8408964152537145
            solution = centers(size)
        }
        // No finer: the remaining centres form a strip much wider than rounding errors.
        for _ in 0..<28 where size < tooLarge {
            if shouldStop() { break }
            let middle = (size + tooLarge) / 2
            let closer = centers(middle)
            if closer.isEmpty {
                tooLarge = middle
            } else {
                (size, solution) = (middle, closer)
            }
        }
        return found(size, Self.middle(solution))
    }

    private func inequalities(_ targets: FitTargets, share: Double, limit: Double) -> [Inequality] {
        let origin = targets.middle
        var inequalities = [
            // The centre stays on the world.
            Inequality(normal: SIMD2(0, 1), least: -origin.y, constant: 0),
            Inequality(normal: SIMD2(0, -1), least: origin.y - 1, constant: 0),
            // The scale stays between its limits.
            Inequality(normal: -tilt, least: 1 / limit, constant: -1),
            Inequality(normal: tilt, least: -1 / Self.scales.lowerBound, constant: 1),
        ]
        for (margin, places) in targets.places.sorted(by: { Self.isBefore($0.key, $1.key) }) {
            for side in sides(margin, share: share) {
                let least = places.reduce(-Double.infinity) { max($0, dot(side.normal, $1 - origin)) }
                inequalities.append(
                    Inequality(normal: side.normal - tilt * side.most, least: least, constant: -side.most))
            }
        }
        return inequalities
    }

    /// An order that does not depend on hashes, so that the same request gives the same camera.
    private static func isBefore(_ a: FitTargets.Margin, _ b: FitTargets.Margin) -> Bool {
        (a.left, a.top, a.right, a.bottom) < (b.left, b.top, b.right, b.bottom)
    }

    private static func solutions(_ inequalities: [Inequality], size: Double, bound: Double) -> [SIMD2<Double>] {
        var polygon = [SIMD2(-bound, -bound), SIMD2(bound, -bound), SIMD2(bound, bound), SIMD2(-bound, bound)]
        for inequality in inequalities {
            let depths = polygon.map { inequality.depth(of: $0, size: size) }
            if depths.allSatisfy({ $0 >= 0 }) { continue }
            var kept: [SIMD2<Double>] = []
            for (index, depth) in depths.enumerated() {
                let next = (index + 1) % polygon.count
                if depth >= 0 { kept.append(polygon[index]) }
                if (depth < 0) != (depths[next] < 0) {
                    kept.append(polygon[index] + (polygon[next] - polygon[index]) * (depth / (depth - depths[next])))
                }
            }
            if kept.isEmpty { return [] }
            polygon = kept
        }
        return polygon
    }

    /// The middle of the longest diagonal: at the largest scale the polygon is hardly more than that line.
    private static func middle(_ polygon: [SIMD2<Double>]) -> SIMD2<Double> {
        var (middle, longest) = (polygon[0], -1.0)
        for (index, start) in polygon.enumerated() {
            for end in polygon[index...] {
                let length = dot(end - start, end - start)
                if length > longest { (middle, longest) = ((start + end) / 2, length) }
            }
        }
        return middle
    }

    private var middleOfRoom: SIMD2<Double> {
        let camera = view.camera
        return ground(
            x: (Double(padding.left) + camera.width - Double(padding.right)) / 2,
            y: (Double(padding.top) + camera.height - Double(padding.bottom)) / 2)
    }

    /// The corners on the ground of what the padding and a share of the margin leave, in order around it.
    private func corners(_ margin: FitTargets.Margin, share: Double) -> [SIMD2<Double>] {
        let camera = view.camera
        func held(_ low: Double, _ high: Double, of length: Double, margins: (Double, Double)) -> (Double, Double) {
            let room = max(0, length - low - high)
            // At least a pixel is left.
            let factor = min(share, max(0, room - 1) / max(1e-9, margins.0 + margins.1))
            return (low + margins.0 * factor, length - high - margins.1 * factor)
        }
        let (left, right) = held(
            Double(padding.left), Double(padding.right), of: camera.width, margins: (margin.left, margin.right))
        let (top, bottom) = held(
            Double(padding.top), Double(padding.bottom), of: camera.height, margins: (margin.top, margin.bottom))
        return [(left, top), (right, top), (right, bottom), (left, bottom)].map { ground(x: $0.0, y: $0.1) }
    }

    private func sides(_ margin: FitTargets.Margin, share: Double) -> [Side] {
        let corners = corners(margin, share: share)
        let middle = corners.reduce(SIMD2.zero, +) / 4
        return corners.indices.map { index in
            let start = corners[index]
            let along = corners[(index + 1) % 4] - start
            var normal = SIMD2(along.y, -along.x)
            normal /= max(1e-9, dot(normal, normal).squareRoot())
            if dot(normal, middle - start) > 0 { normal = -normal }
            return Side(normal: normal, most: dot(normal, start))
        }
    }

    /// The ground under a point of the image, in CSS pixels from the middle.
    private func ground(x: Double, y: Double) -> SIMD2<Double> {
        let ratio = view.pixelRatio
        // With at most 60 degrees of tilt the horizon is out of sight.
        let offset = view.groundOffset(at: ScreenPoint(x: x * ratio, y: y * ratio))
        return offset.map { SIMD2($0.x, $0.y) } ?? .zero
    }
}

private func dot(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.x + a.y * b.y }
