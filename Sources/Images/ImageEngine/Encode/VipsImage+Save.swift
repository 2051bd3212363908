import Bytes
import CVips
import ImagePlan
import PNGCoding

extension VipsImage {
    /// Encodes the pixels and what `settings` name, nothing else. Alpha must be gone for JPEG.
    borrowing func encoded(
        as format: OutputFormat, settings: EncoderSettings = EncoderSettings(), in context: RenderContext
    ) throws(ImageError) -> SharedBytes {
        if !is8Bit, !format.holds16Bits { return try normalised().encoded(as: format, settings: settings, in: context) }
        if let count = settings.colorCount, format.holdsPalette {
            var rest = settings
            (rest.colorCount, rest.isQuantized) = (nil, true)
            let few = try quantized(to: count, pageHeightPx: settings.frames?.pageHeightPx ?? 0, in: context)
            return try few.encoded(as: format, settings: rest, in: context)
        }
        var bare = settings
        switch format {
        case .avif, .gif: return try savedByVips(format, settings, in: context)
        // libvips 8.14 writes the profile of these, but no EXIF.
        case .tiff, .jxl: bare.metadata = ImageMetadata()
        // libvips would write EXIF of its own with a profile.
        case .jpeg, .png, .webp: (bare.metadata, bare.profile) = (ImageMetadata(), nil)
        }
        let content = try savedBare(format, bare, in: context)
        return MetadataWriter.adding(
            content, format, settings.metadata, profile: settings.profile, widthPx: widthPx,
            heightPx: settings.frames?.pageHeightPx ?? heightPx)
    }

    private borrowing func savedBare(
        _ format: OutputFormat, _ settings: EncoderSettings, in context: RenderContext
    ) throws(ImageError) -> SharedBytes {
        if format == .png, !settings.isProgressive {
            // 0–9 are libdeflate's; its 12 takes five times as long as its 6, for 4 % fewer bytes.
            let level = settings.effort.map { $0 > 9 ? 12 : max($0, 0) } ?? 6
            if let content = try encodedAsPNG(level: level, in: context) { return content }
        }
        if format == .jpeg {
            let quality = settings.quality ?? OutputFormat.jpeg.defaultQuality ?? 100
            let content = try encodedAsJPEG(
                quality: quality, isProgressive: settings.isProgressive, isQuick: settings.isQuick, in: context)
            if let content { return content }
        }
        return try savedByVips(format, settings, in: context)
    }

    private borrowing func savedByVips(
        _ format: OutputFormat, _ settings: EncoderSettings, in context: RenderContext
    ) throws(ImageError) -> SharedBytes {
        var data: UnsafeMutableRawPointer?
        var count = 0
        let numbers = unsafe Self.options(format, settings, for: size)
        let delays = settings.frames?.delaysMs.map(\.cInt) ?? []
        try unsafe watched(in: context, { .encodeFailed(log: $0) }) { error in
            unsafe delays.withUnsafeBufferPointer { delays in
                unsafe withBytes(settings.profile) { profile in
                    unsafe withBytes(settings.metadata.exif.map { Array("Exif\0\0".utf8) + $0 }) { exif in
                        unsafe withBytes(settings.metadata.xmp) { xmp in
                            var options = unsafe numbers
                            unsafe options.delays = delays.baseAddress
                            unsafe options.delay_count = delays.count.cInt
                            unsafe (options.profile, options.profile_length) = (
                                profile?.baseAddress, profile?.count ?? 0
                            )
                            unsafe (options.exif, options.exif_length) = (exif?.baseAddress, exif?.count ?? 0)
                            unsafe (options.xmp, options.xmp_length) = (xmp?.baseAddress, xmp?.count ?? 0)
                            return unsafe cvips_save(format.vips, raw, &options, &data, &count, error)
                        }
                    }
                }
            }
        }
        guard let data = unsafe data else { throw .encodeFailed(log: "") }
        if format == .webp {
            count = unsafe WebPTrim.cutMetadata(UnsafeMutableRawBufferPointer(start: data, count: count))
        }
        // Encoders double their buffers: a cached image would hold up to three times its bytes.
        return unsafe SharedBytes(adopting: cvips_shrink(data, count), count: count) {
            unsafe cvips_free(UnsafeMutableRawPointer(mutating: $0))
        }
    }

    private static func options(
        _ format: OutputFormat, _ settings: EncoderSettings, for size: PixelSize
    ) -> cvips_save_options {
        var options = unsafe cvips_save_options()
        let quality = settings.quality ?? format.defaultQuality(for: size) ?? 100
        unsafe options.quality = quality.cInt
        if format == .avif {
            let avif = settings.avif ?? AVIFSettings(quality: quality, for: size)
            unsafe options.quality = avif.quality.cInt
            unsafe options.has_full_chroma = avif.hasFullChroma || settings.isLossless ? 1 : 0
        }
        unsafe options.effort = format.vipsEffort(settings.effort)
        unsafe options.is_lossless = settings.isLossless ? 1 : 0
        unsafe options.is_progressive = settings.isProgressive ? 1 : 0
        unsafe options.is_quantized = settings.isQuantized ? 1 : 0
        unsafe options.page_height = (settings.frames?.pageHeightPx ?? 0).cInt
        unsafe options.loop_count = (settings.frames?.loopCount ?? 0).cInt
        return unsafe options
    }

    /// Encodes by `PNGEncoder`; nil if the image is of another kind or too large.
    borrowing func encodedAsPNG(level: Int, in context: RenderContext) throws(ImageError) -> SharedBytes? {
        guard is8Bit || is16Bit, model == CVIPS_GREY || model == CVIPS_RGB,
            bands == colorBands || (hasAlpha && bands == colorBands + 1),
            var encoder = PNGEncoder(widthPx: widthPx, heightPx: heightPx, bands: bands, is16Bit: is16Bit)
        else { return nil }
        try unsafe eachRow(of: 16, in: context) { _, row in unsafe encoder.append(row) }
        try context.checkStop()
        return encoder.finish(level: level)
    }
}

private func withBytes<R>(_ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> R) -> R {
    guard let bytes, !bytes.isEmpty else { return body(nil) }
    return unsafe bytes.withUnsafeBytes { unsafe body($0) }
}

extension OutputFormat {
    var vips: cvips_format {
        switch self {
        case .jpeg: CVIPS_JPEG
        case .png: CVIPS_PNG
        case .webp: CVIPS_WEBP
        case .avif: CVIPS_HEIF
        case .gif: CVIPS_GIF
        case .tiff: CVIPS_TIFF
        case .jxl: CVIPS_JXL
        }
    }

    /// `effort` (1–10) in the scale of the encoder; -1 is its default.
    func vipsEffort(_ effort: Int?) -> Int32 {
        guard let effort = effort.map({ min(max($0, 1), 10) }) else { return -1 }
        return switch self {
        case .png: Int32(min(effort, 9))
        case .webp: Int32((effort - 1) * 6 / 9)
        case .avif: Int32(effort - 1)
        case .gif: Int32(effort)
        case .jpeg, .tiff: -1
        case .jxl: Int32(min(max(effort, 3), 9))
        }
    }
}
