package import MapGrammar

extension GeoPlace {
    /// Clamped to ten turns and to the poles; 0 for NaN. Overlays are priced and drawn there.
    package var held: GeoPlace {
        GeoPlace(
            longitude: longitude.isNaN ? 0 : max(-3600, min(3600, longitude)),
            latitude: latitude.isNaN ? 0 : max(-90, min(90, latitude)))
    }
}
