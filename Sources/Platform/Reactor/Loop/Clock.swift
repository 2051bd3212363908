import CLinux
import Glibc
import Synchronization

package struct Clock: Sendable {
    /// For deadlines and durations.
    package var monotonic: @Sendable () -> MonotonicInstant
    /// For `Date` fields and validators.
    package var unixSeconds: @Sendable () -> Int64
    /// For logs, as exact as the system's timer (1 to 10).
    package var unixMilliseconds: @Sendable () -> Int64

    /// Without `unixMilliseconds`, they follow `unixSeconds`.
    package init(
        monotonic: @escaping @Sendable () -> MonotonicInstant, unixSeconds: @escaping @Sendable () -> Int64,
        unixMilliseconds: (@Sendable () -> Int64)? = nil
    ) {
        self.monotonic = monotonic
        self.unixSeconds = unixSeconds
        self.unixMilliseconds = unixMilliseconds ?? { unixSeconds() &* 1000 }
    }

    package static let system = Clock(
        monotonic: {
            let time = now(CLOCK_MONOTONIC)
            return MonotonicInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
        },
        unixSeconds: { Int64(now(CLOCK_REALTIME_COARSE).tv_sec) },
        unixMilliseconds: {
            let time = now(CLOCK_REALTIME_COARSE)
            return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
        })

    private static func now(_ id: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(id, &time)
        return time
    }
}

/// Stands still until it is moved; for tests.
package final class HandMovedClock: Sendable {
    private let nanoseconds = Atomic<Int64>(0)
    private let startUnixSeconds: Int64

    package init(unixSeconds: Int64 = 1_800_000_000) { startUnixSeconds = unixSeconds }

    package func advance(by duration: Duration) {
        nanoseconds.wrappingAdd(duration.saturatedNanoseconds, ordering: .sequentiallyConsistent)
    }

    package var clock: Clock {
        Clock(
            monotonic: { MonotonicInstant(nanoseconds: self.nanoseconds.load(ordering: .sequentiallyConsistent)) },
            unixSeconds: {
                self.startUnixSeconds + self.nanoseconds.load(ordering: .sequentiallyConsistent) / 1_000_000_000
            })
    }
}
