import MapGrammar
import MapPlan
import MapRender
import Renditions
import Synchronization

/// The work of the overlays of one map. It is kept for a job that has to start again later.
final class MeasuredOverlays: Sendable {
    private struct Measured {
        var camera: Camera
        var work: OverlayWork
    }

    private let latest = Mutex<Measured?>(nil)

    /// Throws where there are too many dashes, and where `job` should stop meanwhile.
    func work(of request: MapRequest, from camera: Camera, _ job: RenderJob) throws(RenditionError) -> OverlayWork {
        // Another state of the sources may have another level to begin with.
        if let known = latest.withLock({ $0 }), known.camera == camera { return known.work }
        var hasStopped = false
        let work = request.overlayWork(from: camera) {
            // What was left out then is nowhere else to be seen.
            hasStopped = hasStopped || job.shouldStop()
            return hasStopped
        }
        if work.hasTooManyDashes { throw RenditionError(MapError.tooManyDashes) }
        if hasStopped || job.shouldStop() { throw RenditionError(MapError.cancelled) }
        latest.withLock { $0 = Measured(camera: camera, work: work) }
        return work
    }
}
