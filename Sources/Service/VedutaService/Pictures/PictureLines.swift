import HTTPMessage
import HTTPServer
import Reactor
import ResponseCache
import ServiceConfiguration

// Which of these lines an answer has depends on how it came about. What most answers have is formatted when the
// configuration is read; the rest, such as an age that is not 0, when it is needed.

/// The field lines that the policy gives pictures of one kind, and what it says about keeping them.
final class PictureLines: Sendable {
    /// For a picture that was just made: Cache-Control, what keeps browsers from guessing types, the lines for all answers.
    let plain: FieldLines
    /// For a picture from the cache whose source was seen less than a second ago.
    let hit: FieldLines
    /// For 304 in that second.
    let notModified: FieldLines
    let directives: ResponseDirectives
    /// Whether a picture may be used without a look at its source for as long as the lifetime says.
    let mayBeUsedUnseen: Bool
    /// For how long a source is taken to be as it was seen, in seconds.
    private let lifetime: Int
    /// For how long a picture is good from when its source was seen, in seconds, as Cache-Status tells; nil where nobody says.
    private let toldLifetime: Int?
    private let sourceStale: Int

    init(_ common: FieldLines, _ kind: PictureKind, cacheControl: String, _ configuration: Configuration) {
        var fields = Fields()
        fields.append(.cacheControl, cacheControl)
        directives = ResponseDirectives(fields)
        mayBeUsedUnseen = !directives.noCache && !directives.noStore
        lifetime = configuration.sourceLifetime
        switch kind {
        case .asset, .namedContent:
            toldLifetime = lifetime
            sourceStale = configuration.sourceStale
        case .map:
            // To look at a map's sources costs next to nothing, and what is told of them is what clients are told.
            toldLifetime = directives.sharedMaxAge ?? directives.maxAge
            sourceStale = 0
        }
        var plain = FieldLines()
        if !cacheControl.isEmpty { plain.append(.cacheControl, cacheControl) }
        plain.append(.xContentTypeOptions, literal: "nosniff")
        plain.append(common)
        self.plain = plain
        notModified = Self.aged(plain, 0)
        hit = Self.hit(plain, age: 0, CacheStatus(.hit, timeToLive: toldLifetime))
    }

    /// How fresh a picture is whose source was seen `age` seconds ago.
    func freshness(age: Int) -> Freshness {
        Freshness(
            age: age, lifetime: lifetime, staleWhileRevalidate: sourceStale,
            staleIfError: directives.staleIfError ?? 0,
            mustRevalidate: directives.mustRevalidate || directives.proxyRevalidate,
            needsValidation: directives.noCache)
    }

    /// The seconds of freshness that are left at `age`, for Cache-Status.
    func timeToLive(age: Int) -> Int? { toldLifetime.map { $0 - age } }

    /// Until when a source that was seen at `instant` need not be thought about.
    func unwatched(from instant: MonotonicInstant) -> MonotonicInstant {
        // The last tenth is for whoever looks before the others have to wait.
        let seconds = Int64(lifetime - lifetime / 10)
        return instant.advanced(byNanoseconds: seconds * 1_000_000_000)
    }

    /// For a picture from the cache.
    func hit(age: Int, key: String? = nil, isStandIn status: Int? = nil) -> FieldLines {
        if age == 0, key == nil, status == nil { return hit }
        var from = CacheStatus(status == nil ? .hit : .forward(.stale), timeToLive: timeToLive(age: age))
        if let status {
            from.forwardStatus = status
            from.timeToLive = nil
        }
        from.key = key
        return Self.hit(plain, age: age, from)
    }

    /// For 304.
    func notModified(age: Int) -> FieldLines { age == 0 ? notModified : Self.aged(plain, age) }

    private static func aged(_ plain: FieldLines, _ age: Int) -> FieldLines {
        var lines = plain
        lines.append(.age, age)
        return lines
    }

    private static func hit(_ plain: FieldLines, age: Int, _ status: CacheStatus) -> FieldLines {
        var lines = aged(plain, age)
        lines.append(.cacheStatus, status.text)
        if status.source == .hit { lines.append(.serverTiming, literal: "cache;desc=\"hit\"") }
        return lines
    }
}
