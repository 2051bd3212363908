package import HTTPMessage
import Origin

/// Limits of waiting, holding and freshness; times of freshness are in seconds.
package struct OriginRules: Sendable, Equatable {
    /// Where content is held until it is in the disk tier, or while there is room.
    package enum Holding: Sendable, Equatable {
        case memory
        /// In files without a name in this folder, at most ``OriginRules/fileLimit`` at once.
        case files(folder: String)
    }

    package var holding: Holding
    /// Fields of every request, always the same, so that answers with `Vary` are found again.
    package var fields = Fields()
    package var isOffline = false
    /// Bytes held, without the disk tier.
    package var byteCapacity = 64 << 20
    /// Files without a name that may be open.
    package var fileLimit = OriginRules.fileLimit
    package static let fileLimit = 256

    /// The freshness of an answer that tells none; 0: it is stale.
    package var lifetime = 60
    /// Bounds of an answer's own lifetime; nil: none. `no-store` and `no-cache` are obeyed.
    package var lifetimes: ClosedRange<Int>?
    /// How long an absence (404, 410) is remembered.
    package var absence = 60
    /// How long a stale answer may replace one that is unavailable, unless the origin tells.
    package var staleIfError = 604_800
    /// How long a stale answer is used without asking after a failure; nil: while the failure is remembered.
    package var grace: Int64?
    /// Whether a 204 is an empty item, for ``absence`` seconds, rather than a failure.
    package var allowsNoContent = false

    /// Running requests at one origin; others wait.
    package var requestsPerOrigin = Int.max
    /// How long a request waits for its turn at its origin; nil: as long as somebody waits for it.
    package var longestTurn: Duration?
    /// How long blocking callers wait. After that the origin is not asked for ``backOff``; a late answer is for the next caller.
    package var patience = Duration.seconds(10)
    /// How long an unreachable or slow origin is not asked; nil: it is asked again at once.
    package var backOff: Duration?
    /// The longest `Retry-After` that is obeyed.
    package var longestBackOff = Duration.seconds(600)

    package init(_ holding: Holding) { self.holding = holding }
}

extension FetchFailure {
    /// How long the origin is not asked after this failure; nil if it answers, whatever it says.
    func backOff(_ rules: OriginRules) -> Duration? {
        guard let backOff = rules.backOff else { return nil }
        switch self {
        case .origin(.resting(let seconds)): return min(rules.longestBackOff, max(backOff, .seconds(seconds)))
        case .origin(.nameUnknown), .origin(.unreachable), .origin(.tlsFailed), .origin(.timedOut), .tooSlow:
            return backOff
        default: return nil
        }
    }
}
