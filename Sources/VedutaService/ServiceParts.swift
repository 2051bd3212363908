import AssetLibrary
import HTTPMessage
import HTTPServer
import ImageEngine
import Logging
import Reactor

/// What the handlers of all loops share; made once, immutable afterwards.
struct ServiceParts: Sendable {
    let library: FolderLibrary?
    let maps: MapSource
    let delivery: PictureDelivery
    let workers: WorkerPool
    let metrics: ServiceMetrics
    let statistics: ServerStatistics
    let imageLimits: ImageLimits
    let openAPITag: EntityTag?
    let policy: PolicyBoard
    let accessLog: AccessLog
    let log: Logger
    let clock: Clock

    /// nil when requests can be served; else what is missing.
    func readiness() -> Problem? {
        guard let library else { return nil }
        do {
            try library.checkAvailable()
            return nil
        } catch {
            return Problem(error)
        }
    }
}
