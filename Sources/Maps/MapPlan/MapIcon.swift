/// A picture of the library in the size in which a marker shows it.
struct MapIcon: Hashable {
    /// The id in the library.
    var id: String
    /// The longer side in CSS pixels.
    var size: Double
}

extension MapMarker {
    /// The picture that it shows in the place of a pin; nil for pins.
    var icon: MapIcon? {
        if case .icon(let id) = look { MapIcon(id: id, size: size) } else { nil }
    }
}
