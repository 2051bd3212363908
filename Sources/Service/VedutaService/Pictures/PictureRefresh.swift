import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache

// Looking again before anybody has to wait for it: in the last tenth of a source's lifetime, and after it, while what is
// known may be served (RFC 5861 §3). One job for a picture at a time, whoever asks for it. What it finds is known to all
// loops at their next request.
extension PictureDelivery {
    /// Looks at the source in the background, and makes the picture anew if it has changed.
    func refresh(_ ask: PictureAsk, _ known: Sighting) {
        let (plan, bypasses, limits) = (ask.plan, ask.bypasses, ask.policy.limits)
        // What this request wants kept is its own wish; the refresh is for all.
        let storage = bypasses ? StoragePolicy.off : .all
        guard plan.watch.beginRefresh(at: ask.request.arrived) else { return }
        plan.preparation?.refresh()
        metrics.refreshBegan()
        let isAdmitted = workers.submit { [self] in
            do throws(Problem) {
                let epoch = cache.ledger.epoch
                let now = clock.monotonic()
                let validator = try plan.currentValidator()
                if validator == known.identity.validator {
                    plan.watch.saw(Sighting(identity: known.identity, at: now, epoch: epoch))
                    return plan.watch.endRefresh()
                }
                let sighting = Sighting(identity: plan.identity(with: validator), at: now, epoch: epoch)
                makeAhead(plan, sighting, storage: storage, bypasses: bypasses, limits: limits)
            } catch {
                giveUp(plan, error)
            }
        }
        if !isAdmitted { endLater(plan) }
    }

    /// Makes the picture of a source that has changed; until it is there, requests get the one before.
    private func makeAhead(
        _ plan: PicturePlan, _ sighting: Sighting, storage: StoragePolicy, bypasses: Bool, limits: PictureLimits
    ) {
        let key = sighting.identity.key
        if let failed = knownTimeout(key, limits, at: clock.monotonic()) { return giveUp(plan, failed.problem) }
        let entrance = flights.enter(
            key, storage: storage, epoch: sighting.epoch,
            isPurged: { plan.isPurged(sighting.identity, since: $0, by: cache.ledger) },
            receive: { [self] outcome in
                switch outcome {
                case .success:
                    plan.watch.saw(sighting)
                    plan.watch.endRefresh()
                case .failure(let failed): giveUp(plan, failed.problem)
                }
            })
        guard case .leader(let flight, _) = entrance else { return }
        make(Making(plan, sighting, flight, isForced: false, limits: limits), bypasses: bypasses, queued: .zero)
    }

    /// Out of reach: what is known is served for as long as it may be, and another try comes a second later. Anything else
    /// is what the next request is to be told.
    private func giveUp(_ plan: PicturePlan, _ problem: Problem) {
        if problem.status.code < 500 { plan.watch.lost(at: clock.monotonic()) }
        endLater(plan)
    }

    private func endLater(_ plan: PicturePlan) {
        plan.watch.endRefresh(notBefore: clock.monotonic() + .seconds(1))
    }
}
