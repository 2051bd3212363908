package import ClientBudgets
package import HTTPMessage
package import HTTPServer
package import Reactor
package import ResponseCache

package struct RenditionRequest: Sendable {
    package let rendition: Rendition
    package let request: Request
    package let policy: RenditionPolicy
    package let limits: RenditionLimits
    package let directives: RequestDirectives
    let responder: Responder
    /// Whom what is sent counts for.
    let payer: BudgetClient
    /// What its work is charged to; nil: nobody.
    package let bill: WorkBill?
    private let writer: any RenditionWriter
    /// Sources that were waited for.
    private(set) var preparedCount = 0
    /// Tried once more, because a source was gone when it was to be read.
    private(set) var isSecondTry = false

    package init(
        _ rendition: Rendition, _ request: Request, policy: RenditionPolicy, limits: RenditionLimits,
        responder: Responder, writer: any RenditionWriter, payer: BudgetClient, bill: WorkBill? = nil
    ) {
        self.rendition = rendition
        self.request = request
        self.policy = policy
        self.limits = limits
        self.responder = responder
        self.writer = writer
        self.payer = payer
        self.bill = bill
        directives = RequestDirectives(request.head.fields)
    }

    func prepared(_ count: Int) -> RenditionRequest {
        var request = self
        request.preparedCount = count
        return request
    }

    /// The same from the beginning; nil if this is the second try.
    var secondTry: RenditionRequest? {
        guard !isSecondTry else { return nil }
        var request = prepared(0)
        request.isSecondTry = true
        return request
    }

    /// With whom its job takes turns.
    package var client: ClientNetwork? { writer.client(of: request) }
    package var decision: RenditionDecision { RenditionDecision(directives, policy) }
    func age(of state: SourceState) -> Int { state.age(at: request.arrived) }

    func mayServeStale(_ state: SourceState, for error: RenditionError) -> Bool {
        decision.mayServeStale(for: error, age: age(of: state))
    }

    func response(_ outcome: RenditionOutcome) -> Response { writer.response(to: self, outcome) }
    func answer(_ outcome: RenditionOutcome) -> Answer { .now(response(outcome)) }
    func respond(_ outcome: RenditionOutcome) { responder.respond(response(outcome)) }
}

package protocol RenditionWriter: Sendable {
    func response(to request: RenditionRequest, _ outcome: RenditionOutcome) -> Response
    /// nil: it has no address.
    func client(of request: Request) -> ClientNetwork?
}

package enum RenditionOutcome: Sendable {
    case rendition(StoredRendition, RenditionOrigin)
    case notModified(SourceState)
    case preconditionFailed
    case failure(RenditionError, FailureOrigin = .here)
}

package struct StoredRendition: Sendable {
    package let kept: KeptAnswer
    /// As it was observed when this was rendered, or before it was found.
    package let state: SourceState
}

package enum RenditionOrigin: Sendable {
    /// One of the tiers had it.
    case cache
    case rendered(CacheStatus.Forward, isStored: Bool, isCollapsed: Bool, timings: [RenderTiming])
    /// Served stale because of this error (RFC 5861 §4).
    case stale(RenditionError)
}

package enum FailureOrigin: Sendable {
    case here
    /// The time was over, or it is work that would not end in time, which is remembered for that long.
    case late(timeToLiveSeconds: Int)
    /// Remembered: how long ago it was, and for how long that still holds.
    case remembered(ageSeconds: Int, timeToLiveSeconds: Int)
    case render(CacheStatus.Forward, isRemembered: Bool, isCollapsed: Bool)
}
