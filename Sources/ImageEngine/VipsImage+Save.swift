import Bytes
import CVips
import ImagePlan

extension VipsImage {
    /// The encoded picture, without metadata. `shouldStop` is asked while rows are pulled. `pngCompression` is zlib's level.
    borrowing func encoded(
        _ encoding: Encoding, pngCompression: Int32 = 6, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> SharedBytes {
        var data: UnsafeMutableRawPointer?
        var count = 0
        let quality = Int32(clamping: encoding.quality ?? encoding.format.defaultQuality ?? 100)
        try unsafe watched(by: shouldStop, { .encodeFailed(log: $0) }) { error in
            switch encoding.format {
            case .jpeg: unsafe cvips_save_jpeg(raw, quality, &data, &count, error)
            case .png: unsafe cvips_save_png(raw, pngCompression, &data, &count, error)
            case .webp: unsafe cvips_save_webp(raw, quality, &data, &count, error)
            case .avif: unsafe cvips_save_avif(raw, quality, &data, &count, error)
            }
        }
        guard let data = unsafe data else { throw .encodeFailed(log: "") }
        if encoding.format == .webp {
            count = unsafe WebPTrim.cutMetadata(UnsafeMutableRawBufferPointer(start: data, count: count))
        }
        // Encoders write into buffers that double: a cached picture would hold up to three times its octets.
        return unsafe SharedBytes(adopting: cvips_shrink(data, count), count: count) {
            unsafe cvips_free(UnsafeMutableRawPointer(mutating: $0))
        }
    }
}
