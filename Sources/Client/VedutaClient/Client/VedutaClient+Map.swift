extension VedutaClient {
    /// What a map shows, and where `points` are on it.
    public func mapFacts(_ url: MapURL, points: [Coordinate] = []) async throws -> MapFacts {
        try await described(MapFacts.self, at: try url.builtDescription(points).target)
    }
}
