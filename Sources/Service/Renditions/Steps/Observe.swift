import HTTPServer
import ClientBudgets
package import Reactor
import ResponseCache

// The first step: the state of the source decides which rendition it is. A recent observation will do; else the source
// is observed, and before that, sources of other servers are fetched and changed files are read.
extension RenditionService {
    func observe(_ walk: inout RequestWalk) -> Answer? {
        let request = walk.request
        let rendition = request.rendition
        let known = rendition.record.latest(knowing: walk.known)
        let current = known.flatMap {
            rendition.isPurged($0.identity, since: $0.epoch, by: cache.tiers.ledger) ? nil : $0
        }
        if let current, case .useKnown(let refreshes) = walk.decision.sourceKnown(age: request.age(of: current)) {
            if refreshes { refresh(request, current) }
            walk.state = current
            return nil
        }
        let earlier = [known, rendition.record.lastRendered].compactMap(\.self)
        let later = prepareSource(
            of: request, from: request.preparedCount,
            refuse: { [self] error in
                error.isOverBudget ? staleAnswer(for: error, request, earlier) : request.answer(.failure(error))
            },
            next: { [self] count in deliver(request.prepared(count), knowing: nil).answer })
        if let later { return later }
        do throws(RenditionError) {
            walk.state = try observeSource(of: rendition, known: known, now: request.request.arrived)
            walk.decision.sourceObserved()
            return nil
        } catch {
            return staleAnswer(for: error, request, earlier)
        }
    }

    /// Observes the source. An unchanged source keeps its identity.
    package func observeSource(
        of rendition: Rendition, known: SourceState?, now: MonotonicInstant
    ) throws(RenditionError) -> SourceState {
        let epoch = cache.tiers.ledger.epoch
        let validator: SourceValidator
        do throws(RenditionError) {
            validator = try rendition.source.currentState()
        } catch {
            // Gone for good is another thing than out of reach.
            if error.isLasting { rendition.record.gone(at: now) }
            throw error
        }
        let identity: RenditionIdentity =
            if let known, known.identity.validator == validator { known.identity } else {
                rendition.identity(with: validator)
            }
        let state = SourceState(identity, at: now, epoch: epoch)
        rendition.record.observed(state)
        return state
    }

    /// Waits for the sources from the one at `index` on, and then answers by `next`, which gets their number; nil where
    /// there is nothing to wait for. `refuse` answers where nothing is fetched, such as for a client whose budget is empty.
    func prepareSource(
        of request: RenditionRequest, from index: Int, refuse: @escaping (RenditionError) -> Answer,
        next: @escaping @Sendable (Int) -> Answer
    ) -> Answer? {
        guard let preparation = request.rendition.source.preparation else { return nil }
        let wait = {
            PausedRequest.wait(
                for: preparation, from: index, request.request, request.responder, next: next,
                refuse: { error in refuse(request.bill?.refusal.map { .overBudget($0) } ?? error) })
        }
        guard let meter = request.bill?.meter else { return wait() }
        return WorkMeter.$current.withValue(meter) { wait() }
    }
}
