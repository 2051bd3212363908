public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A cache of answers in memory and on disk that ``VedutaClient`` and the URL protocols use, and that stands for a `URLCache`
/// where an app wants one.
///
/// It has a store of its own: the one of Foundation for Linux knows answers by host and path alone, whatever their query.
public final class ImageURLCache: URLCache, @unchecked Sendable {
    // Proof for `@unchecked Sendable`: the one stored property is a `let` of a `Sendable` type, and nothing of the superclass
    // is used.
    let store: ResponseStore

    /// Counts since the cache was made.
    public struct Statistics: Sendable, Hashable {
        /// How often an answer was looked for.
        public internal(set) var reads = 0
        /// How often it was there.
        public internal(set) var hits = 0
        /// How many answers were stored.
        public internal(set) var stores = 0
        /// How many had to leave for others.
        public internal(set) var evictions = 0
        /// How many a server found to be still right.
        public internal(set) var revalidations = 0
        /// Bytes in memory.
        public internal(set) var memoryBytes = 0
        /// Bytes on disk.
        public internal(set) var diskBytes = 0
    }

    private enum Current {
        case unset
        case set(ImageURLCache)
        case used(ImageURLCache)
    }

    private static let held = Mutex(Current.unset)

    /// The cache that clients use unless they are given another. It may be set once, before its first use; later is a
    /// programming error and ends the process.
    public static var current: ImageURLCache {
        get {
            held.withLock { held in
                switch held {
                case .used(let cache): return cache
                case .set(let cache):
                    held = .used(cache)
                    return cache
                case .unset:
                    let cache = ImageURLCache()
                    held = .used(cache)
                    return cache
                }
            }
        }
        set {
            held.withLock { held in
                if case .used = held { fatalError("ImageURLCache.current is set after its first use") }
                held = .set(newValue)
            }
        }
    }

    /// Makes a cache with bounds in bytes; without a folder it lies in the caches of the user.
    public init(memory: Int = 64 << 20, disk: Int = 512 << 20, folder: URL? = nil) {
        let usual = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.appending(
            path: "veduta-client")
        store = ResponseStore(memory: memory, disk: disk, folder: disk > 0 ? folder ?? usual : nil)
        super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
    }

    /// Counts since the cache was made.
    public var statistics: Statistics { store.statistics }

    private func key(_ request: URLRequest) -> String? {
        guard let url = request.url, request.httpMethod ?? "GET" == "GET" else { return nil }
        return ResponseStore.key(url, accept: request.value(forHTTPHeaderField: "Accept"))
    }

    /// The answer to a GET; nil where there is none.
    public override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let stored = key(request).flatMap({ store.storedNow($0) }),
            stored.head.answers(HTTPFields(request.allHTTPHeaderFields ?? [:])),
            let response = HTTPURLResponse(
                url: stored.head.url, statusCode: stored.head.status, httpVersion: "HTTP/1.1",
                headerFields: stored.head.fields)
        else { return nil }
        return CachedURLResponse(response: response, data: stored.content)
    }

    /// Keeps the answer to a GET, as its storage policy allows.
    public override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard let key = key(request), let response = cachedResponse.response as? HTTPURLResponse,
            let url = response.url, cachedResponse.storagePolicy != .notAllowed
        else { return }
        let head = StoredResponse.Head(
            HTTPResponse(url: url, status: response.statusCode, fields: HTTPFields(response)),
            to: HTTPFields(request.allHTTPHeaderFields ?? [:]))
        store.storeNow(
            StoredResponse(head: head, content: cachedResponse.data), for: key,
            onDisk: cachedResponse.storagePolicy == .allowed)
    }

    /// As for the request of the task.
    public override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
    }

    /// As for the request of the task.
    public override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
    }

    /// Removes the answer to a request.
    public override func removeCachedResponse(for request: URLRequest) {
        if let key = key(request) { store.remove(key) }
    }

    /// As for the request of the task.
    public override func removeCachedResponse(for dataTask: URLSessionDataTask) {
        if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
    }

    /// Removes what was stored at `date` or later.
    public override func removeCachedResponses(since date: Date) { store.removeAll(since: date) }

    /// Removes everything.
    public override func removeAllCachedResponses() { store.removeAll() }

    /// The most bytes in memory.
    public override var memoryCapacity: Int {
        get { store.limits.memory }
        set { store.limits.memory = newValue }
    }

    /// The most bytes on disk.
    public override var diskCapacity: Int {
        get { store.limits.disk }
        set { store.limits.disk = newValue }
    }

    /// Bytes in memory.
    public override var currentMemoryUsage: Int { statistics.memoryBytes }

    /// Bytes on disk.
    public override var currentDiskUsage: Int { statistics.diskBytes }
}
