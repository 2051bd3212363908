/// A request's cache directives (RFC 9111 §5.2.1, RFC 5861 §4). Ignores unknown names; of repeated directives the
/// stricter counts. Seconds are at most 2^31; unless said otherwise, a malformed number counts as 0.
package struct RequestDirectives: Equatable, Sendable {
    package enum MaxStale: Equatable, Sendable {
        case any
        /// Seconds past the freshness lifetime.
        case seconds(Int)
    }

    /// Also `Pragma: no-cache` without a Cache-Control field (RFC 9111 §5.4).
    package var noCache = false
    package var noStore = false
    package var onlyIfCached = false
    package var noTransform = false
    package var maxAge: Int?
    package var maxStale: MaxStale?
    /// A malformed number is ignored.
    package var minFresh: Int?
    package var staleIfError: Int?
    /// A directive of ours: the answer is not written to disk.
    package var memoryOnly = false
    /// A directive of ours: Cache-Status names the key of the entry.
    package var showKey = false

    package init() {}

    /// Linear in the bytes of Cache-Control, no allocation.
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
    /// False for most requests, and cheap.
    package var mayHaveCacheDirectives: Bool { mayContain(Self.cacheDirectiveBits) }

    private static let cacheDirectiveBits = FieldName.cacheControl.presenceBit | FieldName.pragma.presenceBit
}
