import CLinux
import Glibc

/// A pthread mutex with a condition; `Synchronization.Mutex` has none. Never held across a job, a callback or I/O.
@safe package final class Monitor<State>: @unchecked Sendable {
    // Proof for `@unchecked Sendable`: `state` is touched only by `withLock` and `wait`, whose bodies run while the
    // mutex is held; the pointers never change and live as long as the object. `State` reaches other threads only
    // through what those bodies return, which the compiler checks at each call as `sending`.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: sending State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
        _ = unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        _ = unsafe pthread_cond_destroy(condition)
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    package func withLock<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// `body` runs with the lock held, at first and after each wake-up.
    package func wait<Result>(until body: (inout State) -> sending Result?) -> sending Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            _ = unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// For at most `duration` of the monotonic clock; nil when it is over.
    package func wait<Result>(
        forAtMost duration: Duration, until body: (inout State) -> sending Result?
    ) -> sending Result? {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        let end = Clock.system.monotonic() + duration
        while true {
            if let result = body(&state) { return result }
            let left = end.nanosecondsLeft(from: Clock.system.monotonic())
            guard left > 0 else { return nil }
            _ = unsafe clinux_wait_for(condition, mutex, left)
        }
    }

    package func signal() { _ = unsafe pthread_cond_signal(condition) }
    package func broadcast() { _ = unsafe pthread_cond_broadcast(condition) }
}
