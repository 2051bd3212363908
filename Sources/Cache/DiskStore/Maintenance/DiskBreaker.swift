import Glibc
import Reactor
import Synchronization

/// A circuit breaker for storing: off from the first failure on, tried again after 1 s, 2 s, … 60 s until it works.
final class DiskBreaker: Sendable {
    private struct State {
        var isOn = true
        /// Doubled each time, 1 s again after a minute without failure: an unreliable disk does not warn every second.
        var delaySeconds: Int64 = 1
        var onSince = MonotonicInstant(nanoseconds: .min)
        var retryAt = MonotonicInstant.distantFuture
        var trialByteCount = 0
    }

    private static let trialLimit = 1 << 20
    private let state = Mutex(State())

    var isOn: Bool { state.withLock { $0.isOn } }

    /// Storing `byteCount` bytes failed; returns whether that is news.
    func fail(byteCount: Int, now: MonotonicInstant) -> Bool {
        state.withLock { state in
            guard state.isOn else { return false }
            state.isOn = false
            state.trialByteCount = min(max(byteCount, 1), Self.trialLimit)
            Self.delay(&state, now)
            return true
        }
    }

    func succeed(_ now: MonotonicInstant) {
        state.withLock { if $0.isOn, $0.onSince + .seconds(60) <= now { $0.delaySeconds = 1 } }
    }

    var retryAt: MonotonicInstant { state.withLock { $0.retryAt } }

    func dueTrialByteCount(_ now: MonotonicInstant) -> Int? {
        state.withLock { !$0.isOn && $0.retryAt <= now ? $0.trialByteCount : nil }
    }

    func trialFailed(_ now: MonotonicInstant) { state.withLock { Self.delay(&$0, now) } }

    /// Returns whether that is news.
    func trialWorked(_ now: MonotonicInstant) -> Bool {
        state.withLock { state in
            defer { state.isOn = true }
            state.onSince = now
            state.retryAt = .distantFuture
            return !state.isOn
        }
    }

    private static func delay(_ state: inout State, _ now: MonotonicInstant) {
        state.retryAt = now + .seconds(state.delaySeconds)
        state.delaySeconds = min(state.delaySeconds * 2, 60)
    }
}

extension Errno {
    /// Whether this process lacks something for a moment; not the disk's fault.
    var isShortageOfProcess: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }

    var isFullDisk: Bool { [ENOSPC, EDQUOT].contains(code) }

    /// Whether something of the wrong kind is in the way, such as a file for a folder.
    var isObstacle: Bool { [ENOTDIR, EISDIR, EEXIST, ENOTEMPTY, ELOOP].contains(code) }
}
