import HTTPServer
import Reactor
import ResponseCache
import Telemetry

// Observing again before anybody has to wait: in the last tenth of a source's lifetime, and after it, while what is
// known may be served (RFC 5861 §3). One job for a rendition at a time; all loops hear of it at their next request.
extension RenditionService {
    /// Observes the source in the background, and renders again if it has changed.
    func refresh(_ request: RenditionRequest, _ known: SourceState) {
        let (rendition, limits, bypasses) = (request.rendition, request.limits, request.decision.bypasses)
        guard rendition.record.beginRefresh(at: request.request.arrived) else { return }
        rendition.source.preparation?.refresh()
        metrics.refreshes.add()
        let isAdmitted = workers.submit(for: request.client) { [self] in
            do throws(RenditionError) {
                let (epoch, now) = (cache.tiers.ledger.epoch, clock.monotonic())
                let validator = try rendition.source.currentState()
                if validator == known.identity.validator {
                    rendition.record.observed(SourceState(known.identity, at: now, epoch: epoch))
                    return rendition.record.endRefresh()
                }
                let state = SourceState(rendition.identity(with: validator), at: now, epoch: epoch)
                renderAhead(rendition, state, limits, bypasses: bypasses)
            } catch {
                giveUp(rendition, error)
            }
        }
        if !isAdmitted { endLater(rendition) }
    }

    /// Renders a source that has changed; until that is done, requests get the rendition before. Nobody is charged: the
    /// client whose request came at that moment got what was stored.
    private func renderAhead(_ rendition: Rendition, _ state: SourceState, _ limits: RenditionLimits, bypasses: Bool) {
        let key = state.identity.key
        if let failed = cache.timeout(of: key, limits, at: clock.monotonic()) { return giveUp(rendition, failed.error) }
        // The request's wishes about keeping are its own; the refresh is for all.
        let entrance = flights.enter(
            key, storage: bypasses ? .off : .all, epoch: state.epoch,
            isPurged: { rendition.isPurged(state.identity, since: $0, by: cache.tiers.ledger) },
            receive: { [self] outcome in
                switch outcome {
                case .success:
                    rendition.record.observed(state)
                    rendition.record.endRefresh()
                case .failure(let failed): giveUp(rendition, failed.error)
                }
            })
        guard case .leader(let flight, _) = entrance else { return }
        run(
            RenderWalk(
                rendition: rendition, state: state, flight: flight, limits: limits, isForced: false, bypasses: bypasses)
        )
    }

    /// Out of reach: what is known is served for as long as it may be, and another try comes a second later. The next
    /// request is told of anything else.
    private func giveUp(_ rendition: Rendition, _ error: RenditionError) {
        if error.isLasting { rendition.record.gone(at: clock.monotonic()) }
        endLater(rendition)
    }

    private func endLater(_ rendition: Rendition) {
        rendition.record.endRefresh(notBefore: clock.monotonic() + .seconds(1))
    }
}
