package import HTTPMessage
package import Reactor
package import ResponseCache

/// What the configuration says about keeping renditions of one kind.
package struct RenditionPolicy: Sendable {
    /// For how long a rendition counts as fresh that is not quite what was asked for, in seconds.
    package static let briefSeconds = 60

    /// Those of the `Cache-Control` that clients are told.
    package let directives: ResponseDirectives
    /// For how long a source is taken to be as it was observed, in seconds, and for how long after that while it is looked at
    /// again.
    private let lifetime, staleWhileRevalidate: Int
    /// Whether a rendition may be used without a look at its source for as long as the lifetime says.
    package let mayBeUsedUnobserved: Bool

    package init(_ directives: ResponseDirectives, lifetime: Int, staleWhileRevalidate: Int) {
        self.directives = directives
        self.lifetime = lifetime
        self.staleWhileRevalidate = staleWhileRevalidate
        mayBeUsedUnobserved = !directives.noCache && !directives.noStore
    }

    /// How fresh a rendition is whose source was observed `age` seconds ago.
    package func freshness(age: Int) -> Freshness {
        Freshness(
            age: age, lifetime: lifetime, staleWhileRevalidate: staleWhileRevalidate,
            staleIfError: directives.staleIfError ?? 0,
            mustRevalidate: directives.mustRevalidate || directives.proxyRevalidate,
            needsValidation: directives.noCache)
    }

    /// Until when a source that was observed at `instant` need not be thought about: the last tenth of its lifetime is for
    /// whoever looks before the others have to wait.
    package func unwatched(from instant: MonotonicInstant) -> MonotonicInstant {
        let seconds = Int64(lifetime - lifetime / 10)
        return instant.advanced(byNanoseconds: seconds * 1_000_000_000)
    }
}
