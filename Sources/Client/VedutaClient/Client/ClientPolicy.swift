import Bytes
import Foundation

/// How a client asks, and how often.
public struct ClientPolicy: Sendable {
    /// How often a request is sent in all that may be repeated: GET, HEAD, resumable uploads, and PUT with `If-None-Match: *`.
    public var attempts = 3
    /// The wait before the second attempt; it doubles for each further one, and is varied by a quarter.
    public var firstDelay: Duration = .milliseconds(300)
    /// The longest `Retry-After` that is waited for; with a longer one the error is thrown at once.
    public var retryAfterLimit: Duration = .seconds(30)
    /// The `Accept` of requests for images: what the app can show.
    public var accept = "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.5"
    /// Says whether there is a network and what it costs: on Apple platforms what the system says, elsewhere a good one, unless set.
    public var connectivity: any Connectivity = usualConnectivity

    /// Three attempts, AVIF and WebP, the network of the system.
    public init() {}

    /// How long to wait after `attempt` (from 1) ended so; nil where there is no further one.
    func delay(after attempt: Int, _ outcome: Result<HTTPResponse, VedutaError>) -> Duration? {
        guard attempt < attempts else { return nil }
        let usual = firstDelay * (1 << min(attempt - 1, 16)) * Double.random(in: 0.75...1.25)
        switch outcome {
        case .success(let response):
            guard [408, 429, 502, 503, 504].contains(response.status) else { return nil }
            guard let seconds = response.retryAfter else { return usual }
            return .seconds(seconds) <= retryAfterLimit ? max(usual, .seconds(seconds)) : nil
        case .failure(.transport(let error)):
            return [.timedOut, .networkConnectionLost, .cannotConnectToHost].contains(error.code) ? usual : nil
        case .failure: return nil
        }
    }
}

extension HTTPResponse {
    /// `Retry-After` in seconds (RFC 9110 §10.2.3), given as such or as a date.
    var retryAfter: Int? {
        guard let text = fields["retry-after"] else { return nil }
        if let seconds = Int(text) { return max(0, seconds) }
        guard let seconds = Freshness.date(text)?.timeIntervalSinceNow else { return nil }
        return Int(held: seconds.rounded(.up), in: 0...1_000_000_000)
    }
}

/// Whether there is a network, and of what kind.
public protocol Connectivity: Sendable {
    /// The way that packets take now.
    var current: NetworkPath { get }
    /// Every way from now on, whenever it changes.
    var changes: AsyncStream<NetworkPath> { get }
}

/// The way that packets take.
public struct NetworkPath: Sendable, Hashable {
    /// What carries them.
    public enum Kind: Sendable {
        /// A kind of interface.
        case wifi, cellular, wired, other
    }

    /// Whether there is one at all.
    public var isConnected: Bool
    /// Whether it costs by the byte: cached images are then used although they are stale.
    public var isExpensive: Bool
    /// Whether the user asked for few bytes.
    public var isConstrained: Bool
    /// What carries the packets.
    public var kind: Kind

    var isCheap: Bool { isConnected && !isExpensive && !isConstrained }

    /// Connected and free of charge unless said otherwise.
    public init(isConnected: Bool = true, isExpensive: Bool = false, isConstrained: Bool = false, kind: Kind = .other) {
        self.isConnected = isConnected
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.kind = kind
    }
}

/// A network that is always the same; for systems that tell nothing of theirs, and for tests.
public struct FixedConnectivity: Connectivity {
    /// The way that packets take.
    public let current: NetworkPath

    /// Always `path`.
    public init(_ path: NetworkPath = NetworkPath()) { current = path }

    /// Ends at once.
    public var changes: AsyncStream<NetworkPath> { AsyncStream { $0.finish() } }
}

#if canImport(Network)
    import Network
    import Synchronization

    /// One for all clients of the process.
    private let usualConnectivity: any Connectivity = SystemConnectivity()

    /// The network as the system sees it.
    public final class SystemConnectivity: Connectivity {
        private let monitor = NWPathMonitor()
        private let state = Mutex<(path: NetworkPath, listeners: [UUID: AsyncStream<NetworkPath>.Continuation])>(
            (NetworkPath(), [:]))

        /// Starts to watch.
        public init() {
            monitor.pathUpdateHandler = { [weak self] path in
                let kind: NetworkPath.Kind =
                    path.usesInterfaceType(.wifi)
                    ? .wifi
                    : path.usesInterfaceType(.cellular)
                        ? .cellular : path.usesInterfaceType(.wiredEthernet) ? .wired : .other
                self?.changed(
                    to: NetworkPath(
                        isConnected: path.status == .satisfied, isExpensive: path.isExpensive,
                        isConstrained: path.isConstrained, kind: kind))
            }
            monitor.start(queue: DispatchQueue(label: "veduta.connectivity"))
        }

        deinit { monitor.cancel() }

        private func changed(to path: NetworkPath) {
            let listeners = state.withLock { state in
                state.path = path
                return Array(state.listeners.values)
            }
            for listener in listeners { listener.yield(path) }
        }

        /// The way that packets take now.
        public var current: NetworkPath { state.withLock { $0.path } }

        /// Every way from now on.
        public var changes: AsyncStream<NetworkPath> {
            AsyncStream { continuation in
                let id = UUID()
                state.withLock { $0.listeners[id] = continuation }
                continuation.onTermination = { [weak self] _ in
                    self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
                }
            }
        }
    }
#else
    private let usualConnectivity: any Connectivity = FixedConnectivity()
#endif
