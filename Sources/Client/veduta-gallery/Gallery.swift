import Foundation
import VedutaClient

/// `veduta-gallery http://127.0.0.1:8080 [COUNT]`: a list of maps as an app scrolls through it, down and back up. Prints where each
/// came from: on the way down the server, on the way back the cache.
@main
struct Gallery {
    static let places: [(name: String, place: Coordinate)] = [
        ("Saint Petersburg", Coordinate(latitude: 59.9356, longitude: 30.3259)),
        ("Florence", Coordinate(latitude: 43.7696, longitude: 11.2558)),
        ("Lisbon", Coordinate(latitude: 38.7223, longitude: -9.1393)),
        ("Reykjavik", Coordinate(latitude: 64.1466, longitude: -21.9426)),
        ("Nairobi", Coordinate(latitude: -1.2921, longitude: 36.8219)),
        ("Lima", Coordinate(latitude: -12.0464, longitude: -77.0428)),
        ("Wellington", Coordinate(latitude: -41.2866, longitude: 174.7756)),
        ("Kyoto", Coordinate(latitude: 35.0116, longitude: 135.7681)),
        ("Samarkand", Coordinate(latitude: 39.6542, longitude: 66.9597)),
        ("Havana", Coordinate(latitude: 23.1136, longitude: -82.3666)),
    ]

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let base = arguments.first.flatMap({ URL(string: $0) }), base.scheme != nil else {
            print("usage: veduta-gallery URL-OF-SERVER [COUNT]")
            exit(64)
        }
        let count = min(max(1, arguments.dropFirst().first.flatMap { Int($0) } ?? 30), 1000)
        // Memory alone: each run begins with nothing.
        let client = VedutaClient(VedutaEndpoint(base), cache: ImageURLCache(disk: 0))
        do {
            print("down")
            try await scroll(client, Array(0..<count), .useProtocol)
            print("up")
            try await scroll(client, (0..<count).reversed(), .returnCacheDontLoad)
        } catch {
            print("failed: \(VedutaError.describe(error))")
            exit(1)
        }
    }

    static func scroll(_ client: VedutaClient, _ rows: [Int], _ read: ReadPolicy) async throws {
        var sources: [String: Int] = [:]
        for row in rows {
            let (name, place) = places[row % places.count]
            let map = MapURL(center: place).zoom(Double(3 + row / places.count % 8)).size(width: 320, height: 200)
                .format(.png)
            let picture = try await client.picture(map, read: read)
            sources[picture.source.rawValue, default: 0] += 1
            if row < 3 { print("  \(row + 1). \(name): \(picture.mediaType ?? "?") from \(picture.source.rawValue)") }
        }
        let sum = sources.sorted { $0.key < $1.key }.map { "\($0.value) from \($0.key)" }.joined(separator: ", ")
        print("  \(rows.count) maps: \(sum)")
    }
}

extension VedutaError {
    fileprivate static func describe(_ error: any Error) -> String {
        (error as? VedutaError)?.errorDescription ?? "\(error)"
    }
}
