import AccessLogging
import AssetLibrary
import HTTPMessage
import HTTPServer
import ImageEngine
import Logging
import OriginCache
import Originals
import Reactor
import Renditions
import ResponseCache

/// What the handlers of all loops share; made once, immutable afterwards.
final class ServiceParts: Sendable {
    let originals: Originals
    let maps: MapService
    let renditions: RenditionService
    let workers: WorkerPool
    let metrics: ServiceMetrics
    let statistics: ServerStatistics
    let renderOptions: RenderOptions
    /// What was found out about the qualities that sources need.
    let qualities: QualityMemo
    /// Reduced copies of large originals; nil where none are kept.
    let masters: MasterStore?
    /// Which fields of a request have a say in pictures.
    let varied: VariedFields
    /// Uploads that may be resumed; nil where there is no place for them.
    let resumable: ResumableUploads?
    let openAPI: FixedText
    let policy: PolicyBoard
    let accessLog: AccessLog
    let log: Logger
    let clock: Clock

    init(
        originals: Originals,
        maps: MapService,
        renditions: RenditionService,
        workers: WorkerPool,
        metrics: ServiceMetrics,
        statistics: ServerStatistics,
        renderOptions: RenderOptions,
        qualities: QualityMemo,
        masters: MasterStore?,
        varied: VariedFields,
        resumable: ResumableUploads?,
        openAPI: FixedText,
        policy: PolicyBoard,
        accessLog: AccessLog,
        log: Logger,
        clock: Clock
    ) {
        self.originals = originals
        self.maps = maps
        self.renditions = renditions
        self.workers = workers
        self.metrics = metrics
        self.statistics = statistics
        self.renderOptions = renderOptions
        self.qualities = qualities
        self.masters = masters
        self.varied = varied
        self.resumable = resumable
        self.openAPI = openAPI
        self.policy = policy
        self.accessLog = accessLog
        self.log = log
        self.clock = clock
    }

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
    }

    /// nil when requests can be served; else what is missing.
    func readiness() -> Problem? {
        do {
            try originals.library?.checkAvailable()
            try originals.uploads?.checkAvailable()
            return nil
        } catch {
            return Problem(error)
        }
    }
}
