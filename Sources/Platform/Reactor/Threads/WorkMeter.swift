import CLinux
import Glibc

/// Counts what one piece of work uses beyond its thread: bytes fetched from other servers, bytes written to disk, and
/// processor time of other processes that work for it.
///
/// The code that starts the work binds its meter to the thread (``current``); code that fetches or writes reports to the
/// meter of its thread. Without a meter nothing is counted. Any thread.
package final class WorkMeter: Sendable {
    package enum Use: Sendable {
        case fetched(byteCount: Int)
        case written(byteCount: Int)
        /// Of another process.
        case processorTime(microseconds: Int)
    }

    @TaskLocal package static var current: WorkMeter?

    private let report: @Sendable (Use) -> Void
    private let admit: @Sendable () -> Bool

    /// `report` is called on the thread that used something, `admit` on that which is about to.
    package init(report: @escaping @Sendable (Use) -> Void, admit: @escaping @Sendable () -> Bool = { true }) {
        self.report = report
        self.admit = admit
    }

    package func add(_ use: Use) { report(use) }

    /// Whether the budget that the work is charged to allows a fetch.
    package func mayFetch() -> Bool { admit() }
}

/// Processor time of the calling thread.
package enum ThreadTime {
    package static var microseconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) &* 1_000_000 &+ Int(time.tv_nsec) / 1000
    }
}
