import Bytes
import HTTPMessage
import HTTPServer
import ImageEngine
import ImagePlan
import Logging
import Reactor
import ResponseCache

// The steps that every picture goes through, in order: identity → preconditions → memory → single flight → admission →
// worker → store → answer. All up to admission run on the loop's thread and touch no pixel.

/// How a flight ended: the picture and what it took, or the problem that all who waited for it get.
typealias FlightOutcome = Result<DeliveredPicture, Problem>

/// A finished picture with the timings of its making.
struct DeliveredPicture: Sendable {
    let stored: StoredResponse
    /// Whether the memory tier took it.
    let isKept: Bool
    let timings: [(name: StaticString, duration: Duration)]
}

/// Delivers pictures from memory or by having them made, once for all who ask at the same time.
final class PictureDelivery: Sendable {
    private let cache: MemoryCache
    private let flights = SingleFlight<FlightOutcome>(valueWhenDropped: .failure(.overloaded))
    private let workers: WorkerPool
    private let metrics: ServiceMetrics
    private let log: Logger
    private let clock: Clock
    private let isClosed = SharedFlag()

    init(configuration: Configuration, workers: WorkerPool, metrics: ServiceMetrics, log: Logger, clock: Clock) {
        self.cache = MemoryCache(byteCapacity: configuration.cacheMemory)
        self.workers = workers
        self.metrics = metrics
        self.log = log
        self.clock = clock
    }

    /// What the memory tier holds and did.
    var cacheCounts: CacheCounts { cache.counts }

    /// Gives up all work, when nobody can be answered any more.
    func close() {
        isClosed.set()
    }

    /// The identity of a picture, with the field lines that all answers for it have: 304 sends these alone, and those of
    /// the policy.
    func identify(_ plan: PicturePlan, _ validator: SourceValidator) -> PictureIdentity {
        PictureIdentity(validator: validator, digest: plan.digest(with: validator)) { tag, validator in
            var fields = FieldLines()
            if let tag { fields.append(.entityTag, tag) }
            if let lastModified = validator.lastModified { fields.append(.lastModified, date: lastModified) }
            if plan.isNegotiated { fields.append(.vary, literal: "Accept") }
            return fields
        }
    }

    /// Answers `request` with the picture of `plan`; `lines` are what the policy adds.
    func deliver(
        _ plan: PicturePlan, _ identity: PictureIdentity, to request: Request, _ lines: PolicyLines,
        _ responder: Responder
    ) -> Answer {
        switch precondition(plan, identity, request) {
        case .proceed: break
        case .notModified:
            metrics.answered(plan.route, .notModified)
            var response = Response(status: .notModified, fields: identity.fields)
            response.ownFields = lines.picture
            return .now(response)
        case .failed: return .now(problem(.preconditionFailed, to: request, plan, lines))
        }
        if let stored = cache.response(for: identity.key) {
            metrics.cacheHit()
            return .now(picture(stored, lines.hit, to: request, plan, lines))
        }
        // Making a picture costs more than a look: what was changed within the source's lifetime may be here already.
        let latest = latestIdentity(of: plan, known: identity)
        if latest !== identity, let stored = cache.response(for: latest.key) {
            metrics.cacheHit()
            return .now(picture(stored, lines.hit, to: request, plan, lines))
        }
        metrics.cacheMiss()
        return wait(for: plan, latest, request, lines, responder)
    }

    /// The identity by the source's state now. A source that is gone is the worker's to report.
    private func latestIdentity(of plan: PicturePlan, known: PictureIdentity) -> PictureIdentity {
        guard let validator = try? plan.currentValidator(), validator != known.validator else { return known }
        return identify(plan, validator)
    }

    private func precondition(
        _ plan: PicturePlan, _ identity: PictureIdentity, _ request: Request
    ) -> Preconditions.Outcome {
        guard request.head.fields.mayBeConditional else { return .proceed }
        let validators = Validators(entityTag: identity.entityTag, lastModified: identity.validator.lastModified)
        return Preconditions.evaluate(request.head.method, request.head.fields, validators, now: clock.unixSeconds())
    }

    // MARK: Single flight and admission

    private func wait(
        for plan: PicturePlan, _ identity: PictureIdentity, _ request: Request, _ lines: PolicyLines,
        _ responder: Responder
    ) -> Answer {
        let isLeader = SharedFlag()
        let entrance = flights.enter(identity.key) { [self] outcome in
            responder.respond(answer(outcome, to: request, plan, lines, isCollapsed: !isLeader.isSet))
        }
        if case .leader(let flight, _) = entrance {
            isLeader.set()
            admit(plan, identity, flight, arrived: request.arrived)
        }
        let waiter = entrance.waiter
        let metrics = metrics
        return .later(onAbandon: { if waiter.leave() { metrics.abandoned() } })
    }

    private func admit(
        _ plan: PicturePlan, _ identity: PictureIdentity, _ flight: SingleFlight<FlightOutcome>.Flight,
        arrived: MonotonicInstant
    ) {
        // Requests have deadlines, work has none: it ends when nobody waits any more, and the server ends each wait.
        let abandonment = flight.abandonment
        let isAdmitted = workers.submit(cancelledBy: abandonment) { [self] in
            let started = clock.monotonic()
            // The flight before this one may have finished between the look-up and the entrance.
            if let stored = cache.response(for: identity.key) {
                flight.finish(.success(DeliveredPicture(stored: stored, isKept: true, timings: [])))
                return
            }
            let isClosed = isClosed
            let outcome = make(plan, queued: started - arrived) { abandonment.isSet || isClosed.isSet }
            if abandonment.isSet { metrics.cancelled() }
            flight.finish(outcome)
        }
        if !isAdmitted {
            metrics.refused()
            flight.finish(.failure(.overloaded))
        }
    }

    // MARK: On a worker

    private func make(
        _ plan: PicturePlan, queued: Duration, shouldStop: @escaping @Sendable () -> Bool
    ) -> FlightOutcome {
        do throws(Problem) {
            guard !shouldStop() else { throw .timedOut }
            metrics.renderBegan(plan.route)
            let picture = try plan.render(shouldStop)
            // The source may have changed since the request looked at it: what was made is named by what was read.
            let identity = identify(plan, picture.validator)
            let stored = StoredResponse(
                mediaType: plan.format.mediaType, entityTag: identity.entityTag?.text ?? "",
                lastModifiedUnixSeconds: picture.validator.lastModified,
                head: contentFields(plan.format).octets + identity.fields.octets,
                content: picture.content)
            let isKept = cache.insert(stored, for: identity.key)
            let timings = [("queue", queued)] + picture.timings
            return .success(DeliveredPicture(stored: stored, isKept: isKept, timings: timings))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Answers

    /// The picture, or what Range asks for of it. The validators are those of these octets, whatever the source is by now.
    private func picture(
        _ stored: StoredResponse, _ ownFields: FieldLines, to request: Request, _ plan: PicturePlan,
        _ lines: PolicyLines
    ) -> Response {
        var response = Response(status: .ok, fields: FieldLines(formatted: stored.head), content: stored.content)
        response.ownFields = ownFields
        if request.head.fields.contains(.range) {
            do throws(Problem) {
                try response.cut(
                    for: request,
                    Validators(entityTag: EntityTag(stored.entityTag), lastModified: stored.lastModifiedUnixSeconds),
                    now: clock.unixSeconds())
            } catch {
                return problem(error, to: request, plan, lines)
            }
        }
        metrics.answered(plan.route, response.status)
        return response
    }

    private func answer(
        _ outcome: FlightOutcome, to request: Request, _ plan: PicturePlan, _ lines: PolicyLines, isCollapsed: Bool
    ) -> Response {
        switch outcome {
        case .success(let made):
            var fields = lines.picture
            fields.append(
                .cacheStatus,
                literal: isCollapsed
                    ? "veduta; fwd=miss; collapsed" : made.isKept ? "veduta; fwd=miss; stored" : "veduta; fwd=miss")
            if !made.timings.isEmpty { fields.append(.serverTiming, ServerTiming.text(made.timings)) }
            return picture(made.stored, fields, to: request, plan, lines)
        case .failure(let problem): return self.problem(problem, to: request, plan, lines)
        }
    }

    private func problem(
        _ problem: Problem, to request: Request, _ plan: PicturePlan, _ lines: PolicyLines
    ) -> Response {
        ProblemReply.response(
            problem, to: request, lines, route: plan.route, isNegotiated: plan.isNegotiated, metrics: metrics, log: log)
    }

    /// What 200 and 206 have beside the fields of the identity.
    private func contentFields(_ format: OutputFormat) -> FieldLines {
        var fields = FieldLines()
        fields.append(.contentType, format.mediaType)
        fields.append(.acceptRanges, literal: "bytes")
        return fields
    }
}
