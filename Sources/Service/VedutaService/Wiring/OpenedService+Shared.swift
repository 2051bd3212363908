import HTTPMessage
import Logging
import Origin
import Originals
import Reactor
import ResponseCache
import ServiceConfiguration
import SharedCache

// What several servers share, on other machines.
extension OpenedService {
    /// What asks S3 for shared objects; nil where there are none.
    /// - Throws: also where the bucket that is named cannot be reached.
    static func sharedFetcher(
        _ configuration: Configuration, _ identities: OriginIdentities, _ log: Logger
    ) throws(ServiceError) -> Fetcher? {
        guard try checkSharedObjects(configuration) else { return nil }
        return try fetcher(configuration, from: .none, identities, log)
    }

    /// Whether there are shared objects.
    /// - Throws: where the bucket that is named cannot be reached.
    @discardableResult
    static func checkSharedObjects(_ configuration: Configuration) throws(ServiceError) -> Bool {
        guard let place = configuration.sharedObjects, configuration.cacheStorage == .all else { return false }
        func fault(_ cause: String) -> ServiceError { .sharedObjects(place: place, cause: cause) }
        guard UploadBucket.Place(place) != nil else { throw fault("it is not of the form s3://bucket/prefix") }
        guard configuration.s3Endpoint != nil else { throw fault("VEDUTA_S3_ENDPOINT is not set") }
        guard configuration.sharedCache != nil else { throw fault("VEDUTA_SHARED_CACHE is not set") }
        return true
    }

    private static func sharedObjects(
        _ configuration: Configuration, _ objects: S3Service?, _ fetcher: Fetcher?
    ) -> SharedObjects? {
        guard let fetcher, let place = configuration.sharedObjects.flatMap(UploadBucket.Place.init),
            var service = objects
        else { return nil }
        service.buckets = [place.bucket]
        return SharedObjects(
            S3Storage(service, fetcher: fetcher), bucket: place.bucket,
            prefix: "\(place.prefix)\(configuration.sharedPrefix.text)/")
    }

    /// nil: no other server shares what this one makes.
    static func openShared(
        _ configuration: Configuration, _ log: Logger, _ clock: Clock, objects: S3Service?, fetcher: Fetcher?
    ) throws(ServiceError) -> SharedCache? {
        guard let address = configuration.sharedCache, configuration.cacheStorage == .all else { return nil }
        let place = address.shown
        // What was purged elsewhere while this server was down is in its folder still.
        let memory = configuration.cacheDirectory.flatMap { folder in
            try? FileDescriptor.openFolder(folder).openOrMakeFile(RelativePath("shared-generation"))
        }
        var settings = SharedCacheSettings(address)
        settings.prefix = configuration.sharedPrefix
        do throws(Errno) {
            return try SharedCache.open(
                settings, objects: sharedObjects(configuration, objects, fetcher), memory: memory,
                clock: clock
            ) { event in
                switch event {
                case .reached: log.notice("the cache at \(place) is shared")
                case .lost(let cause):
                    log.warning("the cache at \(place) is not shared, and purges elsewhere are not heard: \(cause)")
                case .historyLost:
                    log.warning("purges elsewhere cannot be told any more, so everything was purged here")
                case .purgeDelayed: log.warning("other servers hear of a purge when \(place) answers again")
                }
            }
        } catch {
            throw .threads(cause: "\(error)")
        }
    }

    static func listen(_ shared: SharedCache?) throws(ServiceError) {
        do throws(Errno) { try shared?.listen() } catch { throw .threads(cause: "\(error)") }
    }
}
