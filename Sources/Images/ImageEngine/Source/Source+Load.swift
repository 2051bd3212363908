import Bytes
import CVips
import ImagePlan

extension SourceFormat {
    /// The loader's name in the shim; nil for formats that we read ourselves.
    var vips: cvips_format? {
        switch self {
        case .jpeg: CVIPS_JPEG
        case .png: CVIPS_PNG
        case .webp: CVIPS_WEBP
        case .gif: CVIPS_GIF
        case .tiff: CVIPS_TIFF
        case .avif, .heic: CVIPS_HEIF
        case .jxl: CVIPS_JXL
        case .pdf: CVIPS_PDF
        case .svg: CVIPS_SVG
        case .bmp, .ico: nil
        }
    }
}

extension Source {
    /// Loads lazily: `pageCount` pages from `page` on, one below the other as one tall image (`pageHeightPx` tells them
    /// apart).
    ///
    /// `shrink` (1, 2, 4, 8) is for JPEG alone, `scale` for drawings (PDF, SVG): times the size that the header gave.
    /// `level` is one of the reductions inside a TIFF page; nil is the page itself. Throws `corrupt` or a better reason
    /// (``LoadDiagnosis``), and `pagesDiffer`.
    ///
    /// `shouldStop` is asked while a bitmap is decoded, which is done at once; of other formats whoever pulls rows asks.
    static func load(
        _ bytes: SharedBytes, _ format: SourceFormat, page: Int = 0, pageCount: Int = 1, shrink: Int = 1,
        scale: Double = 1, level: Int? = nil, shouldStop: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageError) -> VipsImage {
        guard let loader = format.vips else { return try loadedByUs(bytes, format, shouldStop: shouldStop) }
        var options = cvips_load_options()
        options.page = Int32(clamping: page)
        options.page_count = Int32(clamping: pageCount)
        options.shrink = Int32(clamping: shrink)
        options.scale = scale
        options.level = Int32(clamping: level ?? -1)
        let image = try loaded(bytes, format, by: loader, options)
        return format == .png ? try decodedQuickly(image, bytes) : image
    }

    /// As `load`, by a loader of libvips.
    static func loaded(
        _ bytes: SharedBytes, _ format: SourceFormat, by loader: cvips_format, _ options: cvips_load_options
    ) throws(ImageError) -> VipsImage {
        let image = try unsafe VipsImage.made({ LoadDiagnosis.error(of: bytes, format, log: $0) }) { out, error in
            unsafe bytes.withUnsafeBytes { buffer in
                var options = options
                return unsafe cvips_load(loader, buffer.baseAddress, buffer.count, &options, out, error)
            }
        }
        guard options.page_count == 1 || image.heightPx == image.pageHeightPx * Int(options.page_count) else {
            throw .pagesDiffer
        }
        return image
    }
}

extension VipsImage {
    /// Rows of one page of a tall image.
    var pageHeightPx: Int { unsafe max(1, Int(cvips_page_height(raw))) }
    /// How often an animation runs; 0 is for ever.
    var loopCount: Int { unsafe max(0, Int(cvips_loop_count(raw))) }
    /// Reductions inside the page of a TIFF.
    var levelCount: Int { unsafe max(0, Int(cvips_level_count(raw))) }
    /// Bits of a sample of the file.
    var sampleBits: Int { unsafe Int(cvips_sample_bits(raw)) }

    /// How long each frame of the file is shown, in milliseconds; empty where it is no animation.
    var delaysMs: [Int] {
        let count = unsafe Int(cvips_delays(raw, nil, 0))
        guard count > 0 else { return [] }
        var delays = [Int32](repeating: 0, count: count)
        _ = unsafe cvips_delays(raw, &delays, Int32(clamping: count))
        return delays.map { max(0, Int($0)) }
    }
}
