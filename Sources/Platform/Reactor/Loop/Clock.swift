import CLinux
import Glibc
import Synchronization

/// Where the time comes from, so that tests move it by hand.
package struct Clock: Sendable {
    /// The monotonic time: deadlines and durations.
    package var monotonic: @Sendable () -> MonotonicInstant
    /// Seconds since 1970-01-01T00:00:00Z: `Date` fields and validators.
    package var unixSeconds: @Sendable () -> Int64
    /// Milliseconds since 1970-01-01T00:00:00Z, as exact as the system's timer (1 to 10): for logs.
    package var unixMilliseconds: @Sendable () -> Int64

    /// A clock made of its sources; without `unixMilliseconds`, they are those of `unixSeconds`.
    package init(
        monotonic: @escaping @Sendable () -> MonotonicInstant, unixSeconds: @escaping @Sendable () -> Int64,
        unixMilliseconds: (@Sendable () -> Int64)? = nil
    ) {
        self.monotonic = monotonic
        self.unixSeconds = unixSeconds
        self.unixMilliseconds = unixMilliseconds ?? { unixSeconds() &* 1000 }
    }

    /// The clocks of the operating system.
    package static let system = Clock(
        monotonic: {
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return MonotonicInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
        },
        unixSeconds: {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return Int64(time.tv_sec)
        },
        unixMilliseconds: {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
        })
}

/// A clock that stands still until it is moved; for tests.
package final class HandMovedClock: Sendable {
    private let nanoseconds = Atomic<Int64>(0)
    private let startUnixSeconds: Int64

    /// A clock at the monotonic instant 0 and the given wall time.
    package init(unixSeconds: Int64 = 1_800_000_000) {
        startUnixSeconds = unixSeconds
    }

    package func advance(by duration: Duration) {
        nanoseconds.wrappingAdd(duration.saturatedNanoseconds, ordering: .sequentiallyConsistent)
    }

    /// What to hand to the code under test.
    package var clock: Clock {
        Clock(
            monotonic: { MonotonicInstant(nanoseconds: self.nanoseconds.load(ordering: .sequentiallyConsistent)) },
            unixSeconds: {
                self.startUnixSeconds + self.nanoseconds.load(ordering: .sequentiallyConsistent) / 1_000_000_000
            })
    }
}
