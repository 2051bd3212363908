import Bytes

/// What a request tells caches (RFC 9111 §5.2.1, RFC 5861 §4). Names that are not known are passed over.
///
/// Of repeated directives the stricter one counts. Seconds are at most 2^31.
package struct RequestDirectives: Equatable, Sendable {
    /// How stale an answer may be.
    package enum MaxStale: Equatable, Sendable {
        /// As stale as it comes.
        case any
        /// So many seconds past its freshness lifetime.
        case seconds(Int)
    }

    /// `no-cache`, or `Pragma: no-cache` without a Cache-Control field (RFC 9111 §5.4).
    package var noCache = false
    /// `no-store`: neither the request nor the answer is kept.
    package var noStore = false
    /// `only-if-cached`: 504 rather than a request to anybody.
    package var onlyIfCached = false
    /// `no-transform`: the content is not changed on its way.
    package var noTransform = false
    /// `max-age`: the age in seconds that an answer may have. What is no number counts as 0.
    package var maxAge: Int?
    /// `max-stale`: nil when a stale answer is not welcome. What is no number counts as 0 seconds.
    package var maxStale: MaxStale?
    /// `min-fresh`: the seconds for which an answer has to stay fresh. What is no number is passed over.
    package var minFresh: Int?
    /// `stale-if-error`: for so many seconds an answer may be stale if no better one can be had. No number counts as 0.
    package var staleIfError: Int?
    /// `memory-only`, a directive of ours: the answer is not written to disk.
    package var memoryOnly = false
    /// `show-key`, a directive of ours: Cache-Status names the key of the entry.
    package var showKey = false

    package init() {}

    /// Reads the fields of a request. Linear in the bytes of Cache-Control, no allocation.
    package init(_ fields: Fields) {
        guard fields.mayHaveCacheDirectives else { return }
        fields.forEachLine(.cacheControl) { value in
            DirectiveList.forEach(in: value) { name, argument, form in take(name, argument, form) }
        }
        guard !fields.contains(.cacheControl) else { return }
        fields.forEachLine(.pragma) { value in
            DirectiveList.forEach(in: value) { name, _, _ in
                if name.equalsIgnoringCase("no-cache") { noCache = true }
            }
        }
    }

    private mutating func take(_ name: RawSpan, _ argument: RawSpan, _ form: DirectiveArgument) {
        switch name.byteCount {
        case 7 where name.equalsIgnoringCase("max-age"):
            maxAge = min(maxAge ?? .max, DirectiveList.seconds(argument, form) ?? 0)
        case 8 where name.equalsIgnoringCase("no-cache"): noCache = true
        case 8 where name.equalsIgnoringCase("no-store"): noStore = true
        case 8 where name.equalsIgnoringCase("show-key"): showKey = true
        case 9 where name.equalsIgnoringCase("max-stale"): takeMaxStale(argument, form)
        case 9 where name.equalsIgnoringCase("min-fresh"):
            guard let seconds = DirectiveList.seconds(argument, form) else { return }
            minFresh = max(minFresh ?? 0, seconds)
        case 11 where name.equalsIgnoringCase("memory-only"): memoryOnly = true
        case 12 where name.equalsIgnoringCase("no-transform"): noTransform = true
        case 14 where name.equalsIgnoringCase("only-if-cached"): onlyIfCached = true
        case 14 where name.equalsIgnoringCase("stale-if-error"):
            staleIfError = min(staleIfError ?? .max, DirectiveList.seconds(argument, form) ?? 0)
        default: break
        }
    }

    private mutating func takeMaxStale(_ argument: RawSpan, _ form: DirectiveArgument) {
        let seconds = form == .none ? nil : DirectiveList.seconds(argument, form) ?? 0
        switch (maxStale, seconds) {
        case (nil, nil): maxStale = .any
        case (.some, nil): break
        case (.seconds(let earlier), .some(let seconds)): maxStale = .seconds(min(earlier, seconds))
        case (_, .some(let seconds)): maxStale = .seconds(seconds)
        }
    }
}

extension Fields {
    /// Whether a field with cache directives may occur in a request; false in most requests, and cheap to know.
    package var mayHaveCacheDirectives: Bool { mayContain(Self.cacheDirectiveBits) }

    private static let cacheDirectiveBits = FieldName.cacheControl.presenceBit | FieldName.pragma.presenceBit
}
