extension VedutaClient {
    /// What a map shows, and where `points` are on it.
    public func mapFacts(_ url: MapURL, points: [Coordinate] = []) async throws -> MapFacts {
        let target = try service.signed(try url.builtDescription(points).target)
        let loaded = try await load(Loading(url: try service.url(target)))
        try HTTPResponse(loaded).check()
        return try Self.decoded(MapFacts.self, loaded.response.content)
    }
}
