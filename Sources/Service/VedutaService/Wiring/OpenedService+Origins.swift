import HTTPMessage
import ImageWorkers
import Logging
import MapSources
import Origin
import OriginCache
import Originals
import Reactor
import ResponseCache
import ServiceConfiguration

// The parts that ask other servers, and what is made with them.
extension OpenedService {
    /// What fetches from `origins`; nil where no other server is asked.
    static func fetcher(
        _ configuration: Configuration, from origins: OriginList, _ identities: OriginIdentities, _ log: Logger
    ) throws(ServiceError) -> Fetcher? {
        guard !configuration.offline else { return nil }
        var settings = Fetcher.Settings()
        settings.origins = origins
        settings.addresses = AddressPolicy(exceptions: configuration.remoteAddresses)
        settings.identities = identities
        settings.limits.total = .seconds(configuration.remoteTimeout)
        settings.fields = [OriginField(name: "User-Agent", value: "veduta")]
        settings.credentialsFailed = { log.warning("cannot get credentials for S3 from \($0): \($1)") }
        do throws(Errno) { return try Fetcher(settings) } catch { throw .threads(cause: "\(error)") }
    }

    /// The originals of other servers; nil where none may be asked.
    static func openOrigins(
        _ configuration: Configuration, _ files: SettingFiles, _ log: Logger, uploader: Fetcher?, cache: TieredCache,
        workers: WorkerPool, clock: Clock, metrics: OriginMetrics
    ) throws(ServiceError) -> RemoteOriginals? {
        guard !configuration.remoteAllow.isEmpty || configuration.s3Endpoint != nil else { return nil }
        let fetcher = try fetcher(configuration, from: configuration.remoteAllow, files.identities, log)
        let rules = RemoteOriginals.rules(
            folder: configuration.spoolFolder, lifetime: configuration.remoteLifetime,
            isOffline: configuration.offline)
        return RemoteOriginals(
            OriginCache(
                rules, fetcher: fetcher, store: cache, workers: workers, clock: clock, fetched: metrics.fetched),
            fetcher: uploader ?? fetcher, origins: configuration.remoteAllow, objects: files.objects,
            readableBuckets: Set(configuration.s3Buckets), byteLimit: configuration.sourceBytes,
            rewrites: files.rewrites)
    }

    /// What uploads to a bucket, over connections of its own: slow uploads hold up no originals. nil where none are uploaded.
    static func uploader(
        _ configuration: Configuration, _ identities: OriginIdentities, _ log: Logger
    ) throws(ServiceError) -> Fetcher? {
        guard configuration.uploadPlace != nil, configuration.s3Endpoint != nil else { return nil }
        return try fetcher(configuration, from: .none, identities, log)
    }

    /// Where uploads are objects in a bucket; nil: they are files, or off.
    static func uploadBucket(_ configuration: Configuration, _ remote: RemoteOriginals?) -> UploadBucket? {
        guard let place = configuration.uploadPlace, let remote, let objects = remote.objects else { return nil }
        return UploadBucket(
            storage: remote.storage, endpoint: objects.endpoint(of: place.bucket), place,
            byteLimit: configuration.uploadLimit, spoolFolder: configuration.spoolFolder)
    }

    /// What is held of other servers for maps; nil where none may be asked. The list of servers is another one than that of
    /// originals.
    static func openMapOrigins(
        _ configuration: Configuration, _ identities: OriginIdentities, _ log: Logger, cache: TieredCache,
        workers: WorkerPool, clock: Clock, metrics: OriginMetrics
    ) throws(ServiceError) -> OriginCache? {
        let origins = configuration.mapOrigins
        guard !origins.isEmpty, let fetcher = try fetcher(configuration, from: origins, identities, log)
        else { return nil }
        // `Via` tells a source that is this very server.
        var fields = Fields()
        fields.append(.via, Via.chain(after: []))
        return OriginCache(
            .maps(fields), fetcher: fetcher, store: cache, workers: workers, clock: clock,
            log: { log.warning("map source: \($0)") }, fetched: metrics.fetched)
    }

    /// The sources and styles of maps. What goes wrong with them later is logged, and what was good stays in use.
    static func openMaps(
        _ configuration: Configuration, _ log: Logger, environment: [String: String] = [:], remote: OriginCache? = nil,
        images: ImageProcessor = .here
    ) throws(ServiceError) -> MapLibrary {
        var settings = MapLibrarySettings(configuration, environment: environment, images: images)
        settings.showsWorld = configuration.mapWorld
        settings.report = { problem in
            log.warning(
                "map source cannot be used", metadata: ["name": "\(problem.name)", "cause": "\(problem.cause)"])
        }
        settings.remote = remote.map { RemoteAccess($0) }
        do throws(MapLibraryFailure) { return try MapLibrary(settings) } catch { throw .maps(error.problems) }
    }

    /// Looks after the files that maps are made of, which may be replaced.
    static func watch(_ library: MapLibrary) throws(ServiceError) -> MapWatch {
        do throws(Errno) { return try MapWatch(library) } catch { throw .threads(cause: "\(error)") }
    }
}

extension MapLibrarySettings {
    /// What the configuration names; `environment` is what `${NAME}` in the maps file stands for.
    init(_ configuration: Configuration, environment: [String: String], images: ImageProcessor = .here) {
        self.init(picture: MapTextures.decode(images))
        archive = configuration.mapArchive
        style = configuration.mapStyle
        files = configuration.mapFiles
        maps = configuration.maps
        self.environment = environment
    }
}

extension Configuration {
    /// Who may be asked for maps: those that are named for it, and the one that has the archive.
    var mapOrigins: OriginList {
        guard let mapArchive, let url = try? OriginURL(mapArchive) else { return mapAllow }
        return mapAllow.adding(url.origin)
    }

    /// The bucket that `uploads` names; nil where it names a folder, or nothing.
    var uploadPlace: UploadBucket.Place? { uploads.flatMap(UploadBucket.Place.init) }

    /// The folder that `uploads` names; nil where it names a bucket, or nothing.
    var uploadFolder: String? { uploads.flatMap { $0.hasPrefix("s3://") ? nil : $0 } }

    /// The folder of uploads that are not complete; nil where none can be resumed.
    var resumableFolder: String? {
        if let uploadFolder { return uploadFolder + "/resumable" }
        return uploadPlace == nil ? nil : cacheDirectory.map { $0 + "/resumable" }
    }

    /// Where files without a name are made: beside the cache, or where the system has temporary files.
    var spoolFolder: String { cacheDirectory ?? "/tmp" }
}
