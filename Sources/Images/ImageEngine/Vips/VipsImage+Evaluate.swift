import CVips

extension VipsImage {
    /// Calls `work`, which pulls the pixels of this image on threads of libvips; those ask whether to stop meanwhile.
    /// Throws `cancelled` after a stop, else `failure` of libvips' text.
    borrowing func watched(
        in context: RenderContext, _ failure: (String) -> ImageError,
        _ work: (UnsafeMutablePointer<cvips_error>) -> Int32
    ) throws(ImageError) {
        try context.checkStop()
        // The image outlives this call where it is encoded more than once, the callback does not: the watch ends first.
        let stop = StopCallback(context)
        let reference = unsafe Unmanaged.passRetained(stop)
        let watch = unsafe cvips_watch(raw, { unsafe StopCallback.ask($0) }, reference.toOpaque())
        defer {
            unsafe cvips_unwatch(raw, watch)
            unsafe reference.release()
        }
        var error = unsafe cvips_error()
        guard unsafe work(&error) == 0 else {
            let cause = unsafe taken(&error, failure)
            throw stop.hasStopped ? .cancelled : cause
        }
    }

    /// The same image with its pixels worked out and held in memory.
    ///
    /// A lazy image that looks at neighbours is worked out tile by tile, each with a margin of its own, and one behind
    /// another multiplies the margins: four wide blurs took minutes that nothing could stop.
    borrowing func evaluated(in context: RenderContext) throws(ImageError) -> VipsImage {
        var out: OpaquePointer?
        try unsafe watched(in: context, { .operationFailed(log: $0) }) { error in
            unsafe cvips_evaluate(raw, &out, error)
        }
        guard let out = unsafe out else { throw .operationFailed(log: "") }
        return unsafe VipsImage(adopting: out)
    }
}
