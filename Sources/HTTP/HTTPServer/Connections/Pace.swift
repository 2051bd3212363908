import Reactor

/// The pace of one transfer. Two limits: a time without any byte and, after that time, an average rate over the whole.
struct Pace: Equatable {
    private var start: MonotonicInstant
    private var lastProgress: MonotonicInstant
    private var byteCount = 0

    init(now: MonotonicInstant) {
        start = now
        lastProgress = now
    }

    mutating func moved(_ count: Int, now: MonotonicInstant) {
        guard count > 0 else { return }
        byteCount += count
        lastProgress = now
    }

    /// It was seen to move at `now`, but only `byteCount` of the bytes counted have arrived.
    mutating func arrived(_ byteCount: Int, now: MonotonicInstant) {
        self.byteCount = byteCount
        lastProgress = now
    }

    /// For so long nothing could move, by no fault of the peer.
    mutating func skip(_ duration: Duration) {
        start = start + duration
        lastProgress = lastProgress + duration
    }

    /// When the transfer is too slow unless more moves before.
    func deadline(patienceNanoseconds: Int64, minimumRate: Int) -> MonotonicInstant {
        let stalled = lastProgress.advanced(byNanoseconds: patienceNanoseconds)
        guard minimumRate > 0 else { return stalled }
        return min(stalled, start.advanced(byNanoseconds: patienceNanoseconds) + .seconds(byteCount / minimumRate))
    }
}
