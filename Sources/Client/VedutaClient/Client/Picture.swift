public import Foundation

/// What of the cache may answer.
public enum ReadPolicy: Sendable, CaseIterable {
    /// What is fresh; what is stale is revalidated (RFC 9111). The default.
    case useProtocol
    /// Whatever is there, also stale; else the server.
    case returnCacheElseLoad
    /// Whatever is there, or ``VedutaError/notCached``.
    case returnCacheDontLoad
    /// Nothing: the server, and no cache on the way.
    case reloadIgnoringCache
    /// What the server says is still right.
    case reloadRevalidating
}

/// What the cache keeps.
public enum StoragePolicy: Sendable, CaseIterable {
    /// In memory and on disk.
    case allowed
    /// In memory.
    case memoryOnly
    /// Nothing.
    case notAllowed
}

/// An image as it was received.
public struct Picture: Sendable {
    /// Where it came from.
    public enum Source: String, Sendable {
        /// A tier of the cache.
        case memory, disk
        /// The cache, after the server said that it is still right.
        case revalidated
        /// The server.
        case network
        /// The cache, stale, as the server did not answer.
        case stale
    }

    /// Its bytes.
    public let data: Data
    /// Where it was asked for, after redirects.
    public let url: URL
    /// Where it came from.
    public let source: Source
    /// The fields of the answer.
    public let fields: HTTPFields

    /// `image/avif`.
    public var mediaType: String? { fields["content-type"] }
    /// The entity tag, with its quotes.
    public var entityTag: String? { fields["etag"] }

    init(_ loaded: LoadedResponse) {
        data = loaded.response.content
        url = loaded.response.head.url
        source = loaded.source
        fields = loaded.response.fields
    }
}

/// An answer of any status, and where it came from.
struct LoadedResponse: Sendable {
    var response: StoredResponse
    var source: Picture.Source
}

/// Images on their way into the cache, two at a time, below all other requests.
public final class Prefetch: Sendable {
    private let task: Task<Int, Never>

    init(_ urls: [any PictureURL], _ load: @escaping @Sendable (any PictureURL) async throws -> Void) {
        task = Task(priority: .background) {
            await withTaskGroup(of: Bool.self) { group in
                var (rest, loaded) = (urls[...], 0)
                for _ in 0..<2 {
                    if let url = rest.popFirst() { group.addTask { (try? await load(url)) != nil } }
                }
                while let isLoaded = await group.next() {
                    loaded += isLoaded ? 1 : 0
                    if !Task.isCancelled, let url = rest.popFirst() {
                        group.addTask { (try? await load(url)) != nil }
                    }
                }
                return loaded
            }
        }
    }

    deinit { task.cancel() }

    /// Ends what is under way; what was loaded stays.
    public func cancel() { task.cancel() }

    /// Waits for the end; how many are in the cache.
    public func finish() async -> Int { await task.value }
}
