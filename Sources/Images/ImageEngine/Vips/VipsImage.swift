import CVips

/// One reference to a libvips image; released with the value. Lazy: pixels appear when rows are pulled or saved.
@safe struct VipsImage: ~Copyable {
    let raw: OpaquePointer

    /// Takes over one reference.
    init(adopting raw: OpaquePointer) {
        unsafe self.raw = raw
    }

    deinit {
        unsafe cvips_image_unref(raw)
    }

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

    /// Calls `body` with the embedded color profile, or returns nil when there is none.
    func withProfile<R>(_ body: (RawSpan) -> R) -> R? {
        var data: UnsafeRawPointer?
        var count = 0
        guard unsafe cvips_profile(raw, &data, &count) == 0, let data = unsafe data else { return nil }
        return unsafe body(UnsafeRawBufferPointer(start: data, count: count).bytes)
    }

    /// Runs one call of the shim that makes an image.
    static func made(
        _ failure: (String) -> ImageError,
        _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<cvips_error>) -> Int32
    ) throws(ImageError) -> VipsImage {
        var out: OpaquePointer?
        var error = unsafe cvips_error()
        guard unsafe call(&out, &error) == 0, let out = unsafe out else { throw unsafe taken(&error, failure) }
        return unsafe VipsImage(adopting: out)
    }
}

/// What `error` is: `outOfMemory`, or `failure` of its text. The C memory is released.
func taken(_ error: inout cvips_error, _ failure: (String) -> ImageError) -> ImageError {
    let isExhausted = unsafe error.is_exhausted != 0
    let log = unsafe takeLog(&error)
    return isExhausted ? .outOfMemory : failure(log)
}

/// The text of `error`, cut to a length that suits a log line; the C memory is released.
func takeLog(_ error: inout cvips_error) -> String {
    defer { unsafe cvips_error_clear(&error) }
    guard let log = unsafe error.log else { return "" }
    return unsafe String(String(cString: log).prefix(500))
}
