import HTTPMessage
import HTTPServer
import Reactor
import Renditions
import ResponseCache
import ServiceConfiguration

// Which of these lines an answer has depends on how it came about. What most answers have is formatted when the
// configuration is read; the rest, such as an age that is not 0, when it is needed.

/// The field lines that the configuration gives renditions of one kind, and what it says about keeping them.
final class RenditionLines: Sendable {
    /// For a rendition that was just made: Cache-Control, what keeps browsers from guessing types, the lines for all answers.
    let plain: FieldLines
    /// For one from the cache whose source was observed less than a second ago.
    let hit: FieldLines
    /// For 304 in that second.
    let notModified: FieldLines
    let policy: RenditionPolicy
    /// For how long a rendition is good from when its source was observed, in seconds, as Cache-Status tells; nil where nobody
    /// says.
    private let toldLifetime: Int?

    init(_ common: FieldLines, _ kind: RenditionKind, cacheControl: String, _ configuration: Configuration) {
        var fields = Fields()
        fields.append(.cacheControl, cacheControl)
        let directives = ResponseDirectives(fields)
        let isMap = kind == .map
        policy = RenditionPolicy(
            directives, lifetime: configuration.sourceLifetime,
            staleWhileRevalidate: isMap ? 0 : configuration.sourceStale)
        // To look at a map's sources costs next to nothing, and what is told of them is what clients are told.
        toldLifetime = isMap ? directives.sharedMaxAge ?? directives.maxAge : configuration.sourceLifetime
        var plain = FieldLines()
        if !cacheControl.isEmpty { plain.append(.cacheControl, cacheControl) }
        plain.append(.xContentTypeOptions, literal: "nosniff")
        plain.append(common)
        self.plain = plain
        notModified = Self.aged(plain, 0)
        hit = Self.hit(plain, age: 0, CacheStatus(.hit, timeToLive: toldLifetime))
    }

    /// For a rendition from the cache.
    func hit(age: Int, key: String? = nil) -> FieldLines {
        if age == 0, key == nil { return hit }
        var status = CacheStatus(.hit, timeToLive: toldLifetime.map { $0 - age })
        status.key = key
        return Self.hit(plain, age: age, status)
    }

    /// For one that is served stale, because what was to be had instead would have been answered with `status`.
    func stale(age: Int, key: String?, insteadOf status: Status) -> FieldLines {
        var from = CacheStatus(.forward(.stale))
        from.forwardStatus = status.code
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
