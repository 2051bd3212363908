import Digest
import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache

/// One request for a picture, with what it and the policy say about the cache.
struct PictureAsk: Sendable {
    let plan: PicturePlan
    let request: Request
    /// What the policy adds to every answer.
    let policy: PolicyLines
    /// What it adds to pictures of this kind.
    let lines: PictureLines
    let responder: Responder
    /// What the request tells caches.
    let directives: RequestDirectives
    /// The address at which GET has the same content, for a request that is none; nil: there is none to tell.
    var contentLocation: String?
    /// How many of the plan's originals were waited for.
    private(set) var preparedCount = 0
    /// Whether it is tried anew, because an original was gone when it was to be read.
    private(set) var isSecondTry = false

    /// The same when so many originals were waited for.
    func prepared(_ count: Int) -> PictureAsk {
        var ask = self
        ask.preparedCount = count
        return ask
    }

    /// The same from the beginning; nil if it is that already.
    var secondTry: PictureAsk? {
        guard !isSecondTry else { return nil }
        var ask = prepared(0)
        ask.isSecondTry = true
        return ask
    }

    init(_ plan: PicturePlan, _ request: Request, policy: PolicyLines, responder: Responder) {
        self.plan = plan
        self.request = request
        self.policy = policy
        lines = policy.pictures(plan.kind)
        self.responder = responder
        directives = RequestDirectives(request.head.fields)
    }

    /// What the policy adds to the picture with this identity.
    func lines(for identity: PictureIdentity) -> PictureLines {
        if identity.validator.isIncomplete { return policy.incomplete }
        return identity.isFallback ? policy.missing : lines
    }

    /// `fields` with those of this request alone.
    func own(_ fields: FieldLines) -> FieldLines {
        guard let contentLocation else { return fields }
        var fields = fields
        fields.append(.contentLocation, contentLocation)
        return fields
    }

    /// Where the picture may be kept, by what the policy and the request say.
    var storage: StoragePolicy {
        if lines.directives.noStore || directives.noStore { return .off }
        return directives.memoryOnly ? .memory : .all
    }

    /// Whether the policy keeps such pictures out of the cache.
    var bypasses: Bool { lines.directives.noStore }

    /// Why the cache was of no use to this one of those who waited for a flight.
    func forwardReason(_ reason: CacheStatus.Forward) -> CacheStatus.Forward {
        if bypasses { return .bypass }
        if directives.noCache { return .request }
        // Another one's request had it made; to this one, the picture was not there yet.
        return reason == .request ? .miss : reason
    }

    /// The name of `identity` for a request that wants to see it, as `DELETE /cache?key=` takes it.
    func shownKey(of identity: PictureIdentity) -> String? {
        directives.showKey ? CacheEntryName(tag: plan.tag, key: identity.key).description : nil
    }
}

/// What came of a request on the loop.
struct PictureReply {
    let answer: Answer
    /// What is known of the source now; nil when nothing is.
    let sighting: Sighting?

    init(_ answer: Answer, _ sighting: Sighting?) {
        self.answer = answer
        self.sighting = sighting
    }
}
