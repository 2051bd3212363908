import CVips

/// One reference to a libvips image, released with the value. Lazy: pixels are computed when rows are pulled or saved.
@safe struct VipsImage: ~Copyable {
    let raw: OpaquePointer

    init(adopting raw: OpaquePointer) { unsafe self.raw = raw }

    deinit { unsafe cvips_image_unref(raw) }
    var widthPx: Int { unsafe Int(cvips_width(raw)) }
    var heightPx: Int { unsafe Int(cvips_height(raw)) }
    var bands: Int { unsafe Int(cvips_bands(raw)) }
    var is8Bit: Bool { unsafe cvips_is_8bit(raw) != 0 }
    var hasAlpha: Bool { unsafe cvips_has_alpha(raw) != 0 }
    /// EXIF orientation, 1–8.
    var orientation: Int { unsafe Int(cvips_orientation(raw)) }
    /// Pages or frames of the file, at least 1.
    var pageCount: Int { unsafe max(1, Int(cvips_page_count(raw))) }
    var model: cvips_model { unsafe cvips_color_model(raw) }

    /// Calls `body` with the embedded color profile; nil without one.
    func withProfile<R>(_ body: (RawSpan) -> R) -> R? {
        var data: UnsafeRawPointer?
        var count = 0
        guard unsafe cvips_profile(raw, &data, &count) == 0, let data = unsafe data else { return nil }
        return unsafe body(UnsafeRawBufferPointer(start: data, count: count).bytes)
    }

    static func made(
        _ failure: (String) -> ImageError,
        _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<cvips_error>) -> Int32
    ) throws(ImageError) -> VipsImage {
        var out: OpaquePointer?
        var error = unsafe cvips_error()
        guard unsafe call(&out, &error) == 0, let out = unsafe out else { throw unsafe taken(&error, failure) }
        return unsafe VipsImage(adopting: out)
    }

    /// Calls `work`, which pulls pixels on libvips' threads, where stops are checked. Throws `cancelled` or `failure`.
    borrowing func watched(
        in context: RenderContext, _ failure: (String) -> ImageError,
        _ work: (UnsafeMutablePointer<cvips_error>) -> Int32
    ) throws(ImageError) {
        try context.checkStop()
        // The image may outlive this call, the callback does not: the watch ends first.
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

    /// The same image with its pixels in memory. Lazy neighbourhood operations multiply the margins of their tiles:
    /// four wide blurs took minutes and could not be stopped.
    borrowing func evaluated(in context: RenderContext) throws(ImageError) -> VipsImage {
        var out: OpaquePointer?
        try unsafe watched(in: context, { .operationFailed(log: $0) }) { error in
            unsafe cvips_evaluate(raw, &out, error)
        }
        guard let out = unsafe out else { throw .operationFailed(log: "") }
        return unsafe VipsImage(adopting: out)
    }
}

/// `outOfMemory`, or `failure` with the text of `error`. Releases the C memory.
func taken(_ error: inout cvips_error, _ failure: (String) -> ImageError) -> ImageError {
    let isExhausted = unsafe error.is_exhausted != 0
    let log = unsafe takeLog(&error)
    return isExhausted ? .outOfMemory : failure(log)
}

/// The text of `error`, cut to 500 characters; releases the C memory.
func takeLog(_ error: inout cvips_error) -> String {
    defer { unsafe cvips_error_clear(&error) }
    guard let log = unsafe error.log else { return "" }
    return unsafe String(String(cString: log).prefix(500))
}

extension Int {
    var cInt: Int32 { Int32(clamping: self) }
}
