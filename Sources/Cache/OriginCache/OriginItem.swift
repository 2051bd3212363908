package import Bytes
package import HTTPMessage
package import Origin
package import Reactor
package import ResponseCache

/// Something that another server has, and what it is cached under.
package struct OriginItem: Hashable, Sendable {
    /// The digest of everything that decides the content.
    package let key: CacheKey
    /// Whom fetches, their queue and their back-off belong to.
    package let origin: OriginURL.Origin
    /// The group that it is purged with.
    package let tag: CacheTag
    /// Whether the disk tier may hold it.
    package let isPersistent: Bool
    /// Seconds of freshness of an answer without `Cache-Control`; nil: as ``OriginRules/lifetime`` says.
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

/// An answer of an origin that is held.
package struct CachedAnswer: Sendable {
    /// Where the content is.
    package enum Content: Sendable {
        case memory(SharedBytes)
        /// In a file without a name.
        case file(SharedFile)
        /// In the disk tier alone.
        case disk
    }

    /// What the origin said; its freshness is in here.
    package var exchange: StoredExchange
    package var content: Content
    /// SHA-256 of the content in base64url, 16 bytes of it; nil where content is gathered in memory.
    package let digest: String?
    /// Whether it may not be stored: it is for those who wait for it now, and the next request asks again.
    package var isTransient = false
    /// Tells it from the answers before and after it; see ``FetchTable``.
    var number: UInt64 = 0

    package init(_ exchange: StoredExchange, _ content: Content, digest: String? = nil, isTransient: Bool = false) {
        self.exchange = exchange
        self.content = content
        self.digest = digest
        self.isTransient = isTransient
    }

    /// The content, where that is in memory.
    package var bytes: SharedBytes? { if case .memory(let bytes) = content { bytes } else { nil } }
}

/// What became of a request for an item.
package enum FetchOutcome: Sendable {
    case found(CachedAnswer)
    /// The origin has nothing there.
    case absent
    case failed(FetchFailure)
}

/// Why an item is not available.
package enum FetchFailure: Error, Equatable, Sendable {
    case origin(OriginError)
    /// It did not come within ``OriginRules/patience``.
    case tooSlow
    /// The origin failed a moment ago and is not asked yet.
    case backingOff
    /// Too many requests wait for the origin, or for the disk.
    case busy
    /// It was replaced while it was in use.
    case replaced
    /// What came cannot be used; the text says why.
    case unusable(String)
    /// It is not cached, and the request wants nothing else (`only-if-cached`).
    case notCached
    /// It is not cached, and no origin may be asked.
    case offline
    /// It left the cache during the request.
    case evicted
    /// The request has come through this server before.
    case loop
    /// Its content could not be written to a file.
    case notHeld(Errno)
    /// Nobody waits any more.
    case cancelled

    /// Whether an older answer may be used instead: the origin, or the way to it, failed. A refusal is final.
    var isUnavailability: Bool {
        switch self {
        case .origin(.originNotAllowed), .origin(.addressForbidden), .origin(.tooLarge), .origin(.notFound): false
        case .unusable, .notCached, .offline, .evicted, .loop, .cancelled: false
        case .origin, .tooSlow, .backingOff, .busy, .replaced, .notHeld: true
        }
    }

    /// For how many seconds the item is not asked for again; 0: the failure says nothing about the next request.
    var secondsRemembered: Int {
        switch self {
        case .replaced, .tooSlow, .evicted, .loop, .notCached, .offline: 0
        case .busy, .backingOff, .cancelled, .origin(.cancelled), .origin(.noMemory): 1
        case .origin(.resting(let seconds)): max(1, min(60, seconds))
        case .origin(.tooLarge): 60
        case .origin(.notKept), .notHeld: 10
        case .origin, .unusable: 5
        }
    }
}

/// What a client's request says about cached originals, in its `Cache-Control`.
package struct RemoteDirectives: Sendable {
    /// The lines of `Cache-Control`, as they came.
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
