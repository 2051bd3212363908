import CLinux
import Glibc
import Synchronization

/// A named thread that someone owns and joins. Signals are blocked on it; main gets them.
package final class OwnedThread: Sendable {
    /// The name that `ps -T`, `top -H` and debuggers show, cut to 15 bytes there.
    package let name: String
    private let handle: Mutex<pthread_t?>

    private init(name: String, handle: pthread_t) {
        self.name = name
        self.handle = Mutex(handle)
    }

    deinit {
        // Nobody joined: at least its memory is released when it ends.
        if let thread = handle.withLock({ $0 }) { _ = pthread_detach(thread) }
    }

    /// Starts a thread that runs `body` once. `stackByteCount`: whole pages, at least 16 KiB. Errors: `EAGAIN`, `EINVAL`.
    package static func start(
        name: String, stackByteCount: Int = 1 << 20, body: @escaping @Sendable () -> Void
    ) throws(Errno) -> OwnedThread {
        let context = unsafe Unmanaged.passRetained(ThreadBody(name: name, run: body)).toOpaque()
        var handle = pthread_t()
        let code = unsafe clinux_thread_start(&handle, stackByteCount, runThreadBody, context)
        guard code == 0 else {
            unsafe Unmanaged<ThreadBody>.fromOpaque(context).release()
            throw Errno(code: code)
        }
        return OwnedThread(name: name, handle: handle)
    }

    /// Waits until the thread has ended. Call it once, from another thread; later calls return at once.
    package func join() {
        guard let thread = handle.withLock({ $0.take() }) else { return }
        _ = pthread_join(thread, nil)
    }
}

/// How urgent the work of a thread is for the scheduler of Linux.
package enum ThreadPriority {
    /// Makes this thread, and those that it starts from now on, give way to the other threads of the process: its nice value
    /// grows by `steps`, 0 to 19. Where no other thread wants the processor nothing changes. It cannot be undone.
    package static func lower(steps: Int32) {
        clinux_lower_thread_priority(steps)
    }
}

private final class ThreadBody: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
        unsafe clinux_name_this_thread(body.name)
        body.run()
    }
    return nil
}
