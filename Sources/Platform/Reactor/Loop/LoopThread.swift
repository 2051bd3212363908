/// `Exports` are what its set-up gives to other threads: mailboxes, bound addresses.
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

    // Nobody can stop it any more.
    deinit { waker.requestStop() }

    /// Returns once `setUp` has run on the thread; what the loop holds is released there. Errors: those of `setUp`, `EAGAIN`, `EMFILE`.
    package static func start(
        name: String, clock: Clock = .system, stackByteCount: Int = 1 << 20,
        setUp: @escaping @Sendable (EventLoop) throws(Errno) -> Exports
    ) throws(Errno) -> LoopThread {
        let started = Monitor<Result<(exports: Exports, waker: LoopWaker), Errno>?>(nil)
        let outcome = Monitor<Errno?>(nil)
        let thread = try OwnedThread.start(name: name, stackByteCount: stackByteCount) {
            do throws(Errno) {
                let loop = try EventLoop(clock: clock)
                let ready = (exports: try setUp(loop), waker: loop.waker)
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

    /// Any thread. Earlier messages are still delivered.
    package func stop() { waker.requestStop() }

    /// Returns the error if the poller failed. Call ``stop()`` before.
    @discardableResult package func join() -> Errno? {
        thread.join()
        return outcome.withLock { $0 }
    }
}
