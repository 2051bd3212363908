import HTTPMessage
import HTTPServer

// What the configuration adds to answers is formatted once, when it is read: to a hit it costs a copy. It stands apart
// from what is known of a picture, so that a new configuration holds for pictures that were kept under the old one.

/// The field lines that the configuration adds, for clients of one origin.
final class PolicyLines: Sendable {
    /// For every answer: Cross-Origin-Resource-Policy and those of CORS.
    let common: FieldLines
    /// For pictures (200 and 304): those, Cache-Control and what keeps browsers from guessing types.
    let picture: FieldLines
    /// For pictures from memory: those and where they came from.
    let hit: FieldLines
    /// For the answer to a preflight request, besides the common ones.
    let preflight: FieldLines

    fileprivate init(_ common: FieldLines, cacheControl: String, mayRead: Bool) {
        var picture = FieldLines()
        picture.append(.cacheControl, cacheControl)
        picture.append(.xContentTypeOptions, literal: "nosniff")
        picture.append(common)
        var hit = picture
        hit.append(.cacheStatus, literal: "veduta; hit")
        hit.append(.serverTiming, literal: "cache;desc=\"hit\"")
        var preflight = FieldLines()
        if mayRead {
            preflight.append(.accessControlAllowMethods, Route.allow)
            preflight.append(
                .accessControlAllowHeaders,
                literal: """
                    Cache-Control, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range, \
                    X-Request-Id
                    """)
            preflight.append(.accessControlMaxAge, literal: "86400")
        }
        self.common = common
        self.picture = picture
        self.hit = hit
        self.preflight = preflight
    }
}

/// What the configuration says about answers, formatted.
final class AnswerPolicy: Sendable {
    /// For an origin that is on no list, and where nobody has said which it is.
    let standard: PolicyLines
    private let listed: [(origin: [UInt8], lines: PolicyLines)]

    init(_ configuration: Configuration) {
        let cacheControl = configuration.cacheControl
        var common = FieldLines()
        if configuration.crossOriginResourcePolicy != .off {
            common.append(.crossOriginResourcePolicy, configuration.crossOriginResourcePolicy.rawValue)
        }
        switch configuration.corsOrigins {
        case .none:
            standard = PolicyLines(common, cacheControl: cacheControl, mayRead: false)
            listed = []
        case .any:
            Self.admit("*", &common)
            standard = PolicyLines(common, cacheControl: cacheControl, mayRead: true)
            listed = []
        case .list(let origins):
            // Whoever may not read is told apart from who may: a cache must not give one the answer to the other.
            common.append(.vary, literal: "Origin")
            standard = PolicyLines(common, cacheControl: cacheControl, mayRead: false)
            listed = origins.map { origin in
                var admitted = common
                Self.admit(origin, &admitted)
                return (Array(origin.utf8), PolicyLines(admitted, cacheControl: cacheControl, mayRead: true))
            }
        }
    }

    /// The lines for the client that sent `head`.
    func lines(for head: RequestHead) -> PolicyLines {
        guard !listed.isEmpty, let index = head.fields.firstIndex(of: .origin) else { return standard }
        let fields = head.fields
        let value = fields.valueOctets(at: index)
        for (origin, lines) in listed where value.withUnsafeBytes({ $0.elementsEqual(origin) }) { return lines }
        return standard
    }

    private static func admit(_ origin: String, _ lines: inout FieldLines) {
        lines.append(.accessControlAllowOrigin, origin)
        lines.append(
            .accessControlExposeHeaders,
            literal: "Accept-Ranges, Cache-Status, Content-Range, ETag, Retry-After, Server-Timing, X-Request-Id")
    }
}
