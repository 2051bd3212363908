import CardPlan
import HTTPMessage
import HTTPServer
import ImagePlan
import Renditions
import ServiceConfiguration
import Synchronization

// What the configuration adds to answers is formatted once, when it is read: it costs a hit a copy. It is apart from
// what is known of an image, so that a new configuration also applies to images that were kept under the old one.

/// The field lines that the configuration adds, for clients of one origin.
final class PolicyLines: Sendable {
    /// For every answer: Cross-Origin-Resource-Policy and CORS.
    let common: FieldLines
    let limits: RenditionLimits
    /// For renditions, with the lines of their kind.
    private let asset, namedContent, map: RenditionLines
    /// For what has to be as fresh as its source.
    private let live: RenditionLines
    /// For fallbacks: kept as briefly as the problem would be.
    private let missing: RenditionLines
    /// For incomplete maps: kept as briefly.
    private let incomplete: RenditionLines
    let bound: KeepingBound
    private let configuration: Configuration
    private let mayRead: Bool

    fileprivate init(_ common: FieldLines, _ configuration: Configuration, mayRead: Bool, bound: KeepingBound = .none) {
        self.configuration = configuration
        self.mayRead = mayRead
        self.bound = bound
        func lines(_ kind: RenditionKind, _ cacheControl: String, isWhole: Bool = true) -> RenditionLines {
            RenditionLines(
                common, kind, cacheControl: cacheControl,
                cdnCacheControl: isWhole ? configuration.cdnCacheControl : "", bound: bound, configuration)
        }
        self.common = common
        limits = RenditionLimits(configuration)
        asset = lines(.asset, configuration.cacheControl)
        // Nobody can change the content of such an id, so nobody needs to ask again (RFC 8246), unless the operator
        // wants it.
        let said = asset.policy.directives
        let mayStay = !said.noStore && !said.noCache && !said.isPrivate
        namedContent = lines(.namedContent, mayStay ? "max-age=31536000, immutable" : configuration.cacheControl)
        missing = lines(.asset, Self.briefly(said), isWhole: false)
        let mapCacheControl = configuration.mapCacheControl
        map = lines(.map, mapCacheControl.isEmpty ? configuration.cacheControl : mapCacheControl)
        live = lines(
            .live, said.noStore ? "no-store" : (said.isPrivate ? "private, " : "") + "no-cache", isWhole: false)
        incomplete = lines(.map, Self.briefly(map.policy.directives), isWhole: false)
    }

    /// The same for answers that may not be kept beyond `bound`.
    func bounded(by bound: KeepingBound) -> PolicyLines {
        PolicyLines(common, configuration, mayRead: mayRead, bound: bound)
    }

    /// `Cache-Control` of what is kept briefly, where `said` holds for the rest.
    private static func briefly(_ said: ResponseDirectives) -> String {
        if said.noStore { return "no-store" }
        return (said.isPrivate ? "private, " : "") + "max-age=\(RenditionPolicy.briefSeconds)"
    }

    /// For what misses the cache; hits do not ask.
    var trustedProxies: TrustedProxies { configuration.trustedProxies.reading(configuration.forwardedField) }

    /// What a script of another origin may send (Fetch §4.8).
    private static func preflight(_ endpoint: Endpoint) -> FieldLines {
        let reading: StaticString = """
            Authorization, Cache-Control, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, \
            Range, X-Request-Id
            """
        let changing: StaticString = """
            Authorization, Cache-Control, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Range, \
            If-Unmodified-Since, Range, X-Request-Id
            """
        let file: StaticString = """
            Authorization, Cache-Control, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Range, \
            If-Unmodified-Since, Range, Upload-Complete, Upload-Draft-Interop-Version, Upload-Incomplete, Upload-Length, \
            X-Request-Id
            """
        let resumable: StaticString = """
            Authorization, Content-Type, Tus-Resumable, Upload-Checksum, Upload-Complete, Upload-Draft-Interop-Version, \
            Upload-Incomplete, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Request-Id
            """
        let names: StaticString =
            switch endpoint.row.accepts {
            case .nothing: reading
            case .token: "Authorization, X-Request-Id"
            case .parameters, .point: changing
            case .file: file
            case .resumableUpload: resumable
            }
        var lines = FieldLines()
        lines.append(.accessControlAllowMethods, endpoint.allow)
        lines.append(.accessControlAllowHeaders, literal: names)
        lines.append(.accessControlMaxAge, literal: "86400")
        return lines
    }

    /// For preflight answers, besides the common lines.
    func preflight(for endpoint: Endpoint) -> FieldLines { mayRead ? Self.preflights[endpoint.rawValue] : FieldLines() }

    private static let preflights = Endpoint.allCases.map(preflight)

    func renditions(_ kind: RenditionKind) -> RenditionLines {
        if kind.index == RenditionKind.asset.index { return asset }
        if kind.index == RenditionKind.map.index { return map }
        return kind.index == RenditionKind.live.index ? live : namedContent
    }

    func renditions(of identity: RenditionIdentity, _ rendition: Rendition) -> RenditionLines {
        if identity.validator.isIncomplete { return rendition.kind == .map ? incomplete : missing }
        return identity.isFallback ? missing : renditions(rendition.kind)
    }
}

final class AnswerPolicy: Sendable {
    /// For an origin on no list, and for clients without one.
    let standard: PolicyLines
    /// For the port of operators, whose answers no script of a page may read.
    let operators: PolicyLines
    let writes: WriteGuard
    let presets: PresetTable
    let templates: CardTemplates
    let addresses: BaseAddress.Rules
    /// nil: everybody may everything.
    let access: AccessRules?
    /// Other servers whose addresses are answered.
    let compatibilities: Set<Compatibility>
    /// For what scripts of all pages may read unless the configuration names some: viewers of the IIIF standard run on any page.
    private let open: PolicyLines
    private let listed: [(origin: [UInt8], lines: PolicyLines)]

    /// - Parameter tokens: those of the token file.
    init(
        _ configuration: Configuration, presets: PresetTable = .none, templates: CardTemplates = .none,
        tokens: [AccessToken] = []
    ) {
        (self.presets, self.templates) = (presets, templates)
        addresses = BaseAddress.Rules(
            publicURL: configuration.publicURL,
            trustedProxies: configuration.trustedProxies.reading(configuration.forwardedField))
        writes = WriteGuard(tokens: configuration.tokens(tokens))
        access = AccessRules(configuration)
        compatibilities = configuration.compat
        var common = FieldLines()
        if configuration.crossOriginResourcePolicy != .off {
            common.append(.crossOriginResourcePolicy, configuration.crossOriginResourcePolicy.rawValue)
        }
        // Browsers tell the size of the screen if asked.
        if configuration.clientHints { common.append("Accept-CH", VariedFields.acceptCH) }
        operators = PolicyLines(common, configuration, mayRead: false)
        switch configuration.corsOrigins {
        case .none:
            standard = operators
            Self.admit("*", &common)
            open = PolicyLines(common, configuration, mayRead: true)
            listed = []
        case .any:
            Self.admit("*", &common)
            standard = PolicyLines(common, configuration, mayRead: true)
            open = standard
            listed = []
        case .list(let origins):
            // A cache must not give those who may not read the answer of those who may.
            common.append(.vary, literal: "Origin")
            standard = PolicyLines(common, configuration, mayRead: false)
            open = standard
            listed = origins.map { origin in
                var admitted = common
                Self.admit(origin, &admitted)
                return (Array(origin.utf8), PolicyLines(admitted, configuration, mayRead: true))
            }
        }
    }

    func lines(for head: RequestHead, to endpoint: Endpoint = .unknown) -> PolicyLines {
        if endpoint == .iiif, listed.isEmpty { return open }
        guard !listed.isEmpty, let index = head.fields.firstIndex(of: .origin) else { return standard }
        let fields = head.fields
        let value = fields.valueBytes(at: index)
        for (origin, lines) in listed where value.withUnsafeBytes({ $0.elementsEqual(origin) }) { return lines }
        return standard
    }

    private static func admit(_ origin: String, _ lines: inout FieldLines) {
        lines.append(.accessControlAllowOrigin, origin)
        lines.append(
            .accessControlExposeHeaders,
            literal: """
                Accept-Ranges, Age, Cache-Status, Cache-Tag, Content-Disposition, Content-Location, Content-Range, ETag, \
                Link, Location, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, \
                Tus-Resumable, Tus-Version, Upload-Complete, Upload-Draft-Interop-Version, Upload-Expires, Upload-Incomplete, Upload-Length, \
                Upload-Limit, Upload-Metadata, Upload-Offset, Veduta-Asset, \
                Veduta-Coverage, Veduta-Fallback, Veduta-Frames, Veduta-Missing, Veduta-Prepare, Veduta-Quality, X-Request-Id
                """)
    }
}

/// Where a new policy is posted when the configuration is read again. Loops look at a number with each request, and at
/// the board only when that has changed.
final class PolicyBoard: Sendable {
    private let posted: Mutex<AnswerPolicy>
    private let edition = Atomic<Int>(0)

    init(_ policy: AnswerPolicy) { posted = Mutex(policy) }

    func post(_ policy: AnswerPolicy) {
        posted.withLock { $0 = policy }
        edition.add(1, ordering: .acquiringAndReleasing)
    }

    fileprivate func current() -> (policy: AnswerPolicy, edition: Int) {
        // In this order: a policy that is posted in between is read again with the next request.
        let edition = edition.load(ordering: .acquiring)
        return (posted.withLock { $0 }, edition)
    }

    fileprivate func isCurrent(_ edition: Int) -> Bool { self.edition.load(ordering: .acquiring) == edition }
}

struct PolicyReader {
    private let board: PolicyBoard
    private var copy: (policy: AnswerPolicy, edition: Int)

    init(_ board: PolicyBoard) {
        self.board = board
        copy = board.current()
    }

    var policy: AnswerPolicy {
        mutating get {
            if !board.isCurrent(copy.edition) { copy = board.current() }
            return copy.policy
        }
    }
}
