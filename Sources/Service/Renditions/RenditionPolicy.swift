package import HTTPMessage
package import Reactor
package import ResponseCache

/// How renditions of one kind are kept, by the configuration.
package struct RenditionPolicy: Sendable {
    /// Seconds for which a rendition is fresh that is not quite what was asked for.
    package static let briefSeconds = 60

    /// Of the `Cache-Control` that clients get.
    package let directives: ResponseDirectives
    /// Seconds for which an observed source is taken to be unchanged, and then while it is observed again.
    private let lifetime, staleWhileRevalidate: Int
    /// Whether a rendition may be used within that lifetime without observing its source.
    package let mayBeUsedUnobserved: Bool

    package init(_ directives: ResponseDirectives, lifetime: Int, staleWhileRevalidate: Int) {
        self.directives = directives
        self.lifetime = lifetime
        self.staleWhileRevalidate = staleWhileRevalidate
        mayBeUsedUnobserved = !directives.noCache && !directives.noStore
    }

    /// Of a rendition whose source was observed `age` seconds ago.
    package func freshness(age: Int) -> Freshness {
        Freshness(
            age: age, lifetime: lifetime, staleWhileRevalidate: staleWhileRevalidate,
            staleIfError: directives.staleIfError ?? 0,
            mustRevalidate: directives.mustRevalidate || directives.proxyRevalidate,
            needsValidation: directives.noCache)
    }

    /// Until when a source that was observed at `instant` will do: in the last tenth of its lifetime somebody observes
    /// it before the others have to wait.
    package func unwatched(from instant: MonotonicInstant) -> MonotonicInstant {
        let seconds = Int64(lifetime - lifetime / 10)
        return instant.advanced(byNanoseconds: seconds * 1_000_000_000)
    }
}
