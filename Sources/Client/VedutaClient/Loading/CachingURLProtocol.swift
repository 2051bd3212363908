import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Keeps the GETs of an app by the rules of HTTP (RFC 9111), and answers them from the cache when the network is not there.
///
/// Add it to `URLSessionConfiguration.protocolClasses` after ``begin(schemes:hosts:store:transport:)``.
public final class CachingURLProtocol: URLProtocol {
    private struct Rules {
        var schemes: Set<String>
        /// nil: every host.
        var hosts: Set<String>?
        var client: VedutaClient
    }

    private static let rules = Mutex<Rules?>(nil)
    private lazy var load = ProtocolLoad(self)

    /// Says which requests are answered, and where answers are kept.
    public static func begin(
        schemes: Set<String> = ["http", "https"], hosts: Set<String>? = nil, store: ImageURLCache = .current,
        transport: any Transport = URLSessionTransport()
    ) {
        guard let base = URL(string: "http://localhost") else { return }
        var policy = ClientPolicy()
        policy.attempts = 1
        let client = VedutaClient(VedutaEndpoint(base), cache: store, transport: transport, policy: policy)
        rules.withLock { $0 = Rules(schemes: schemes, hosts: hosts, client: client) }
    }

    /// Whether it is a GET of the schemes and hosts of ``begin(schemes:hosts:store:transport:)``.
    public override class func canInit(with request: URLRequest) -> Bool {
        guard let url = request.url, request.httpMethod ?? "GET" == "GET", let scheme = url.scheme?.lowercased() else {
            return false
        }
        return rules.withLock { rules in
            guard let rules else { return false }
            return rules.schemes.contains(scheme) && rules.hosts?.contains(url.host() ?? "") ?? true
        }
    }

    /// The request as it is.
    public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins the load. Redirects are followed here, and the last answer is delivered with its URL.
    public override func startLoading() {
        let client = Self.rules.withLock { $0?.client }
        load.start { request in
            guard let client, let url = request.url else { throw VedutaError.invalidURL([]) }
            var loading = VedutaClient.Loading(url, request, client.policy)
            loading.fields["accept"] = request.value(forHTTPHeaderField: "Accept") ?? "*/*"
            loading.fields[HTTPRequest.hopField] = "1"
            return try await client.load(loading)
        }
    }

    /// Ends the load; nothing is told any more.
    public override func stopLoading() { load.stop() }
}
