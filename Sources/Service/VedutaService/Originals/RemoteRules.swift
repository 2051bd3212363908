import HTTPMessage
import Origin
import ResponseCache

/// What a request tells caches, as far as it is about originals.
struct RemoteDirectives: Sendable {
    /// The lines of `Cache-Control`, as they came.
    var lines: [String] = []
    /// Only what is here will do.
    var onlyIfCached = false
    /// What is here will not do.
    var noCache = false

    static let none = RemoteDirectives()
}

extension RemoteDirectives {
    /// Those of a request's fields.
    init(_ fields: Fields) {
        lines = fields.all(.cacheControl)
        let directives = RequestDirectives(fields)
        (onlyIfCached, noCache) = (directives.onlyIfCached, directives.noCache)
    }
}

/// What an origin is asked.
struct RemoteQuestion: Sendable, Equatable {
    /// The fields of the request, conditions included.
    let fields: Fields
    /// Whether it may answer 304.
    let isConditional: Bool
}

/// When originals are asked for again: the rules of a shared cache (RFC 9111, RFC 5861), held against what the origin said.
struct RemoteRules: Sendable {
    /// Whether no origin is asked at all.
    var isOffline = false
    /// Whether there is a disk tier that originals may be in.
    var seeksOnDisk = false
    /// Seconds for which an original counts as fresh whose origin says nothing that would tell.
    var lifetime = 60
    /// How many originals are known at once.
    var entryLimit = 65_536
    /// The bytes of those that are in files without a name.
    var spooledByteLimit = 256 << 20
    /// How many such files are open.
    var spooledFileLimit = RemoteRules.spooledFileLimit

    /// How many descriptors originals may take, unless said otherwise.
    static let spooledFileLimit = 256

    /// Seconds for which a stale original stands in for one that cannot be had, where the origin does not say.
    private static let staleIfError = 604_800
    private let engine = CacheEngine()

    init() {}

    /// What is asked for an original that is not held.
    func question(_ source: RemoteSource, _ directives: RemoteDirectives) -> RemoteQuestion {
        RemoteQuestion(fields: Self.sent(Self.fields, directives), isConditional: false)
    }

    /// What to do about one that is held.
    func step(
        _ source: RemoteSource, _ directives: RemoteDirectives, _ exchange: StoredExchange, now: Int64
    ) -> RemoteTable.Step {
        guard let request = Self.request(source, directives.lines) else { return .ready }
        switch engine.decide(request, [exchange], now: now) {
        case .serve(let serving):
            guard serving.refresh != .none, let quiet = Self.request(source) else { return .ready }
            return .refresh(question(engine.refresh(quiet, [exchange], 0), .none))
        case .validate(let validation): return .ask(question(validation, directives))
        case .forward: return .ask(question(source, directives))
        case .unavailable: return .ready
        }
    }

    private func question(_ validation: Validation, _ directives: RemoteDirectives) -> RemoteQuestion {
        RemoteQuestion(
            fields: Self.sent(validation.fields, directives), isConditional: validation.fields.mayBeConditional)
    }

    /// Whether what is held may be used although the origin cannot be asked.
    func mayServeOnError(_ source: RemoteSource, _ exchange: StoredExchange, now: Int64) -> Bool {
        guard let request = Self.request(source) else { return false }
        if engine.substitute(request, [exchange], now: now) != nil { return true }
        // What the origin forbids, no request can allow.
        guard let lenient = Self.request(source, ["max-stale=\(Self.staleIfError)"]),
            case .serve = engine.decide(lenient, [exchange], now: now)
        else { return false }
        return true
    }

    // MARK: Answers

    /// What an answer means.
    enum Lesson: Sendable {
        /// It is the original.
        case took(StoredExchange, isTransient: Bool)
        /// What is held is right.
        case freshened(StoredExchange)
        /// The question has to be asked without conditions.
        case askPlainly
    }

    /// Learns from `head`, which came from the origin with `byteCount` bytes of content; `held` is what the question was
    /// about.
    func lesson(
        _ source: RemoteSource, _ head: ResponseHead, byteCount: Int, held: StoredExchange?, requestTime: Int64,
        responseTime: Int64
    ) -> Lesson {
        guard let request = Self.request(source) else { return .askPlainly }
        let exchange = UpstreamExchange(
            request, withLifetime(head, source), requestTime: requestTime, responseTime: responseTime,
            contentByteCount: byteCount)
        switch engine.record(exchange, held.map { [$0] } ?? [], validating: held == nil ? nil : 0) {
        case .store(let entry, _): return .took(entry, isTransient: false)
        case .update(let updates, _, _):
            guard let entry = updates.first?.entry else { return .askPlainly }
            return .freshened(entry)
        case .none where head.status == .notModified, .repeatWithoutConditions, .invalidate: return .askPlainly
        case .none:
            return .took(
                StoredExchange(
                    selecting: [Self.fields], status: head.status, fields: head.fields, requestTime: requestTime,
                    responseTime: responseTime, contentByteCount: byteCount), isTransient: true)
        }
    }

    /// A picture on a plain file server has often nothing that tells for how long it is good.
    /// An upload in a bucket may be another one at any time, by way of another server.
    private func withLifetime(_ head: ResponseHead, _ source: RemoteSource) -> ResponseHead {
        if source.object != nil, !source.id.hasPrefix("s3://"), !head.fields.contains(.cacheControl) {
            var head = head
            head.fields.append(.cacheControl, "max-age=\(Originals.isUpload(source.id) ? lifetime : 1)")
            return head
        }
        let telling: [FieldName] = [.cacheControl, .cdnCacheControl, .expires, .lastModified, .pragma]
        guard head.status == .ok, lifetime > 0, !telling.contains(where: head.fields.contains) else { return head }
        var head = head
        head.fields.append(.cacheControl, "max-age=\(lifetime)")
        return head
    }

    // MARK: Requests

    /// What all questions have in common; the same each time, so that what varies by it is found again.
    static let fields: Fields = {
        var fields = Fields()
        fields.append(.accept, "image/*, */*;q=0.5")
        return fields
    }()

    private static func request(_ source: RemoteSource, _ cacheControl: [String] = []) -> CacheRequest? {
        guard let uri = TargetURI(source.url.description) else { return nil }
        var fields = fields
        for line in cacheControl { fields.append(.cacheControl, line) }
        return CacheRequest(.get, uri, fields)
    }

    /// The fields that go out: of the client's directives only the wish for what is new is passed on.
    private static func sent(_ fields: Fields, _ directives: RemoteDirectives) -> Fields {
        var fields = fields.removing([.cacheControl, .pragma])
        if directives.noCache { fields.append(.cacheControl, "no-cache") }
        return fields
    }
}

extension Problem {
    /// For how many seconds an origin is not asked again after this came of it.
    var secondsOriginIsSpared: Int { max(1, min(60, retryAfterSeconds ?? secondsRemembered ?? 5)) }
}
