public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The clients that answer URLs of own schemes, by name.
enum RegisteredServices {
    private static let clients = Mutex<[String: VedutaClient]>([:])

    static func register(_ client: VedutaClient) { clients.withLock { $0[client.service.name] = client } }

    /// The client that a URL names by its host; the default one where it has none.
    static func client(for url: URL) throws -> VedutaClient {
        let name = url.host(percentEncoded: false).flatMap { $0.isEmpty ? nil : $0 } ?? "default"
        guard let client = clients.withLock({ $0[name] }) else {
            let message = "No service is registered as \(name)."
            throw VedutaError.invalidURL([Fault(parameter: "", value: url.absoluteString, message: message)])
        }
        return client
    }

    /// Answers the request of a load for a URL of an own scheme.
    @Sendable static func load(_ request: URLRequest) async throws -> LoadedResponse {
        guard let url = request.url else { throw VedutaError.invalidURL([]) }
        let client = try client(for: url)
        var loading = VedutaClient.Loading(try url.url(for: client.service), request, client.policy)
        loading.mediaType = "image/"
        return try await client.load(loading)
    }
}

extension VedutaClient.Loading {
    /// What a request of the loading system asks for.
    init(_ url: URL, _ request: URLRequest, _ policy: ClientPolicy) {
        self.init(url: url, fields: HTTPFields(request.allHTTPHeaderFields ?? [:]))
        fields[ProtocolLoad.loadField] = nil
        if fields["accept"] == nil { fields["accept"] = policy.accept }
        switch request.cachePolicy {
        case .returnCacheDataElseLoad: read = .returnCacheElseLoad
        case .returnCacheDataDontLoad: read = .returnCacheDontLoad
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: read = .reloadIgnoringCache
        case .reloadRevalidatingCacheData: read = .reloadRevalidating
        default: read = .useProtocol
        }
    }
}

/// Answers URLs of one scheme in the loading system of an app, by the services of `URLSessionConfiguration.install(_:cache:)`.
public class PictureURLProtocol: URLProtocol {
    /// Of its URLs.
    class var scheme: LocalScheme? { nil }

    private lazy var load = ProtocolLoad(self)

    /// Whether the scheme is that of the protocol.
    public override class func canInit(with request: URLRequest) -> Bool {
        scheme != nil && LocalScheme(request.url) == scheme
    }

    /// The request with the canonical form of its URL; as it is where the URL has faults.
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        var canonical = request
        if let url = request.url, let scheme { canonical.url = scheme.canonical(url) }
        return canonical
    }

    /// Whether both ask for the same picture.
    public override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
        canonicalRequest(for: a).url == canonicalRequest(for: b).url
            && a.value(forHTTPHeaderField: "Accept") == b.value(forHTTPHeaderField: "Accept")
    }

    /// Begins the load.
    public override func startLoading() { load.start(RegisteredServices.load) }

    /// Ends the load; nothing is told any more.
    public override func stopLoading() { load.stop() }

    static let all: [AnyClass] = [
        AssetURLProtocol.self, MapURLProtocol.self, AvatarURLProtocol.self, PollURLProtocol.self,
    ]
}

/// Answers `asset://?id=…`.
public final class AssetURLProtocol: PictureURLProtocol {
    override class var scheme: LocalScheme? { .asset }
}

/// Answers `map://?latitude=…&longitude=…`.
public final class MapURLProtocol: PictureURLProtocol {
    override class var scheme: LocalScheme? { .map }
}

/// Answers `avatar://?person=…`.
public final class AvatarURLProtocol: PictureURLProtocol {
    override class var scheme: LocalScheme? { .avatar }
}

/// Answers `poll://?option=…&option=…`.
public final class PollURLProtocol: PictureURLProtocol {
    override class var scheme: LocalScheme? { .poll }
}

extension URLSessionConfiguration {
    /// Lets sessions of this configuration load `asset`, `map`, `avatar` and `poll` URLs from these services.
    public func install(_ services: VedutaEndpoint..., cache: ImageURLCache = .current) {
        for service in services { RegisteredServices.register(VedutaClient(service, cache: cache)) }
        protocolClasses = PictureURLProtocol.all + (protocolClasses ?? [])
    }

    /// As ``install(_:cache:)``, for a client that is set up otherwise.
    public func install(_ client: VedutaClient) {
        RegisteredServices.register(client)
        protocolClasses = PictureURLProtocol.all + (protocolClasses ?? [])
    }
}

extension URLSession {
    private static let taskQueue = DispatchQueue(label: "veduta.session.tasks")

    /// Loads a request of any scheme. On Linux, use it in place of `data(for:)`, which hangs or crashes the process there when
    /// it is cancelled under load.
    public func picture(for request: URLRequest) async throws -> (Data, URLResponse) {
        let held = Mutex<
            (task: SessionTask?, continuation: CheckedContinuation<(Data, URLResponse), any Error>?, isOver: Bool)
        >((nil, nil, false))
        // Cancelling a task runs `stopLoading` beside the protocol that is being told something: a load of ours is ended by its name,
        // and its task completes with that error.
        let isOurs = LocalScheme(request.url) != nil
        let name = UUID().uuidString
        var request = request
        if isOurs { request.setValue(name, forHTTPHeaderField: ProtocolLoad.loadField) }
        let sent = request
        let finish: @Sendable (Result<(Data, URLResponse), any Error>) -> Void = { result in
            let continuation = held.withLock { held in
                held.isOver = true
                return held.continuation.take()
            }
            continuation?.resume(with: result)
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = held.withLock { held in
                    if !held.isOver { held.continuation = continuation }
                    return held.isOver
                }
                guard !isOver else { return continuation.resume(throwing: URLError(.cancelled)) }
                // Making a task waits for a queue of all sessions, and so does cancelling one.
                Self.taskQueue.async {
                    guard !held.withLock({ $0.isOver }) else { return }
                    if isOurs { ProtocolLoad.expect(name) }
                    let task = self.dataTask(with: sent) { data, response, error in
                        if isOurs { ProtocolLoad.forget(name) }
                        if let response, error == nil {
                            finish(.success((data ?? Data(), response)))
                        } else {
                            finish(.failure(error ?? URLError(.badServerResponse)))
                        }
                    }
                    held.withLock { $0.task = SessionTask(task: task) }
                    task.resume()
                }
            }
        } onCancel: {
            finish(.failure(URLError(.cancelled)))
            Self.taskQueue.async {
                if isOurs { return ProtocolLoad.cancel(name) }
                // See `URLSessionTransport` for why on this queue.
                guard let task = held.withLock({ $0.task }) else { return }
                self.delegateQueue.addOperation { task.task.cancel() }
            }
        }
    }

    /// Loads a URL of any scheme.
    public func picture(for url: URL) async throws -> (Data, URLResponse) {
        try await picture(for: URLRequest(url: url))
    }

    /// A task, which may be used from any thread: its own queue guards it.
    private struct SessionTask: @unchecked Sendable {
        let task: URLSessionDataTask
    }
}
