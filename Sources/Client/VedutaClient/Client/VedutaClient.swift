import Foundation

/// Loads, stores and uploads images and maps of one Veduta server.
///
/// Every method throws ``VedutaError`` and nothing else, and ends soon after its task is cancelled. On Linux this is the safe way
/// to load images: there, cancelling `URLSession.data(from:)` under load may hang the whole process.
public final class VedutaClient: Sendable {
    /// The server.
    public let service: VedutaEndpoint
    let store: ResponseStore?
    let policy: ClientPolicy
    private let transport: any Transport
    private let middleware: [any Middleware]
    private let tokens: TokenKeeper?
    private let flights = SharedTransfers<LoadedResponse>()
    let downloads = SharedTransfers<Void>()

    /// Makes a client; nothing is sent. Without a cache every image comes from the server.
    public init(
        _ service: VedutaEndpoint, cache: ImageURLCache? = .current, transport: any Transport = URLSessionTransport(),
        middleware: [any Middleware] = [], policy: ClientPolicy = ClientPolicy()
    ) {
        self.service = service
        self.store = cache?.store
        self.transport = transport
        self.middleware = middleware
        self.policy = policy
        tokens = service.token.map { TokenKeeper($0) }
    }

    /// An image or a map. Equal images that are asked for at the same time are transferred once.
    public func picture(
        _ url: any PictureURL, read: ReadPolicy = .useProtocol, store: StoragePolicy = .allowed,
        priority: TaskPriority? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> Picture {
        let loading = Loading(
            url: try url.url(for: service), fields: ["accept": policy.accept], read: read, store: store,
            mediaType: "image/")
        let loaded = try await load(loading, priority: priority, progress: progress)
        let response = HTTPResponse(loaded)
        try response.check()
        guard response.fields.has(loading.mediaType) else {
            throw VedutaError.unexpected(status: response.status, response.content.prefix(VedutaError.contentByteLimit))
        }
        return Picture(loaded)
    }

    /// Begins to load images into the cache. Ends with the value that is returned.
    public func prefetch(_ urls: [any PictureURL]) -> Prefetch {
        Prefetch(urls) { [self] url in _ = try await picture(url, priority: .background) }
    }

    // MARK: Through the cache

    /// A GET whose answer may come from the cache.
    struct Loading: Sendable {
        var url: URL
        var fields: HTTPFields = [:]
        var read = ReadPolicy.useProtocol
        var store = StoragePolicy.allowed
        /// What the media type begins with. Anything else, such as the page of a captive portal, is not kept.
        var mediaType = ""
    }

    /// The answer, of any status.
    func load(
        _ loading: Loading, priority: TaskPriority? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> LoadedResponse {
        let key = ResponseStore.key(identity(of: loading.url), accept: loading.fields["accept"])
        var stored = loading.read == .reloadIgnoringCache ? nil : await store?.stored(key)
        if let known = stored?.response, !known.head.answers(loading.fields) || !known.fields.has(loading.mediaType) {
            stored = nil
        }
        let path = policy.connectivity.current
        if let stored, Self.mayAnswer(stored.response, loading, path) {
            return LoadedResponse(response: stored.response, source: stored.tier == .memory ? .memory : .disk)
        }
        guard loading.read != .returnCacheDontLoad else { throw VedutaError.notCached }
        guard path.isConnected else { throw VedutaError.noConnection }
        let known = stored?.response
        // Loads of the app's own requests may differ in more than `Accept`: in `Range`, in `Authorization`.
        let fields = loading.fields.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        return try await flights.value(
            for: "\(key) \(loading.read) \(loading.store) \(loading.mediaType)\n\(fields)", priority: priority,
            progress: progress
        ) { [self] report in
            try await fetch(loading, key, stored: known, report)
        }
    }

    /// What names an image, whatever signature its URL has at the moment.
    func identity(of url: URL) -> URL { service.signer == nil ? url : url.withoutSignature }

    private static func mayAnswer(_ stored: StoredResponse, _ loading: Loading, _ path: NetworkPath) -> Bool {
        let freshness = Freshness(stored.head)
        switch loading.read {
        case .returnCacheElseLoad, .returnCacheDontLoad: return true
        case .reloadIgnoringCache, .reloadRevalidating: return false
        case .useProtocol:
            return freshness.isFresh || (!freshness.mustRevalidate && (!path.isCheap || loading.neverChanges))
        }
    }

    private func fetch(
        _ loading: Loading, _ key: String, stored: StoredResponse?,
        _ report: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> LoadedResponse {
        var request = HTTPRequest(loading.url, fields: loading.fields)
        if let tag = stored?.fields["etag"] { request.fields["if-none-match"] = tag }
        switch loading.read {
        case .reloadIgnoringCache: request.fields["cache-control"] = "no-cache"
        case .reloadRevalidating: request.fields["cache-control"] = "max-age=0"
        case .useProtocol, .returnCacheElseLoad, .returnCacheDontLoad: break
        }
        let path = policy.connectivity.current
        if path.isExpensive || path.isConstrained { request.fields["save-data"] = "on" }
        var events = TransportEvents()
        events.progress = { report(TransferProgress(byteCount: $0, total: $1)) }
        let response: HTTPResponse
        do {
            response = try await send(request, events)
        } catch let error as VedutaError {
            if let stored, loading.read == .useProtocol, error.isOfTheNetwork, !Freshness(stored.head).mustRevalidate {
                return LoadedResponse(response: stored, source: .stale)
            }
            throw error
        }
        if response.status == 304, var renewed = stored {
            renewed.head.fields.merge(response.fields.dictionary) { $1 }
            renewed.head.fields["age"] = response.fields["age"]
            renewed.head.confirmed = Date()
            await store?.renew(renewed, for: key)
            return LoadedResponse(response: renewed, source: .revalidated)
        }
        let head = StoredResponse.Head(response, to: loading.fields)
        let fresh = StoredResponse(head: head, content: response.content)
        if response.status == 200, loading.store != .notAllowed, Freshness(head).mayBeStored,
            response.fields.has(loading.mediaType)
        {
            await store?.store(fresh, for: key, onDisk: loading.store == .allowed)
        }
        return LoadedResponse(response: fresh, source: .network)
    }

    // MARK: Past the cache

    /// Sends a request, with a token if asked, again where that may help; the answer, of any status.
    func send(
        _ request: HTTPRequest, _ events: TransportEvents = TransportEvents(), authorized: Bool = false,
        mayRepeat: Bool = true
    ) async throws -> HTTPResponse {
        var attempt = 0
        while true {
            guard policy.connectivity.current.isConnected else { throw VedutaError.noConnection }
            attempt += 1
            let outcome: Result<HTTPResponse, VedutaError>
            do {
                outcome = .success(try await once(request, events, authorized: authorized))
            } catch {
                outcome = .failure(Task.isCancelled ? .cancelled : VedutaError.wrapping(error))
            }
            guard mayRepeat, let delay = policy.delay(after: attempt, outcome) else {
                var response = try outcome.get()
                response.attempts = attempt
                return response
            }
            do { try await Task.sleep(for: delay) } catch { throw VedutaError.cancelled }
        }
    }

    private func once(
        _ request: HTTPRequest, _ events: TransportEvents, authorized: Bool
    ) async throws -> HTTPResponse {
        guard authorized, let tokens else { return try await chain(request, events) }
        var request = request
        let token = try await tokens.token(replacing: nil)
        request.fields["authorization"] = "Bearer " + token
        let response = try await chain(request, events)
        guard response.status == 401 else { return response }
        request.fields["authorization"] = "Bearer " + (try await tokens.token(replacing: token))
        return try await chain(request, events)
    }

    private func chain(_ request: HTTPRequest, _ events: TransportEvents) async throws -> HTTPResponse {
        var next: @Sendable (HTTPRequest) async throws -> HTTPResponse = { [transport] request in
            try await transport.exchange(request, events)
        }
        for step in middleware.reversed() {
            let inner = next
            next = { request in try await step.intercept(request, next: inner) }
        }
        return try await next(request)
    }

    /// The JSON of an answer.
    static func decoded<Value: Decodable>(_ type: Value.Type, _ content: Data) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: content)
        } catch let error as DecodingError {
            throw VedutaError.decoding(error, content.prefix(VedutaError.contentByteLimit))
        }
    }
}

extension VedutaClient.Loading {
    /// Whether the source is named by its digest and stands alone: it needs no revalidation.
    fileprivate var neverChanges: Bool {
        guard url.path().hasSuffix("/asset"),
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return false }
        let names = Set(items.map(\.name))
        return items.contains { $0.name == "id" && $0.value?.hasPrefix("~") == true }
            && names.isDisjoint(with: ["overlay", "default", "preset"])
    }
}

extension URL {
    fileprivate var withoutSignature: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false),
            let items = parts.percentEncodedQueryItems
        else { return self }
        parts.percentEncodedQueryItems = items.filter { !ParameterList.signatureNames.contains($0.name) }
        return parts.url ?? self
    }
}

extension VedutaError {
    /// Whether the server was not reached.
    var isOfTheNetwork: Bool {
        switch self {
        case .transport, .noConnection: true
        default: false
        }
    }
}

extension HTTPFields {
    /// Whether the media type, if there is one, begins with `start`, which is in lower case.
    fileprivate func has(_ start: String) -> Bool { self["content-type"]?.lowercased().hasPrefix(start) ?? true }
}

extension HTTPResponse {
    init(_ loaded: LoadedResponse) {
        let head = loaded.response.head
        self.init(url: head.url, status: head.status, fields: HTTPFields(head.fields), content: loaded.response.content)
    }

    /// Throws what an answer of an error status says.
    func check() throws {
        guard !(200..<300).contains(status) else { return }
        let isProblem = fields["content-type"]?.hasPrefix("application/problem+json") ?? false
        guard isProblem, var problem = try? JSONDecoder().decode(Problem.self, from: content) else {
            throw VedutaError.unexpected(status: status, content.prefix(VedutaError.contentByteLimit))
        }
        problem.retryAfter = retryAfter
        throw VedutaError.problem(problem)
    }
}
