package import AssetLibrary
package import Bytes
import Digest
package import HTTPMessage
package import Origin
package import OriginCache
import ResponseCache

package struct RemoteSource: Hashable, Sendable {
    /// In its one spelling, as in canonical requests and for purges.
    package let id: String
    package let url: OriginURL
    /// An object in a bucket; requests for it are signed.
    package var object: S3Location?

    /// Ids are bytes: two that only look alike are different, though equal as Swift texts.
    package static func == (left: RemoteSource, right: RemoteSource) -> Bool {
        left.id.utf8.elementsEqual(right.id.utf8) && left.url == right.url && left.object == right.object
    }

    package func hash(into hasher: inout Hasher) {
        for byte in id.utf8 { hasher.combine(byte) }
    }
}

/// The originals of other servers: which may be fetched, and what the cache has. A request prepares its originals
/// first; the worker that renders finds the bytes in the cache.
package final class RemoteOriginals: Sendable {
    package let cache: OriginCache
    /// For `https://…` and `http://…`.
    package let origins: OriginList
    /// For `s3://…`.
    package let objects: S3Service?
    /// Anybody may name their objects.
    package let readableBuckets: Set<String>
    /// nil where there are no buckets, or no server is asked.
    package let storage: S3Storage?
    private let byteLimit: Int
    /// Where originals of other servers are now.
    package let rewrites: AddressRewrites

    package init(
        _ cache: OriginCache, fetcher: Fetcher?, origins: OriginList, objects: S3Service?,
        readableBuckets: Set<String>, byteLimit: Int, rewrites: AddressRewrites = .none
    ) {
        self.cache = cache
        self.origins = origins
        self.objects = objects
        self.readableBuckets = readableBuckets
        self.byteLimit = byteLimit
        self.rewrites = rewrites
        storage = fetcher.flatMap { fetcher in objects.map { S3Storage($0, fetcher: fetcher) } }
    }

    /// nil where the origin has none. O(1); any thread.
    package func state(of source: RemoteSource) throws(OriginalError) -> OriginalState? {
        switch cache.current(item(source)) {
        case .found(let answer): return OriginalState(answer)
        case .absent: return nil
        case .failed(let failure): throw OriginalError(failure)
        }
    }

    /// The bytes of a prepared original, their state and the origin's entity tag; nil where the origin has none. Waits
    /// for the disk; workers only.
    package func read(
        _ source: RemoteSource
    ) throws(OriginalError) -> (content: SharedBytes, state: OriginalState, entityTag: EntityTag?)? {
        do throws(FetchFailure) {
            return try cache.read(item(source)).map {
                ($0.content, OriginalState($0.answer), $0.answer.exchange.entityTag)
            }
        } catch {
            throw OriginalError(error)
        }
    }

    /// The same with the content where it is.
    package func open(_ source: RemoteSource) throws(OriginalError) -> CachedAnswer? {
        do throws(FetchFailure) { return try cache.open(item(source)) } catch { throw OriginalError(error) }
    }

    /// See ``OriginCache/prepare(_:for:via:makeRequest:done:)``.
    package func prepare(
        _ source: RemoteSource, _ directives: RemoteDirectives, via: [String], done: @escaping @Sendable () -> Void
    ) throws(OriginalError) -> (@Sendable () -> Void)? {
        let makeRequest: @Sendable () throws(OriginError) -> FetchRequest = { [self] () throws(OriginError) in
            guard let object = source.object else { return FetchRequest(source.url, byteLimit: byteLimit) }
            guard let storage else { throw .originNotAllowed }
            return try storage.fetchRequest(object, byteLimit: byteLimit)
        }
        do throws(FetchFailure) {
            return try cache.prepare(item(source), for: directives, via: via, makeRequest: makeRequest, done: done)
        } catch {
            throw OriginalError(error)
        }
    }

    private func item(_ source: RemoteSource) -> OriginItem {
        var hash = SHA256()
        for field in ["original", source.id, source.url.description, source.object?.description ?? ""] {
            hash.update(field: field)
        }
        // Another server may replace an upload with a name at any time.
        let isUpload = source.object != nil && !source.id.hasPrefix("s3://")
        let lifetime = Originals.isUpload(source.id) ? cache.rules.lifetime : 1
        return OriginItem(
            key: CacheKey(hash.digest()), origin: source.url.origin, tag: CacheTag(assetID: source.id),
            assumedLifetime: isUpload ? lifetime : nil)
    }

    /// Originals are files in `folder` until they are in the disk tier.
    package static func rules(folder: String, lifetime: Int, isOffline: Bool) -> OriginRules {
        var rules = OriginRules(.files(folder: folder))
        rules.fields.append(.accept, "image/*, */*;q=0.5")
        rules.byteCapacity = 256 << 20
        rules.requestsPerOrigin = FetchLoop.Bounds().connectionsPerHost
        rules.longestTurn = ExchangeLimits().wait
        rules.lifetime = lifetime
        rules.isOffline = isOffline
        return rules
    }
}

/// The state of an original's content, wherever it is kept.
package struct OriginalState: Equatable, Sendable {
    /// Changes with the content; the same after a restart and on every replica.
    package let validator: String
    /// In seconds since 1970, if known.
    package let lastModified: Int64?

    package init(validator: String, lastModified: Int64?) {
        self.validator = validator
        self.lastModified = lastModified
    }

    package init(_ state: AssetState) { self.init(validator: state.validator, lastModified: state.modifiedUnixSeconds) }
}

extension OriginalState {
    package init(_ answer: CachedAnswer) {
        self.init(validator: answer.digest ?? "", lastModified: answer.exchange.lastModified)
    }
}
