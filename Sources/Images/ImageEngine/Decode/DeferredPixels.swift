import Bytes
import CVips
import ImagePlan
import PNGCoding

/// Where the pixels of an image come from when they are first asked for; released by the image.
@safe private final class DeferredPixels: Sendable {
    private let decode: VipsImage.DeferredDecode

    init(_ decode: @escaping VipsImage.DeferredDecode) {
        unsafe self.decode = decode
    }

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

    /// For C: the end of the reference that the image held.
    static func release(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        unsafe Unmanaged<DeferredPixels>.fromOpaque(context).release()
    }
}

extension VipsImage {
    /// Makes packed rows, in memory from malloc; nil where they are not sound, `outOfMemory` where that is why.
    typealias DeferredDecode = @Sendable () throws(ImageError) -> UnsafeMutableRawPointer?

    /// An image of 8 bits and three or four bands whose pixels are made when the first of them is asked for.
    static func deferred(
        widthPx: Int, heightPx: Int, bands: Int, _ decode: @escaping DeferredDecode
    ) throws(ImageError) -> VipsImage {
        let context = unsafe Unmanaged.passRetained(DeferredPixels(decode)).toOpaque()
        return try unsafe VipsImage.made({ .corrupt(log: $0) }) { out, error in
            unsafe cvips_defer_alone(
                Int32(clamping: widthPx), Int32(clamping: heightPx), Int32(clamping: bands),
                { unsafe DeferredPixels.decode($0, $1) }, { unsafe DeferredPixels.release($0) }, context, out, error)
        }
    }
}

extension Source {
    /// `plain`, which libvips loaded from `bytes`, with its pixels by `PNGDecoder` where that knows the kind: twice as fast.
    /// A file that it finds unsound is judged by libvips after all.
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

    /// A Windows bitmap or icon, by our own readers. `shouldStop` is asked when the pixels are worked out: whoever pulls them
    /// then sees a broken image.
    static func loadedByUs(
        _ bytes: SharedBytes, _ format: SourceFormat, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> VipsImage {
        let bitmap: Bitmap
        if format == .ico {
            switch Icon(bytes) {
            case .png(let part): return try load(part, .png)
            case .bitmap(let found): bitmap = found
            case nil: throw .corrupt(log: "not an icon")
            }
        } else {
            guard let found = Bitmap(file: bytes) else { throw .corrupt(log: "not a bitmap that is read here") }
            bitmap = found
        }
        return try unsafe VipsImage.deferred(
            widthPx: bitmap.widthPx, heightPx: bitmap.heightPx, bands: bitmap.hasAlpha ? 4 : 3
        ) { () throws(ImageError) in try unsafe bitmap.decode(shouldStop: shouldStop) }
    }
}
