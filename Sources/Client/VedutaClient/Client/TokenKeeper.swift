/// Holds the token of a source: many requests that need a new one at a time cause one refresh.
actor TokenKeeper {
    private let source: any TokenSource
    private var token: String?
    private var refresh: Task<String, any Error>?

    init(_ source: any TokenSource) { self.source = source }

    /// A token other than `refused`. A refresh that fails fails its callers, and the next caller begins another; a caller that
    /// is cancelled leaves at once, and the refresh goes on for the others.
    func token(replacing refused: String?) async throws -> String {
        if let token, token != refused { return token }
        return try await (refresh ?? begin(replacing: refused)).valueForCaller()
    }

    private func begin(replacing refused: String?) -> Task<String, any Error> {
        token = nil
        let running = Task<String, any Error> {
            defer { refresh = nil }
            let new = try await source.token(replacing: refused)
            token = new
            return new
        }
        refresh = running
        return running
    }
}

extension Task where Failure == any Error {
    /// What the task gives. A caller that is cancelled leaves at once, and the task goes on.
    func valueForCaller() async throws -> Success {
        // Waiting for the task itself would not end with the caller.
        let (results, end) = AsyncStream.makeStream(of: Result<Success, any Error>.self)
        Task<Void, Never> { end.yield(await self.result) }
        for await result in results { return try result.get() }
        throw VedutaError.cancelled
    }
}
