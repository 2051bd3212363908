/// Google's encoded polylines: differences in units of 10⁻⁵ or 10⁻⁶ degrees, latitude first, five bits per byte.
package enum Polyline {
    package enum Precision: Int, CaseIterable, Sendable {
        /// Decimals: five for Google and most, six for OSRM and Valhalla.
        case five = 5, six = 6

        var unitsPerDegree: Int { self == .five ? 100_000 : 1_000_000 }
    }

    package enum Failure: Error, Equatable, Sendable { case malformed, outOfRange, tooLong }

    /// Degrees, for lines that go on around the world.
    static let longitudeLimit = 3_600_000

    /// In units of the precision; throws `tooLong` over `limit` places. O(bytes).
    package static func decode(
        _ bytes: some Sequence<UInt8>, _ precision: Precision, limit: Int
    ) throws(Failure) -> [(latitude: Int, longitude: Int)] {
        var places: [(latitude: Int, longitude: Int)] = []
        var latitude = 0
        var pending: Int?
        var longitude = 0
        var value = 0
        var shift = 0
        for byte in bytes {
            guard (63...126).contains(byte), shift <= 45 else { throw .malformed }
            let bits = Int(byte) - 63
            value |= (bits & 31) << shift
            shift += 5
            guard bits & 32 == 0 else { continue }
            let difference = value & 1 == 1 ? ~(value >> 1) : value >> 1
            (value, shift) = (0, 0)
            if pending == nil {
                latitude += difference
                pending = latitude
                guard abs(latitude) <= 90 * precision.unitsPerDegree else { throw .outOfRange }
            } else {
                longitude += difference
                pending = nil
                guard abs(longitude) <= longitudeLimit * precision.unitsPerDegree else { throw .outOfRange }
                guard places.count < limit else { throw .tooLong }
                places.append((latitude, longitude))
            }
        }
        guard pending == nil, shift == 0 else { throw .malformed }
        return places
    }

    package static func encode(_ places: some Sequence<(latitude: Int, longitude: Int)>) -> String {
        var bytes: [UInt8] = []
        var previous = (latitude: 0, longitude: 0)
        for place in places {
            append(place.latitude - previous.latitude, to: &bytes)
            append(place.longitude - previous.longitude, to: &bytes)
            previous = place
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ difference: Int, to bytes: inout [UInt8]) {
        var rest = UInt(bitPattern: difference << 1 ^ difference >> (Int.bitWidth - 1))
        while rest >= 32 {
            bytes.append(UInt8(rest & 31 | 32) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }
}
