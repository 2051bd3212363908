import Foundation
import Parameters

extension VedutaClient {
    /// What a map shows, and where `points` are on it.
    public func mapFacts(_ url: MapURL, points: [Coordinate] = []) async throws -> MapFacts {
        var query = url.canonical
        if !points.isEmpty {
            let text = ParameterList.text([QueryItem(name: "point", value: points.map(\.text).joined(separator: "|"))])
            query += "&" + text
        }
        let loaded = try await load(Loading(url: try service.url("/map.json?" + query)))
        try HTTPResponse(loaded).check()
        return try Self.decoded(MapFacts.self, loaded.response.content)
    }
}
