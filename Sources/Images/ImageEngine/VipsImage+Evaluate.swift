import CVips

extension VipsImage {
    /// Calls `work`, which pulls the pixels of this image on threads of libvips; those ask `shouldStop` meanwhile.
    /// Throws `cancelled` where the answer was yes, else `failure` of what libvips said.
    borrowing func watched(
        by shouldStop: @escaping @Sendable () -> Bool, _ failure: (String) -> ImageError,
        _ work: (UnsafeMutablePointer<cvips_error>) -> Int32
    ) throws(ImageError) {
        if shouldStop() { throw .cancelled }
        let stop = StopQuestion(shouldStop)
        // The image outlives this call where it is encoded more than once, the question does not: the watch ends first.
        let context = unsafe Unmanaged.passRetained(stop)
        let watch = unsafe cvips_watch(raw, { unsafe StopQuestion.ask($0) }, context.toOpaque())
        defer {
            unsafe cvips_unwatch(raw, watch)
            unsafe context.release()
        }
        var error = unsafe cvips_error()
        guard unsafe work(&error) == 0 else {
            let cause = unsafe taken(&error, failure)
            throw stop.wasAnsweredYes ? .cancelled : cause
        }
    }

    /// The same picture with its pixels worked out and held in memory.
    ///
    /// A lazy image that looks at neighbours is worked out tile by tile, each with a margin of its own, and one behind
    /// another multiplies the margins: four wide blurs took minutes in which nobody asked whether to stop.
    borrowing func evaluated(shouldStop: @escaping @Sendable () -> Bool) throws(ImageError) -> VipsImage {
        var out: OpaquePointer?
        try unsafe watched(by: shouldStop, { .operationFailed(log: $0) }) { error in
            unsafe cvips_evaluate(raw, &out, error)
        }
        guard let out = unsafe out else { throw .operationFailed(log: "") }
        return unsafe VipsImage(adopting: out)
    }
}
