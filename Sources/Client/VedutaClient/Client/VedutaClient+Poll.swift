extension VedutaClient {
    /// Where the options of a poll are on its picture, and what it tells in words.
    public func pollFacts(_ url: PollURL) async throws -> PollFacts {
        let target = try service.signed(try url.builtDescription.target)
        let loaded = try await load(Loading(url: try service.url(target)))
        try HTTPResponse(loaded).check()
        return try Self.decoded(PollFacts.self, loaded.response.content)
    }
}
