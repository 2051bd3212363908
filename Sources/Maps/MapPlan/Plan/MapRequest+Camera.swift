package import MapGrammar
package import MapRender
import Parameters

extension MapRequest {
    /// The camera, with `defaultZoom` of the 256-pixel world if the request has none; its own is of the 512-pixel one.
    /// Everything asked for is visible, unless not even level 0 shows it, and the centre stays on the world.
    /// Once `shouldStop`, which it polls, is true, any camera will do.
    package func camera(
        defaultZoom: (_ latitude: Double, _ longitude: Double) -> Double,
        shouldStop: @escaping () -> Bool = { false }
    ) -> Camera {
        var camera = Camera(longitude: 0, latitude: 0, zoom: 0, width: Double(widthPx), height: Double(heightPx))
        camera.pixelRatio = scale.double
        camera.bearing = bearing.double
        camera.pitch = pitch.double
        let found = found(GroundFit(camera, padding, shouldStop: shouldStop), defaultZoom, shouldStop)
        let scale = max(GroundFit.scales.lowerBound, min(GroundFit.scales.upperBound, found.scale))
        camera.zoom = Trigonometry.logarithm2(scale / 512)
        let degrees = Mercator.longitude(x: found.center.x)
        camera.longitude = abs(degrees) <= 180 ? degrees : degrees.remainder(dividingBy: 360)
        camera.latitude = Mercator.latitude(y: max(0, min(1, found.center.y)))
        // A place or level that was asked for is kept exactly, without rounding errors of the projection.
        if case .center(let latitude, let longitude, let reach) = placement.wrapped {
            let center = GeoPlace(longitude: longitude.double, latitude: latitude.double)
            if found.center == center.onPlane {
                let limit = Mercator.latitudeLimit
                (camera.latitude, camera.longitude) = (max(-limit, min(limit, center.latitude)), center.longitude)
            }
            if case .zoom(let zoom) = reach { camera.zoom = zoom.double - 1 }
        }
        return camera
    }

    /// The longitude of the centre, on the turn on which it was asked for.
    package func longitude(of camera: Camera) -> Double {
        guard case .center(_, let longitude, _) = placement, longitude.wrappedLongitude.double == camera.longitude
        else { return camera.longitude }
        return longitude.double
    }

    private func found(
        _ fit: GroundFit, _ defaultZoom: (Double, Double) -> Double, _ shouldStop: () -> Bool
    ) -> GroundFit.Found {
        let last = GroundFit.scales.upperBound
        switch placement.wrapped {
        case .center(let latitude, let longitude, let reach):
            let center = GeoPlace(longitude: longitude.double, latitude: latitude.double)
            switch reach {
            case .automatic:
                return fit.looking(
                    at: center.onPlane, scale: Self.scale(defaultZoom(center.latitude, center.longitude)))
            case .zoom(let zoom): return fit.looking(at: center.onPlane, scale: Self.scale(zoom.double))
            case .span(let latitudes, let longitudes):
                let targets = Self.box(around: center, latitudes.double / 2, longitudes.double / 2)
                return fit.looking(at: center.onPlane, showing: targets, limit: last)
            case .metres(let width, let height):
                return fit.looking(at: center.onPlane, showing: region(center, width, height), limit: last)
            }
        case .box(let west, let south, let east, let north, let clip):
            let eastward = east < west ? east.double + 360 : east.double
            let low = GeoPlace(longitude: west.double, latitude: north.double).onPlane
            let high = GeoPlace(longitude: eastward, latitude: south.double).onPlane
            guard clip == .outside else { return fit.within(low, high, limit: last) }
            return fit.showing(Self.corners(low, high), limit: last)
        case .overlays(let maxZoom):
            let targets = OverlayExtents.targets(overlays, shouldStop: shouldStop)
            return fit.showing(targets, limit: Self.scale(maxZoom.double))
        }
    }

    /// The side of the world in CSS pixels, at a level of the 256-pixel world.
    private static func scale(_ zoom: Double) -> Double { 256 * Trigonometry.powerOfTwo(max(0, min(24, zoom))) }

    private static func corners(_ low: SIMD2<Double>, _ high: SIMD2<Double>) -> FitTargets {
        var targets = FitTargets()
        for corner in [low, SIMD2(high.x, low.y), high, SIMD2(low.x, high.y)] { targets.add(corner) }
        return targets
    }

    private static func box(around center: GeoPlace, _ latitudes: Double, _ longitudes: Double) -> FitTargets {
        corners(
            GeoPlace(longitude: center.longitude - longitudes, latitude: center.latitude + latitudes).onPlane,
            GeoPlace(longitude: center.longitude + longitudes, latitude: center.latitude - latitudes).onPlane)
    }

    /// The corners of a rectangle on the ground, turned as the image is, in metres at its middle.
    private func region(_ center: GeoPlace, _ width: PlainDecimal, _ height: PlainDecimal?) -> FitTargets {
        let middle = center.onPlane
        let latitude = Trigonometry.radians(Mercator.latitude(y: middle.y))
        let metres = Mercator.circumference * Trigonometry.sineAndCosine(latitude).cosine
        let half = SIMD2(min(0.5, width.double / metres / 2), min(0.5, (height?.double ?? 0) / metres / 2))
        let turn = Trigonometry.sineAndCosine(Trigonometry.radians(bearing.double))
        var targets = FitTargets()
        for (x, y) in [(-half.x, -half.y), (half.x, -half.y), (half.x, half.y), (-half.x, half.y)] {
            let place = middle + SIMD2(x * turn.cosine - y * turn.sine, x * turn.sine + y * turn.cosine)
            targets.add(SIMD2(place.x, max(0, min(1, place.y))))
        }
        return targets
    }
}
