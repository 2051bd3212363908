import Synchronization

/// `shouldStop` for callbacks of libvips, on any of its threads, and of libjpeg.
final class StopCallback: Sendable {
    private let shouldStop: @Sendable () -> Bool
    private let stopped = Atomic(false)

    init(_ context: RenderContext) { shouldStop = context.shouldStop }

    /// Whether the answer was ever yes, which may be why the work failed.
    var hasStopped: Bool { stopped.load(ordering: .relaxed) }

    /// For C: `context` is an unretained reference to a `StopCallback`.
    static func ask(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context = unsafe context else { return 0 }
        let callback = unsafe Unmanaged<StopCallback>.fromOpaque(context).takeUnretainedValue()
        guard callback.shouldStop() else { return 0 }
        callback.stopped.store(true, ordering: .relaxed)
        return 1
    }

    /// Calls `body` with the context for `ask`, valid during the call.
    func asking<R>(_ body: (UnsafeMutableRawPointer) throws(ImageError) -> R) throws(ImageError) -> R {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(Unmanaged.passUnretained(self).toOpaque())
    }
}
