/// A loop on a thread of its own. `Exports` is what its set-up hands out to other threads: mailboxes, bound addresses.
package final class LoopThread<Exports: Sendable>: Sendable {
    package let exports: Exports
    private let waker: LoopWaker
    private let thread: OwnedThread
    private let outcome: Monitor<Errno?>

    private init(exports: Exports, waker: LoopWaker, thread: OwnedThread, outcome: Monitor<Errno?>) {
        self.exports = exports
        self.waker = waker
        self.thread = thread
        self.outcome = outcome
    }

    deinit {
        // Nobody can stop it any more.
        waker.requestStop()
    }

    /// Starts the thread, makes its loop, runs `setUp` there and returns when that is done; then the loop runs until
    /// ``stop()``. What the loop holds (handlers, descriptors) is released on its thread when it ends.
    ///
    /// Errors: what `setUp` throws (the thread is joined then), `EAGAIN`, `EMFILE`.
    package static func start(
        name: String, clock: Clock = .system, poller: PollerKind = .platform, stackByteCount: Int = 1 << 20,
        setUp: @escaping @Sendable (EventLoop) throws(Errno) -> Exports
    ) throws(Errno) -> LoopThread {
        let started = Monitor<Result<Ready, Errno>?>(nil)
        let outcome = Monitor<Errno?>(nil)
        let thread = try OwnedThread.start(name: name, stackByteCount: stackByteCount) {
            do throws(Errno) {
                let loop = try EventLoop(clock: clock, poller: poller)
                let ready = Ready(exports: try setUp(loop), waker: loop.waker)
                started.withLock { $0 = .success(ready) }
                started.broadcast()
                do throws(Errno) { try loop.run() } catch { outcome.withLock { $0 = error } }
                loop.end()
            } catch {
                started.withLock { $0 = .failure(error) }
                started.broadcast()
            }
        }
        switch started.wait(until: { $0 }) {
        case .success(let ready):
            return LoopThread(exports: ready.exports, waker: ready.waker, thread: thread, outcome: outcome)
        case .failure(let error):
            thread.join()
            throw error
        }
    }

    private struct Ready: Sendable {
        var exports: Exports
        var waker: LoopWaker
    }

    /// Asks the loop to end after its turn; any thread. Messages posted before are still delivered.
    package func stop() {
        waker.requestStop()
    }

    /// Waits until the thread has ended; returns the error if the poller failed. Call ``stop()`` before.
    @discardableResult
    package func join() -> Errno? {
        thread.join()
        return outcome.withLock { $0 }
    }
}
