/// Asks whether to stop, from a callback of libjpeg on the thread that called it.
final class JPEGStopQuestion {
    private let shouldStop: () -> Bool

    private init(_ shouldStop: @escaping () -> Bool) {
        self.shouldStop = shouldStop
    }

    /// Calls `body` with the context for `ask`, which holds as long as the call.
    static func asking<R, E: Error>(
        _ shouldStop: () -> Bool, _ body: (UnsafeMutableRawPointer) throws(E) -> R
    ) throws(E) -> R {
        try withoutActuallyEscaping(shouldStop) { shouldStop throws(E) in
            let question = JPEGStopQuestion(shouldStop)
            defer { withExtendedLifetime(question) {} }
            return try unsafe body(Unmanaged.passUnretained(question).toOpaque())
        }
    }

    /// For C: `context` is an unretained reference to one of these.
    static func ask(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<JPEGStopQuestion>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
    }
}
