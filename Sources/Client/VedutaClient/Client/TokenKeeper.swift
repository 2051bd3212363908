/// Holds the token of a source: many requests that need a new one at a time cause one refresh.
actor TokenKeeper {
    private let source: any TokenSource
    private var token: String?
    private var refresh: Task<String, any Error>?

    init(_ source: any TokenSource) { self.source = source }

    /// A token other than `refused`. A refresh that fails fails its callers, and the next caller begins another; a caller that
    /// is cancelled does not cancel the refresh of the others.
    func token(replacing refused: String?) async throws -> String {
        if let token, token != refused { return token }
        let running = refresh ?? Task { [source] in try await source.token(replacing: refused) }
        refresh = running
        let result = await running.result
        if refresh == running {
            refresh = nil
            token = try? result.get()
        }
        return try result.get()
    }
}
