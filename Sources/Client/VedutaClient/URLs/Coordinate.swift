/// A place on Earth (WGS 84), in degrees.
public struct Coordinate: Sendable, Hashable, Codable {
    /// North.
    public var latitude: Double
    /// East.
    public var longitude: Double

    /// Makes a place.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    static func list(_ places: [Coordinate]) -> String { places.map(\.text).joined(separator: "|") }

    var text: String { "\(latitude.parameterText),\(longitude.parameterText)" }
}
