import AccessLogging
import AssetLibrary
import DiskStore
import HTTPServer
import ImageEngine
import ImageWorkers
import Logging
import MapSources
import Origin
import OriginCache
import Originals
import Reactor
import Renditions
import Resources
import ResponseCache
import ServiceConfiguration
import SharedCache

/// All that is open while the service runs, and that the handlers of all loops share.
final class OpenedService: Sendable {
    let log: Logger
    let clock: Clock
    let metrics = ServiceMetrics()
    let statistics = ServerStatistics()
    let policy: PolicyBoard
    let originals: Originals
    private let resumableOpener: ResumableOpener
    let workers: WorkerPool
    let renditions: RenditionService
    let maps: MapService
    let cards: CardService
    let accessLog: AccessLog
    let renderOptions: RenderOptions
    let imageRules: ImageRules
    let budgets: RequestBudgets
    /// Qualities that were found for sources.
    let qualities = QualityMemo()
    let images: ImageProcessor
    /// nil: all in this process.
    let imageWorkers: ImageWorkers?
    /// nil where no reduced copies of originals are kept.
    let masters: MasterStore?
    /// The same for copies that regions are taken from.
    let regions: RegionStore?
    /// The request fields that decide something about images.
    let varied: VariedFields
    let openAPI = FixedText(Resources.openAPI)
    let script = FixedText(ScriptModule.content)
    let pageFiles = PageFiles()

    /// Opens everything, in this order; `parts` closes it in reverse, also what was open when this throws.
    /// - Parameters:
    ///   - environment: what `${NAME}` in the maps file stands for.
    ///   - uploadWait: nil: a folder of uploads that another server uses is an error at once.
    init(
        _ configuration: Configuration, _ files: SettingFiles, environment: [String: String], log: Logger, clock: Clock,
        uploadWait: UploadWait?, _ parts: inout OpenedParts
    ) throws(ServiceError) {
        (self.log, self.clock) = (log, clock)
        policy = PolicyBoard(
            AnswerPolicy(configuration, presets: files.presets, templates: files.templates, tokens: files.tokens))

        // What lies in folders.
        let library = try Self.openLibrary(configuration)
        let disk = try Self.openDisk(configuration, log, clock)
        parts.add { disk?.close() }
        let sharedFetcher = try Self.sharedFetcher(configuration, files.identities, log)
        parts.add { sharedFetcher?.stop() }
        let shared = try Self.openShared(configuration, log, clock, objects: files.objects, fetcher: sharedFetcher)
        parts.add { shared?.close() }
        let memoryByteCapacity = configuration.cacheStorage == .off ? 0 : configuration.cacheMemory
        let cache = RenditionCache(
            TieredCache(
                memoryByteCapacity: memoryByteCapacity, unsentByteLimit: MemoryBudget(configuration).unsentByteCount,
                openFileLimit: TieredCache.openFileLimit(ofDescriptors: DescriptorLimit.raise()), disk: disk,
                shared: shared))

        // Processes and threads that work.
        let imageWorkers = try Self.startImageWorkers(configuration, environment: environment, log, clock)
        self.imageWorkers = imageWorkers
        images = ImageProcessor(imageWorkers, configuration.isolation)
        parts.add { imageWorkers?.close() }
        let workers = try Self.startWorkers(configuration)
        self.workers = workers
        parts.add(closingIfIdle: { Self.end(workers, clock) })
        let idle = try Self.startIdleWorker(besides: workers)
        parts.add(closingIfIdle: { idle.shutdown(within: .seconds(2)) })

        // Other servers: one cache for maps, one for originals, each with a thread that fetches.
        let mapOrigins = try Self.openMapOrigins(
            configuration, files.identities, log, cache: cache.tiers, workers: workers, clock: clock,
            metrics: metrics.mapOrigins)
        parts.add { mapOrigins?.stop() }
        let mapLibrary = try Self.openMaps(
            configuration, log, environment: environment, remote: mapOrigins, images: images)
        let mapWatch = try Self.watch(mapLibrary)
        parts.add { mapWatch.stop() }
        maps = MapService(configuration, mapLibrary, remote: mapOrigins, metrics: metrics, log: log)
        cards = CardService(
            fonts: maps.fonts, fontDigest: mapLibrary.fonts,
            cells: CardPictureCells(cacheByteCount: memoryByteCapacity))
        cache.tiers.onSharedPurge(ofGroup: { [cells = cards.cells] in cells.forget($0) })
        let uploader = try Self.uploader(configuration, files.identities, log)
        parts.add { uploader?.stop() }
        let remote = try Self.openOrigins(
            configuration, files, log, uploader: uploader, cache: cache.tiers, workers: workers, clock: clock,
            metrics: metrics.origins)
        parts.add { remote?.cache.stop() }
        parts.add { remote?.storage?.stopUploads(within: .seconds(5)) }
        let reader = try Self.startReader(library)
        parts.add { reader?.stop() }

        // What requests are answered with, and logged.
        let renditions = RenditionService(
            cache, workers: workers, workerCount: Processors.count(configuration.workers), idle: idle,
            metrics: metrics.renditions, clock: clock, isKeeping: configuration.cacheStorage != .off)
        self.renditions = renditions
        parts.add { renditions.close() }
        renderOptions = Self.renderOptions(configuration)
        imageRules = ImageRules(configuration)
        budgets = RequestBudgets(configuration, clock: clock)
        masters =
            configuration.masters
            ? MasterStore(cache.tiers, options: renderOptions, clock: clock, sharesMasters: sharedFetcher != nil) : nil
        let regions =
            configuration.masters
            ? RegionStore(
                cache.tiers, options: renderOptions, clock: clock,
                workshop: RegionStore.Workshop(
                    idle: idle, workers: workers, limits: RenditionLimits(configuration))) : nil
        self.regions = regions
        parts.add { regions?.close() }
        varied = VariedFields(usesHints: configuration.clientHints)
        try Self.listen(shared)
        try Self.awaitFirst(imageWorkers)
        let accessLog = try Self.openAccessLog(configuration, metrics)
        self.accessLog = accessLog
        parts.add { accessLog.close() }

        // Last, as the server to take over from ends where it has the folder of uploads: what fails after that leaves no server.
        let uploads = try Self.openUploads(configuration, log, uploadWait)
        let resumableOpener = try ResumableOpener(configuration, log, clock: clock, wait: uploadWait)
        self.resumableOpener = resumableOpener
        parts.add { resumableOpener.close() }
        originals = Originals(
            library: library, uploads: uploads, bucket: Self.uploadBucket(configuration, remote), remote: remote,
            reader: reader)
    }

    /// nil where nothing can be uploaded, or there is no folder for what is not complete, or not yet.
    var resumable: ResumableUploads? { resumableOpener.uploads }

    /// Takes out of the cache what `scope` says, and forgets what is held of other servers for it; workers only.
    func purge(_ scope: PurgeScope) -> PurgeResult {
        defer {
            switch scope {
            case .asset(let id): forget(CacheTag(assetID: id))
            case .rendition: break
            case .whole: forget(nil)
            }
        }
        return renditions.cache.purge(scope)
    }

    /// Forgets what is held of other servers outside the disk tier: a group, or everything.
    func forget(_ tag: CacheTag?) {
        for cache in [originals.remote?.cache, maps.remote] { cache?.forget(tag) }
        cards.cells.forget(tag)
    }

    /// - Throws: what keeps requests from being served.
    func checkReady() throws(LibraryError) {
        try originals.library?.checkAvailable()
        try originals.uploads?.checkAvailable()
    }
}
