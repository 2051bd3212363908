extension VedutaClient {
    /// Where the options of a poll are on its picture, and what it tells in words.
    public func pollFacts(_ url: PollURL) async throws -> PollFacts {
        try await described(PollFacts.self, at: try url.builtDescription.target)
    }
}
