package import Bytes
package import HTTPMessage
package import Origin
package import Reactor
package import ResponseCache

/// Something on another server, and its place in the cache.
package struct OriginItem: Hashable, Sendable {
    /// The digest of everything that decides the content.
    package let key: CacheKey
    /// Fetches, their queue and their back-off belong to it.
    package let origin: OriginURL.Origin
    package let tag: CacheTag
    package let isPersistent: Bool
    /// Freshness in seconds without `Cache-Control`; nil: ``OriginRules/lifetime``.
    package let assumedLifetime: Int?

    package init(
        key: CacheKey, origin: OriginURL.Origin, tag: CacheTag, isPersistent: Bool = true, assumedLifetime: Int? = nil
    ) {
        self.key = key
        self.origin = origin
        self.tag = tag
        self.isPersistent = isPersistent
        self.assumedLifetime = assumedLifetime
    }

    package static func == (left: OriginItem, right: OriginItem) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

package struct CachedAnswer: Sendable {
    package enum Content: Sendable {
        case memory(SharedBytes)
        case file(SharedFile)
        /// Only in the disk tier.
        case disk
    }

    package var exchange: StoredExchange
    package var content: Content
    /// 16 bytes of the content's SHA-256 in base64url; nil for content in memory.
    package let digest: String?
    /// Whether it must not be stored: it is for those who wait now.
    package var isTransient = false
    /// Unique among the answers; see ``FetchTable``.
    var number: UInt64 = 0

    package init(_ exchange: StoredExchange, _ content: Content, digest: String? = nil, isTransient: Bool = false) {
        self.exchange = exchange
        self.content = content
        self.digest = digest
        self.isTransient = isTransient
    }

    /// Nil if the content is not in memory.
    package var bytes: SharedBytes? { if case .memory(let bytes) = content { bytes } else { nil } }
}

package enum FetchOutcome: Sendable {
    case found(CachedAnswer)
    case absent
    case failed(FetchFailure)
}

package enum FetchFailure: Error, Equatable, Sendable {
    case origin(OriginError)
    case tooSlow
    /// The origin failed a moment ago and is not asked yet.
    case backingOff
    /// Too many requests wait for the origin or the disk.
    case busy
    /// It was replaced while in use.
    case replaced
    /// The text says why.
    case unusable(String)
    /// The request wants only a cached answer (`only-if-cached`).
    case notCached
    /// No origin may be asked.
    case offline
    /// It left the cache during the request.
    case evicted
    /// The request has come through this server before.
    case loop
    /// The content could not be written to a file.
    case notHeld(Errno)
    /// Nobody waits any more.
    case cancelled

    /// Whether an older answer may be used, as the origin or the way to it failed. A refusal is final.
    var isUnavailability: Bool {
        switch self {
        case .origin(.originNotAllowed), .origin(.addressForbidden), .origin(.tooLarge), .origin(.notFound): false
        case .unusable, .notCached, .offline, .evicted, .loop, .cancelled: false
        case .origin, .tooSlow, .backingOff, .busy, .replaced, .notHeld: true
        }
    }

    /// For how many seconds the item is not asked for; 0: the failure says nothing about the next request.
    var secondsRemembered: Int {
        switch self {
        case .replaced, .tooSlow, .evicted, .loop, .notCached, .offline: 0
        case .busy, .backingOff, .cancelled, .origin(.cancelled), .origin(.noMemory), .origin(.busy): 1
        case .origin(.resting(let seconds)): max(1, min(60, seconds))
        case .origin(.tooLarge): 60
        case .origin(.notKept), .notHeld: 10
        case .origin, .unusable: 5
        }
    }
}

/// A client's wishes about cached originals, in its `Cache-Control`.
package struct RemoteDirectives: Sendable {
    /// The lines of `Cache-Control` as they came.
    var lines: [String] = []
    var onlyIfCached = false
    var noCache = false

    package static let none = RemoteDirectives()

    private init() {}

    package init(_ fields: Fields) {
        lines = fields.all(.cacheControl)
        let directives = RequestDirectives(fields)
        (onlyIfCached, noCache) = (directives.onlyIfCached, directives.noCache)
    }
}
