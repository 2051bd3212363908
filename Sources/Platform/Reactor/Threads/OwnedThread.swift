import CLinux
import Glibc
import Synchronization

/// Joined by its owner. Signals are blocked on it; main gets them.
package final class OwnedThread: Sendable {
    private let handle: Mutex<pthread_t?>

    private init(handle: pthread_t) { self.handle = Mutex(handle) }

    deinit {
        // Nobody joined: at least its memory is released when it ends.
        if let thread = handle.withLock({ $0 }) { _ = pthread_detach(thread) }
    }

    /// Tools show 15 bytes of `name`. `stackByteCount`: whole pages, at least 16 KiB. Errors: `EAGAIN`, `EINVAL`.
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
        return OwnedThread(handle: handle)
    }

    /// Later calls return at once. Call it from another thread.
    package func join() {
        guard let thread = handle.withLock({ $0.take() }) else { return }
        _ = pthread_join(thread, nil)
    }
}

package enum ThreadPriority {
    /// The nice value of this thread and of those it starts from now on, by 0 to 19. It cannot be undone.
    package static func lower(steps: Int32) { clinux_lower_thread_priority(steps) }
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
