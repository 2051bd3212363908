import Digest
import HTTPMessage
import HTTPServer
import Renditions
import ServiceConfiguration

// Which lines an answer has depends on how it came about. What most answers have is formatted when the configuration is
// read; the rest, such as an age that is not 0, when it is needed.

/// The field lines and the policy for renditions of one kind.
final class RenditionLines: Sendable {
    /// For a new rendition: Cache-Control, `nosniff`, and the lines for all answers.
    let plain: FieldLines
    /// For a cached one whose source was observed less than a second ago.
    let hit: FieldLines
    /// For 304 within that second.
    let notModified: FieldLines
    let policy: RenditionPolicy
    /// Seconds from the observation of the source for which a rendition is good, as Cache-Status tells.
    private let toldLifetime: Int?

    /// - Parameter bound: of what clients are told; the policy is that of `cacheControl`.
    init(
        _ common: FieldLines, _ kind: RenditionKind, cacheControl: String, cdnCacheControl: String = "",
        bound: KeepingBound = .none, _ configuration: Configuration
    ) {
        var fields = Fields()
        fields.append(.cacheControl, cacheControl)
        let directives = ResponseDirectives(fields)
        let isMap = kind == .map
        policy = RenditionPolicy(
            directives, lifetime: configuration.sourceLifetime,
            staleWhileRevalidate: isMap ? 0 : configuration.sourceStale)
        // Observing a map's sources costs next to nothing, so the lifetime is the one that clients are told.
        toldLifetime = isMap ? directives.sharedMaxAge ?? directives.maxAge : configuration.sourceLifetime
        var plain = FieldLines()
        let told = bound.applied(to: cacheControl)
        if !told.isEmpty { plain.append(.cacheControl, told) }
        // For CDNs in place of the other (RFC 9213), so the same bounds hold.
        if !cdnCacheControl.isEmpty { plain.append(.cdnCacheControl, bound.applied(to: cdnCacheControl)) }
        plain.append(.xContentTypeOptions, literal: "nosniff")
        plain.append(common)
        self.plain = plain
        notModified = Self.aged(plain, 0)
        hit = Self.hit(plain, age: 0, CacheStatus(.hit, timeToLive: toldLifetime))
    }

    func hit(age: Int, key: String? = nil) -> FieldLines {
        if age == 0, key == nil { return hit }
        var status = CacheStatus(.hit, timeToLive: toldLifetime.map { $0 - age })
        status.key = key
        return Self.hit(plain, age: age, status)
    }

    /// For one that is served stale in place of an answer with `status`.
    func stale(age: Int, key: String?, insteadOf status: Status) -> FieldLines {
        var from = CacheStatus(.forward(.stale))
        from.forwardStatus = status.code
        from.key = key
        return Self.hit(plain, age: age, from)
    }

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

extension RenditionKind {
    /// Of a file of the library, which may change.
    static let asset = RenditionKind(0, tagPrefix: "asset")
    /// Of content whose id is its digest, so that it never changes.
    static let namedContent = RenditionKind(1, tagPrefix: "asset")
    static let map = RenditionKind(2, tagPrefix: "map")
    /// Of a file that clients ask for each time.
    static let live = RenditionKind(3, tagPrefix: "asset")

    /// `~` and 43 characters of base64url name the content itself.
    static func asset(_ id: String) -> RenditionKind {
        id.hasPrefix("~") && Digest256(base64URL: String(id.dropFirst())) != nil ? .namedContent : .asset
    }
}
