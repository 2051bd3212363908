package import MapGrammar
import MapRender

/// Places on a sphere as unit vectors.
package enum Sphere {
    /// Of the projection, in metres.
    package static let radius = Mercator.circumference / (2 * .pi)

    package static func vector(_ place: GeoPlace) -> SIMD3<Double> {
        let latitude = Trigonometry.sineAndCosine(Trigonometry.radians(max(-90, min(90, place.latitude))))
        let longitude = turn(place.longitude)
        return SIMD3(latitude.cosine * longitude.cosine, latitude.cosine * longitude.sine, latitude.sine)
    }

    /// Sine and cosine of a longitude in degrees.
    package static func turn(_ longitude: Double) -> (sine: Double, cosine: Double) {
        Trigonometry.sineAndCosine(Trigonometry.radians(longitude.truncatingRemainder(dividingBy: 360)))
    }

    /// The turns that bring a longitude nearest to another, `degrees` further on. Half a turn goes eastwards, as far as numbers
    /// tell: over a pole everybody goes the same way.
    package static func turns(_ degrees: Double) -> Double { (degrees / 360 + 0.5 + 1e-9).rounded(.down) }

    /// The place of a vector, on the turn nearest to `longitude`.
    package static func place(_ vector: SIMD3<Double>, near longitude: Double) -> GeoPlace {
        let across = (vector.x * vector.x + vector.y * vector.y).squareRoot()
        let latitude = Trigonometry.angle(x: across, y: vector.z) * 180 / .pi
        // At a pole every longitude is right.
        let isPole = abs(vector.x) < 1e-12 && abs(vector.y) < 1e-12
        let own = isPole ? longitude : Trigonometry.angle(x: vector.x, y: vector.y) * 180 / .pi
        return GeoPlace(longitude: own + turns(longitude - own) * 360, latitude: latitude)
    }

    package static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    package static func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        let length = (vector * vector).sum().squareRoot()
        return length > 0 ? vector / length : SIMD3(0, 0, 1)
    }
}

/// A part of a great circle, or a small circle around a place.
package struct SphereArc {
    private let middle: SIMD3<Double>
    private let first: SIMD3<Double>
    private let second: SIMD3<Double>
    /// Radians from end to end on its circle.
    package let angle: Double
    /// Radians on the sphere.
    package let length: Double

    /// The shortest way between two places; between opposite ones, over the north pole.
    package init(from start: GeoPlace, to end: GeoPlace) {
        let (a, b) = (Sphere.vector(start), Sphere.vector(end))
        let product = Sphere.cross(a, b)
        let sine = (product * product).sum().squareRoot()
        angle = Trigonometry.angle(x: (a * b).sum(), y: sine)
        var aside = b - a * (a * b).sum()
        if (aside * aside).sum() < 1e-20 {
            let pole = abs(a.z) < 0.999 ? SIMD3(0.0, 0, 1) : SIMD3(1.0, 0, 0)
            aside = pole - a * (a * pole).sum()
        }
        middle = .zero
        first = a
        second = Sphere.unit(aside)
        length = angle
    }

    /// The circle `radius` radians around `center`, from the northernmost place clockwise.
    package init(around center: GeoPlace, radius: Double) {
        let axis = Sphere.vector(center)
        // Defined also at a pole.
        let longitude = Sphere.turn(center.longitude)
        let east = SIMD3(-longitude.sine, longitude.cosine, 0)
        let size = Trigonometry.sineAndCosine(radius)
        middle = axis * size.cosine
        first = Sphere.cross(axis, east) * size.sine
        second = east * size.sine
        angle = 2 * .pi
        length = 2 * .pi * abs(size.sine)
    }

    package func vector(_ share: Double) -> SIMD3<Double> {
        let turn = Trigonometry.sineAndCosine(share * angle)
        return middle + first * turn.cosine + second * turn.sine
    }
}
