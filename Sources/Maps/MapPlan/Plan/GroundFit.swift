import MapGrammar
import MapRender

/// Finds the closest camera that shows what it must.
///
/// The picture of the ground is a fixed projective map of `scale × (place - centre)`, so the part of the ground that a rectangle
/// of pixels shows is a convex polygon that does not hang on the scale. That a place is seen there is a few inequalities, linear in
/// the scale and in `scale × centre`, and still so when both are multiplied by how much larger than the middle of the picture the
/// middle of the targets appears. That product is to be as large as may be: on a tilted picture a great scale alone would be had
/// by moving everything far away. The greatest for which there is a solution is searched for by halving.
struct GroundFit {
    /// CSS pixels of the world's side at level 0 of the 256-pixel world, and at its last level.
    static let scales = 256.0...256 * 16_777_216.0

    private let view: View
    private let padding: MapPadding
    /// How much more is seen of the ground with each CSS pixel that it is further away, and in which direction it comes nearer;
    /// zero without a tilt.
    private let tilt: SIMD2<Double>

    init(_ camera: Camera, _ padding: MapPadding) {
        var camera = camera
        (camera.longitude, camera.latitude, camera.zoom) = (0, 0, 0)
        view = View(camera)
        self.padding = padding
        // Down the picture.
        let down = Trigonometry.sineAndCosine(Trigonometry.radians(camera.bearing))
        let steepness = camera.isFlat ? 0 : Trigonometry.sineAndCosine(Trigonometry.radians(camera.pitch)).sine
        tilt = SIMD2(-down.sine, down.cosine) * (steepness / view.cameraToCenterDistance)
    }

    /// A centre on the plane, and CSS pixels of the world's side.
    struct Found: Equatable {
        var center: SIMD2<Double>
        var scale: Double
    }

    /// From where `place` is in the middle of what the padding leaves, at a scale.
    func looking(at place: SIMD2<Double>, scale: Double) -> Found {
        Found(center: place - middleOfRoom / scale, scale: scale)
    }

    /// From where all targets are seen around `place`, which is in the middle of what the padding leaves; none above `limit`.
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
        // Near a pole the world ends before the middle can be where it should: then it gives way.
        return (0...1).contains(found.center.y) ? found : showing(targets, limit: limit)
    }

    /// From where all targets are seen, in the middle as far as may be; none above `limit`.
    func showing(_ targets: FitTargets, limit: Double) -> Found {
        guard !targets.isEmpty else { return looking(at: SIMD2(0.5, 0.5), scale: Self.scales.lowerBound) }
        // What takes up more room on the picture than there is gets less.
        for share in [1, 0.5, 0.25, 0] {
            if let found = showing(targets, share: share, limit: max(Self.scales.lowerBound, limit)) { return found }
        }
        return looking(at: targets.middle, scale: Self.scales.lowerBound)
    }

    /// From where nothing is seen but what lies in a box, in its middle as far as may be; none above `limit`.
    func within(_ least: SIMD2<Double>, _ most: SIMD2<Double>, limit: Double) -> Found {
        let corners = corners(.none, share: 0)
        let low = corners.reduce(SIMD2(Double.infinity, .infinity)) { pointwiseMin($0, $1) }
        let high = corners.reduce(SIMD2(-Double.infinity, -.infinity)) { pointwiseMax($0, $1) }
        let needed = (high - low) / (most - least)
        let scale = max(Self.scales.lowerBound, min(limit, max(needed.x, needed.y)))
        return Found(center: (least + most - (low + high) / scale) / 2, scale: scale)
    }

    /// A side of the part of the ground that is seen: places with `normal · place <= most` are on the right side of it.
    private struct Side {
        var normal: SIMD2<Double>
        var most: Double
    }

    /// `normal · centre >= size × least + constant`: `size` is the scale, and `centre` the centre in CSS pixels, both multiplied by
    /// how much larger the origin appears than the middle of the picture.
    private struct Inequality {
        var normal: SIMD2<Double>
        var least: Double
        var constant: Double

        /// By how much a centre satisfies it.
        func depth(of center: SIMD2<Double>, size: Double) -> Double {
            dot(normal, center) - (size * least + constant)
        }
    }

    private func showing(_ targets: FitTargets, share: Double, limit: Double) -> Found? {
        let inequalities = inequalities(targets, share: share, limit: limit)
        let extent = (targets.most - targets.least).max()
        func centers(_ size: Double) -> [SIMD2<Double>] {
            let camera = view.camera
            return Self.solutions(
                inequalities, size: size, bound: size * extent + 20 * (camera.width + camera.height))
        }
        func found(_ size: Double, _ center: SIMD2<Double>) -> Found {
            let nearness = 1 - dot(tilt, center)
            return Found(center: targets.middle + center / size, scale: size / nearness)
        }
        if !view.camera.isFlat {
            // Where nothing is gained by going closer, the middle is the middle.
            let middle = middleOfRoom
            let size = limit / (1 - dot(tilt, middle))
            let center = -middle * (size / limit)
            if inequalities.allSatisfy({ $0.depth(of: center, size: size) >= -1e-9 }) { return found(size, center) }
        }
        // Quarters of a level downwards to the first size that will do; the greatest lies between it and the one above. In
        // sight nothing appears twice as large as in the middle, or is a quarter as large.
        var size = view.camera.isFlat ? limit : limit * 2
        var tooLarge = size
        var solution = centers(size)
        while solution.isEmpty {
            guard size > Self.scales.lowerBound / 4 else { return nil }
            tooLarge = size
            size *= 0.8408964152537145
            solution = centers(size)
        }
        // No finer: the centres left then form a strip that is much wider than what arithmetic loses, and a level less by 10⁻⁹
        // is not seen.
        for _ in 0..<28 where size < tooLarge {
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

    /// What centres must satisfy, counted from the middle of the targets.
    private func inequalities(_ targets: FitTargets, share: Double, limit: Double) -> [Inequality] {
        let origin = targets.middle
        var inequalities = [
            // The camera's own place stays on the world.
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

    /// The order of margins must not hang on hashes: the same request gives the same camera.
    private static func isBefore(_ a: FitTargets.Margin, _ b: FitTargets.Margin) -> Bool {
        (a.left, a.top, a.right, a.bottom) < (b.left, b.top, b.right, b.bottom)
    }

    /// The convex polygon of centres that satisfy all inequalities; empty where there is none.
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

    /// The middle of the longest diagonal: what is left at the greatest scale is hardly more than that line.
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

    /// The corners on the ground of what the padding and a share of the margin leave of the picture, in order around it.
    private func corners(_ margin: FitTargets.Margin, share: Double) -> [SIMD2<Double>] {
        let camera = view.camera
        func held(_ low: Double, _ high: Double, of length: Double, margins: (Double, Double)) -> (Double, Double) {
            let room = max(0, length - low - high)
            // A pixel is left, whatever the margin.
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

    /// The ground under a point of the picture in CSS pixels, from the middle.
    private func ground(x: Double, y: Double) -> SIMD2<Double> {
        let ratio = view.pixelRatio
        // With at most 60 degrees of tilt no horizon is in sight.
        let offset = view.groundOffset(at: ScreenPoint(x: x * ratio, y: y * ratio))
        return offset.map { SIMD2($0.x, $0.y) } ?? .zero
    }
}

private func dot(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.x + a.y * b.y }
