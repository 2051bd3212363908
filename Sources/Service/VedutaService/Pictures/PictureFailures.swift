import HTTPServer
import Reactor
import ResponseCache

// What is remembered of pictures that could not be made. That work did not end in time is remembered whatever requests and
// policy say about caches: it is no answer that is kept, but work that is not begun again.
extension PictureDelivery {
    /// What is remembered of the picture with `key` and holds under `limits`.
    func knownFailure(_ key: CacheKey, _ limits: PictureLimits, at now: MonotonicInstant) -> FailedPicture? {
        guard let known = cache.failures.failure(for: key, at: now), let problem = limits.remembered(known.failure)
        else { return nil }
        func seconds(_ from: MonotonicInstant, _ to: MonotonicInstant) -> Int {
            max(0, Int(truncatingIfNeeded: (to.nanoseconds &- from.nanoseconds) / 1_000_000_000))
        }
        var failed = FailedPicture(problem: problem)
        let timeToLive = seconds(now, known.until)
        failed.known = FailedPicture.Remembrance(
            ageSeconds: seconds(known.failedAt, now), timeToLiveSeconds: timeToLive)
        if problem.retryAfterSeconds != nil { failed.problem.retryAfterSeconds = max(1, timeToLive) }
        return failed
    }

    /// The same, if it is that work did not end in time.
    func knownTimeout(_ key: CacheKey, _ limits: PictureLimits, at now: MonotonicInstant) -> FailedPicture? {
        knownFailure(key, limits, at: now).flatMap { $0.problem.triedSeconds == nil ? nil : $0 }
    }

    /// Remembers `problem`, unless the picture was purged since its source was seen; whether it did.
    @discardableResult
    func remember(_ problem: Problem, _ plan: PicturePlan, _ sighting: Sighting, forSeconds seconds: Int) -> Bool {
        cache.failures.insert(
            problem, for: sighting.identity.key, tag: plan.tag, furtherTags: plan.furtherTags(of: sighting.identity),
            at: clock.monotonic(), lifetime: .seconds(seconds),
            unless: { plan.isPurged(sighting.identity, since: sighting.epoch, by: cache.ledger) })
    }

    /// The answer to a request whose time is over. If work on its picture had most of that time, whoever asks next would have
    /// all of it begun again, and a decoder or an encoder that cannot be stopped may still be at it: that is remembered, and
    /// the answer says for how long.
    func late(
        _ plan: PicturePlan, _ sighting: Sighting, work: WorkStart, request: Request, policy: PolicyLines
    ) -> Response {
        let now = clock.monotonic()
        let waited = now - request.arrived
        let key = sighting.identity.key
        if let start = work.instant, now - start >= waited / 2, cache.response(for: key) == nil {
            remember(
                .timedOut(afterSeconds: Int(clamping: waited.components.seconds)), plan, sighting,
                forSeconds: Problem.secondsTimeoutsAreRemembered)
        }
        return ProblemReply.response(
            knownTimeout(key, policy.limits, at: now)?.problem ?? .timedOut, to: request, policy, route: plan.route,
            vary: plan.vary, metrics: metrics, log: log)
    }
}
