import Bytes
import CVips
import ImagePlan
import PNGCoding

/// Makes the pixels of an image when the first of them is pulled; released by the image.
@safe private final class DeferredPixels: Sendable {
    private let decode: VipsImage.DeferredDecode

    init(_ decode: @escaping VipsImage.DeferredDecode) { unsafe self.decode = decode }

    /// For C: `context` is an unretained reference to a `DeferredPixels`.
    static func decode(
        _ context: UnsafeMutableRawPointer?, _ isExhausted: UnsafeMutablePointer<Int32>?
    ) -> UnsafeMutableRawPointer? {
        guard let context = unsafe context else { return nil }
        do throws(ImageError) {
            return try unsafe Unmanaged<DeferredPixels>.fromOpaque(context).takeUnretainedValue().decode()
        } catch {
            unsafe isExhausted?.pointee = error == .outOfMemory ? 1 : 0
            return nil
        }
    }

    static func release(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        unsafe Unmanaged<DeferredPixels>.fromOpaque(context).release()
    }
}

extension VipsImage {
    /// Makes packed rows in malloc memory; nil if they are malformed.
    typealias DeferredDecode = @Sendable () throws(ImageError) -> UnsafeMutableRawPointer?

    static func deferred(
        widthPx: Int, heightPx: Int, bands: Int, _ decode: @escaping DeferredDecode
    ) throws(ImageError) -> VipsImage {
        let context = unsafe Unmanaged.passRetained(DeferredPixels(decode)).toOpaque()
        return try unsafe VipsImage.made({ .corrupt(log: $0) }) { out, error in
            unsafe cvips_defer_alone(
                widthPx.cInt, heightPx.cInt, bands.cInt,
                { unsafe DeferredPixels.decode($0, $1) }, { unsafe DeferredPixels.release($0) }, context, out, error)
        }
    }
}

extension Source {
    /// `plain`, loaded by libvips, with its pixels by `PNGDecoder` if possible: twice as fast.
    static func decodedQuickly(_ plain: consuming VipsImage, _ bytes: SharedBytes) throws(ImageError) -> VipsImage {
        guard let decoder = PNGDecoder(bytes), decoder.widthPx == plain.widthPx, decoder.heightPx == plain.heightPx,
            decoder.bands == plain.bands, decoder.is16Bit ? plain.is16Bit : plain.is8Bit
        else { return plain }
        let context = unsafe Unmanaged.passRetained(DeferredPixels { unsafe decoder.decode() }).toOpaque()
        let raw = unsafe plain.raw
        return try unsafe VipsImage.made({ .corrupt(log: $0) }) { out, error in
            unsafe cvips_defer(
                raw, { unsafe DeferredPixels.decode($0, $1) }, { unsafe DeferredPixels.release($0) }, context, out,
                error)
        }
    }

    /// Loads a Windows bitmap or icon. A stop while pixels are made gives a truncated image.
    static func loadedByUs(
        _ bytes: SharedBytes, _ format: SourceFormat, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        let icon = format == .ico ? Icon(bytes) : Bitmap(file: bytes).map(Icon.bitmap)
        if case .png(let part)? = icon { return try load(part, .png) }
        guard case .bitmap(let bitmap)? = icon else {
            throw .corrupt(log: format == .ico ? "not an icon" : "not a bitmap that is read here")
        }
        return try unsafe VipsImage.deferred(
            widthPx: bitmap.widthPx, heightPx: bitmap.heightPx, bands: bitmap.hasAlpha ? 4 : 3
        ) { () throws(ImageError) in try unsafe bitmap.decode(shouldStop: shouldStop) }
    }
}
