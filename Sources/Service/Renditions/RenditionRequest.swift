package import HTTPMessage
package import HTTPServer
import Reactor
package import ResponseCache

/// One request for a rendition, and what the configuration says about it.
package struct RenditionRequest: Sendable {
    package let rendition: Rendition
    package let request: Request
    package let policy: RenditionPolicy
    package let limits: RenditionLimits
    package let directives: RequestDirectives
    let responder: Responder
    private let writer: any RenditionWriter
    /// How many of the rendition's sources were waited for.
    private(set) var preparedCount = 0
    /// Whether it is tried once more, because a source was gone when it was to be read.
    private(set) var isSecondTry = false

    package init(
        _ rendition: Rendition, _ request: Request, policy: RenditionPolicy, limits: RenditionLimits,
        responder: Responder, writer: any RenditionWriter
    ) {
        self.rendition = rendition
        self.request = request
        self.policy = policy
        self.limits = limits
        self.responder = responder
        self.writer = writer
        directives = RequestDirectives(request.head.fields)
    }

    /// The same when `count` sources were waited for.
    func prepared(_ count: Int) -> RenditionRequest {
        var request = self
        request.preparedCount = count
        return request
    }

    /// The same from the beginning; nil if it is that already.
    var secondTry: RenditionRequest? {
        guard !isSecondTry else { return nil }
        var request = prepared(0)
        request.isSecondTry = true
        return request
    }

    var decision: RenditionDecision { RenditionDecision(directives, policy) }

    /// Whole seconds since the source was observed.
    func age(of state: SourceState) -> Int { state.age(at: request.arrived) }

    /// Whether the rendition of `state` may be served in place of `error`.
    func mayServeStale(_ state: SourceState, for error: RenditionError) -> Bool {
        decision.mayServeStale(for: error, age: age(of: state))
    }

    func response(_ outcome: RenditionOutcome) -> Response { writer.response(to: self, outcome) }
    func answer(_ outcome: RenditionOutcome) -> Answer { .now(response(outcome)) }
    func respond(_ outcome: RenditionOutcome) { responder.respond(response(outcome)) }
}

/// Makes HTTP of what came of a request.
package protocol RenditionWriter: Sendable {
    func response(to request: RenditionRequest, _ outcome: RenditionOutcome) -> Response
}

/// What came of a request for a rendition.
package enum RenditionOutcome: Sendable {
    case rendition(StoredRendition, RenditionOrigin)
    case notModified(SourceState)
    case preconditionFailed
    case failure(RenditionError, FailureOrigin = .here)
}

/// A rendition that is ready to be sent.
package struct StoredRendition: Sendable {
    package let kept: KeptAnswer
    /// The source as it was observed when it was rendered, or before it was found.
    package let state: SourceState
}

/// How a rendition came about.
package enum RenditionOrigin: Sendable {
    /// It was in one of the tiers.
    case cache
    /// It was rendered, because the cache was of no use.
    case rendered(CacheStatus.Forward, isStored: Bool, isCollapsed: Bool, timings: [RenderTiming])
    /// It is served stale because of this error (RFC 5861 §4).
    case stale(RenditionError)
}

/// Where a failure comes from.
package enum FailureOrigin: Sendable {
    /// Nothing was tried.
    case here
    /// The time of the request was over, or it is work that would not end in time; for how long that is remembered.
    case late(timeToLiveSeconds: Int)
    /// It is remembered: how long ago it was, and for how long that still holds.
    case remembered(ageSeconds: Int, timeToLiveSeconds: Int)
    /// A render ended with it, which was begun because the cache was of no use.
    case render(CacheStatus.Forward, isRemembered: Bool, isCollapsed: Bool)
}
