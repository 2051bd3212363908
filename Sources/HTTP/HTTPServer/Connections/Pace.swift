import Reactor

/// How fast one thing moves, and until when that is fast enough. Two limits: so long without any byte, and, once that
/// time has passed, so many bytes a second on average over the whole.
struct Pace: Equatable {
    private let start: MonotonicInstant
    private var lastProgress: MonotonicInstant
    private var byteCount = 0

    /// Begins at `now`.
    init(now: MonotonicInstant) {
        start = now
        lastProgress = now
    }

    /// So many bytes moved at `now`.
    mutating func moved(_ count: Int, now: MonotonicInstant) {
        guard count > 0 else { return }
        byteCount += count
        lastProgress = now
    }

    /// It was seen to move at `now`; of the bytes counted, only `byteCount` have arrived.
    mutating func arrived(_ byteCount: Int, now: MonotonicInstant) {
        self.byteCount = byteCount
        lastProgress = now
    }

    /// When it is too slow unless more moves before.
    func deadline(patienceNanoseconds: Int64, minimumRate: Int) -> MonotonicInstant {
        let stalled = lastProgress.advanced(byNanoseconds: patienceNanoseconds)
        guard minimumRate > 0 else { return stalled }
        return min(stalled, start.advanced(byNanoseconds: patienceNanoseconds) + .seconds(byteCount / minimumRate))
    }
}
