import MapGrammar
import MapPlan
import MapRender
import MapSources
import Renditions
import Synchronization

/// The work of the overlays of one map, and the camera that is fitted to them. Both are kept for a job that has to start again later.
final class MeasuredOverlays: Sendable {
    private struct Measured {
        var camera: Camera
        var work: OverlayWork
    }

    private let latest = Mutex<Measured?>(nil)
    private let fitted = Mutex<Camera?>(nil)

    /// Throws where `job` should stop meanwhile. All calls are of the same `request`.
    func camera(
        of request: MapRequest, _ style: MapStyleEntry, _ maps: MapService, _ job: RenderJob
    ) throws(RenditionError) -> Camera {
        // Others take little work, and may depend on the state of the sources.
        guard case .overlays = request.placement else { return try maps.camera(of: request, style, job) }
        if let known = fitted.withLock({ $0 }) { return known }
        let camera = try maps.camera(of: request, style, job)
        fitted.withLock { $0 = camera }
        return camera
    }

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
