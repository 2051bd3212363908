import Origin
import OriginCache
import Originals
import Reactor
import ResponseCache
import ServiceConfiguration

extension Service {
    /// The originals of other servers; nil where none may be asked.
    static func remoteOriginals(
        _ configuration: Configuration, _ identities: OriginIdentities, cache: TieredCache,
        workers: WorkerPool, clock: Clock
    ) throws(Errno) -> RemoteOriginals? {
        guard !configuration.remoteAllow.isEmpty || configuration.s3Endpoint != nil else { return nil }
        var settings = Fetcher.Settings()
        settings.origins = configuration.remoteAllow
        settings.addresses = AddressPolicy(exceptions: configuration.remoteAddresses)
        settings.identities = identities
        settings.limits.total = .seconds(configuration.remoteTimeout)
        settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
        let fetcher = configuration.offline ? nil : try Fetcher(settings)
        let rules = RemoteOriginals.rules(
            folder: spoolFolder(configuration), lifetime: configuration.remoteLifetime,
            isOffline: configuration.offline)
        return RemoteOriginals(
            OriginCache(rules, fetcher: fetcher, store: cache, workers: workers, clock: clock), fetcher: fetcher,
            origins: configuration.remoteAllow, objects: objects(configuration),
            readableBuckets: Set(configuration.s3Buckets), byteLimit: configuration.sourceBytes)
    }

    /// Who is asked for objects; nil: nobody.
    private static func objects(_ configuration: Configuration) -> S3Service? {
        guard let endpoint = configuration.s3Endpoint else { return nil }
        var buckets = Set(configuration.s3Buckets)
        if let place = configuration.uploadPlace { buckets.insert(place.bucket) }
        return S3Service(
            endpoint: endpoint, region: configuration.s3Region, style: configuration.s3Style,
            credentials: S3Credentials(
                id: configuration.s3KeyID?.text ?? "", secret: configuration.s3Secret?.text ?? ""),
            buckets: buckets)
    }

    /// Where uploads go that are objects in a bucket; nil: they are files, or there are none.
    static func uploadBucket(_ configuration: Configuration, _ remote: RemoteOriginals?) -> UploadBucket? {
        guard let place = configuration.uploadPlace, let remote, let endpoint = configuration.s3Endpoint else {
            return nil
        }
        return UploadBucket(
            storage: remote.storage, endpoint: endpoint, place, byteLimit: configuration.uploadLimit,
            spoolFolder: spoolFolder(configuration))
    }

    /// Refuses a place for uploads that cannot be reached.
    static func checkUploads(_ configuration: Configuration) throws(ServiceError) {
        guard let path = configuration.uploads, path.hasPrefix("s3://") else { return }
        guard configuration.uploadPlace != nil else {
            throw .uploads(path: path, cause: "it is not of the form s3://bucket/prefix")
        }
        guard configuration.s3Endpoint != nil else {
            throw .uploads(path: path, cause: "VEDUTA_S3_ENDPOINT is not set")
        }
    }

    /// Where files without a name are made: beside the cache, or where the system has temporary files.
    static func spoolFolder(_ configuration: Configuration) -> String { configuration.cacheDirectory ?? "/tmp" }
}

extension Configuration {
    /// The bucket that `uploads` names; nil where it names a folder, or nothing.
    var uploadPlace: UploadBucket.Place? { uploads.flatMap(UploadBucket.Place.init) }

    /// The folder that `uploads` names; nil where it names a bucket, or nothing.
    var uploadFolder: String? { uploads.flatMap { $0.hasPrefix("s3://") ? nil : $0 } }
}
