import Bytes
import ClientBudgets
import HTTPMessage
package import HTTPServer
import Reactor
import ResponseCache
import Telemetry

/// Work past the cache, which is looked at but never changed: `explain=1`.
package struct ApartRequest: Sendable {
    package let request: RenditionRequest
    let work: @Sendable (RenderJob, SourceState) throws(RenditionError) -> Response
    fileprivate let isAbandoned = SharedFlag()
    fileprivate let start = WorkStart()

    package init(
        _ request: RenditionRequest,
        work: @escaping @Sendable (RenderJob, SourceState) throws(RenditionError) -> Response
    ) {
        self.request = request
        self.work = work
    }
}

extension RenditionService {
    /// Answers with what a worker makes; `index` of the sources were waited for.
    package func deliver(_ apart: ApartRequest, from index: Int = 0) -> Answer {
        let request = apart.request
        let later = prepareSource(
            of: request, from: index, refuse: { request.answer(.failure($0)) },
            next: { [self] in deliver(apart, from: $0) })
        return later ?? deliverPrepared(apart)
    }

    private func deliverPrepared(_ apart: ApartRequest) -> Answer {
        let request = apart.request
        let state: SourceState
        do throws(RenditionError) {
            state = try observeSource(of: request.rendition, known: nil, now: request.request.arrived)
        } catch {
            return request.answer(.failure(error))
        }
        if let failed = cache.timeout(of: state.identity.key, request.limits, at: request.request.arrived),
            let (_, timeToLive) = failed.known
        {
            metrics.negativeHits.add()
            return request.answer(.failure(failed.error, .late(timeToLiveSeconds: timeToLive)))
        }
        do throws(BudgetRefusal) { try request.bill?.open() } catch {
            return request.answer(.failure(.overBudget(error)))
        }
        // Nobody knows yet what it costs: in the long lane it is in nobody's way.
        guard submit(apart, state, .long, price: nil) else {
            metrics.refusals.add()
            return request.answer(.failure(.busy))
        }
        return .later(
            onAbandon: { apart.isAbandoned.set() }, whenLate: { [self] in late(request, state, work: apart.start) })
    }

    /// Works when `claim` is free, and starts again where it needs more.
    private func submit(_ apart: ApartRequest, _ state: SourceState, _ claim: JobClaim, price: Int?) -> Bool {
        let submitted = clock.monotonic()
        let share = metrics.backlog.enter(apart.request.rendition.route, price: price)
        return workers.submit(
            to: .long, claiming: claim, for: apart.request.client, cancelledBy: apart.isAbandoned,
            displaced: { [self] in refuse(apart) }
        ) { [self] in
            share.end()
            metrics.waited(clock.monotonic() - submitted, apart.request.rendition.route)
            let (request, isAbandoned, isClosed) = (apart.request, apart.isAbandoned, isClosed)
            let admission = RenderAdmission(workers, claim, request.limits.work, bill: request.bill)
            // A postponed one is counted already.
            if claim == .long { metrics.renderBegan(request.rendition.route) }
            apart.start.set(clock.monotonic())
            let job = RenderJob(shouldStop: { isAbandoned.isSet || isClosed.isSet }, admit: admission.admit)
            let work = { Result { () throws(RenditionError) in try apart.work(job, state) } }
            let outcome = TraceContext.$current.withValue(request.request.trace) {
                request.bill?.measure(work) ?? work()
            }
            admission.end()
            if let wanted = admission.postponed {
                metrics.postponements.add()
                apart.start.clear()
                return submit(apart, state, wanted, price: admission.price) ? () : refuse(apart)
            }
            request.bill?.close()
            // The client has left, or was told that it took too long.
            guard !isAbandoned.isSet else { return metrics.cancelledRenders.add() }
            switch outcome {
            case .success(let response): request.responder.respond(response)
            case .failure(let error):
                let refusal = request.bill?.refusal.map { RenditionError.overBudget($0) }
                request.respond(.failure(refusal ?? request.limits.work.named(error)))
            }
        }
    }

    private func refuse(_ apart: ApartRequest) {
        metrics.refusals.add()
        apart.request.respond(.failure(.busy))
    }
}
