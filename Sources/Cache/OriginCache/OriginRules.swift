package import HTTPMessage
import Origin

/// How long to wait for origins, how much to hold, and for how long. Times of freshness are in seconds.
package struct OriginRules: Sendable, Equatable {
    /// Where content is held until it is in the disk tier, or as long as there is room.
    package enum Holding: Sendable, Equatable {
        case memory
        /// In files without a name in this folder, at most ``OriginRules/fileLimit`` at once.
        case files(folder: String)
    }

    package var holding: Holding
    /// Fields of every request, always the same, so that answers with `Vary` are found again.
    package var fields = Fields()
    /// Whether no origin is ever asked.
    package var isOffline = false
    /// The bytes of what is held, without the disk tier.
    package var byteCapacity = 64 << 20
    /// How many files without a name may be open.
    package var fileLimit = OriginRules.fileLimit
    /// The default of ``fileLimit``: so many descriptors are set aside.
    package static let fileLimit = 256

    /// How long an answer counts as fresh that does not say; 0: it does not.
    package var lifetime = 60
    /// The shortest and the longest lifetime that an answer may give itself; nil: any. `no-store` and `no-cache` are obeyed.
    package var lifetimes: ClosedRange<Int>?
    /// How long it is remembered that the origin has nothing (404, 410).
    package var absence = 60
    /// How long a stale answer may be used in place of one that is not available, where the origin does not say.
    package var staleIfError = 604_800
    /// How long a stale answer is used without another question after one failed; nil: as long as that failure is remembered.
    package var grace: Int64?
    /// Whether an answer 204 is an empty item, for ``absence`` seconds, and not a failure.
    package var allowsNoContent = false

    /// Requests that run at one origin; others wait for their turn.
    package var requestsPerOrigin = Int.max
    /// How long blocking callers wait. Then the origin is not asked for ``backOff``, and what comes is for the next caller.
    package var patience = Duration.seconds(10)
    /// How long an origin is not asked after it could not be reached or was too slow; nil: it is asked again at once.
    package var backOff: Duration?
    /// The longest `Retry-After` that is obeyed.
    package var longestBackOff = Duration.seconds(600)

    package init(_ holding: Holding) { self.holding = holding }
}

extension FetchFailure {
    /// How long the origin is not asked after this; nil: it answers, whatever it says.
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
