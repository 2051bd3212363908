package import Bytes
import CVips
import Colors
import Glibc
package import ImagePlan
import PNGCoding

extension ImageEngine {
    /// Encodes premultiplied row-major RGBA8 after applying `filters`, on white if `output` has no alpha; `isQuick`: in less time, a
    /// JPEG a few percent larger, a PNG by a palette if possible. Throws `encodeFailed`, `outOfMemory`, `cancelled`;
    /// `operationFailed` if the bytes do not match the size.
    package static func encode(
        rgba pixels: SharedBytes, widthPx: Int, heightPx: Int, output: OutputFormat, quality: Int?,
        filters: [ImageFilter] = [], isQuick: Bool = false, shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> SharedBytes {
        let context = RenderContext(shouldStop: shouldStop)
        try context.checkStop()
        if output == .jpeg, filters.isEmpty {
            let content = try encodedAsJPEG(
                opaque: pixels, PixelSize(widthPx: widthPx, heightPx: heightPx),
                quality: quality ?? OutputFormat.jpeg.defaultQuality ?? 100, isQuick: isQuick, in: context)
            if let content { return content }
        }
        let drawn = try DrawnPixels(premultiplied: [pixels], widthPx: widthPx, heightPx: heightPx)
        if output == .png, filters.isEmpty, drawn.byteCount <= PNGCoding.encoderLimit {
            try context.checkStop()
            if let content = drawn.encodedAsPNG(isQuick ? .flat : .sampled) { return content }
            throw .outOfMemory
        }
        var image = try Filters.apply(filters, to: VipsImage(drawn), in: context)
        if image.hasAlpha, !output.holdsAlpha { image = try image.flattened(on: .white) }
        var settings = EncoderSettings(quality: quality, effort: output == .png ? drawnLevel : nil)
        settings.isQuick = isQuick
        return try image.encoded(as: output, settings: settings, in: context)
    }

    /// Encodes opaque frames of one size, each row-major RGBA8, as a picture that moves once. `output` is PNG, WebP or GIF. Throws as
    /// ``encode(rgba:widthPx:heightPx:output:quality:filters:isQuick:shouldStop:)``.
    package static func encode(
        frames: [SharedBytes], delaysMs: [Int], widthPx: Int, heightPx: Int, output: OutputFormat, quality: Int?,
        shouldStop: @escaping @Sendable () -> Bool
    ) throws(ImageError) -> SharedBytes {
        let context = RenderContext(shouldStop: shouldStop)
        if output == .png {
            guard
                var animation = PNGAnimation(
                    widthPx: widthPx, heightPx: heightPx, frameCount: frames.count, still: frames.last?.array ?? [])
            else { throw .operationFailed(log: "frames do not match the size") }
            for (frame, delay) in zip(frames, delaysMs) {
                try context.checkStop()
                guard animation.append(frame.array, delayMs: delay) else { throw .outOfMemory }
            }
            return animation.finish()
        }
        try context.checkStop()
        let drawn = try DrawnPixels(premultiplied: frames, widthPx: widthPx, heightPx: heightPx * frames.count)
        var settings = EncoderSettings(quality: quality)
        settings.frames = FrameTiming(delaysMs: delaysMs, loopCount: 1, pageHeightPx: heightPx)
        return try VipsImage(drawn).encoded(as: output, settings: settings, in: context)
    }

    /// For libdeflate: on street maps level 6 takes 1.4 times as long for 2.5 % fewer bytes.
    fileprivate static let drawnLevel = 4
}

/// Packed rows of straight RGB if every pixel is opaque, which encodes faster, else RGBA.
@safe struct DrawnPixels: ~Copyable {
    private let memory: UnsafeMutablePointer<UInt8>
    fileprivate let widthPx: Int
    fileprivate let heightPx: Int
    fileprivate let bands: Int

    /// Copies premultiplied RGBA8, whose frames follow each other. Throws `operationFailed` if the bytes do not match the size, or
    /// some frames are opaque and others are not.
    init(premultiplied frames: [SharedBytes], widthPx: Int, heightPx: Int) throws(ImageError) {
        let count = widthPx.multipliedReportingOverflow(by: heightPx)
        let byteCount = frames.reduce(0) { $0 + $1.count }
        guard widthPx > 0, heightPx > 0, !count.overflow, count.partialValue <= Int(Int32.max) / 4,
            byteCount == count.partialValue * 4, frames.allSatisfy({ $0.count % 4 == 0 })
        else { throw .operationFailed(log: "pixels do not match the size") }
        guard let memory = unsafe malloc(byteCount) else { throw .outOfMemory }
        let out = unsafe memory.bindMemory(to: UInt8.self, capacity: byteCount)
        var (bands, written): (Int?, Int) = (nil, 0)
        for frame in frames where frame.count > 0 {
            let found = unsafe frame.withUnsafeBytes { source in
                guard let base = source.baseAddress else { return 4 }
                return unsafe Int(
                    cvips_straighten(base.assumingMemoryBound(to: UInt8.self), frame.count / 4, out + written))
            }
            guard bands == nil || bands == found else {
                unsafe free(memory)
                throw .operationFailed(log: "some frames are opaque, and others are not")
            }
            bands = found
            written += frame.count / 4 * found
        }
        unsafe self.memory = out
        self.widthPx = widthPx
        self.heightPx = heightPx
        self.bands = bands ?? 4
    }

    deinit { unsafe free(memory) }
    var byteCount: Int { widthPx * heightPx * bands }

    /// The memory, which the caller frees.
    fileprivate consuming func take() -> UnsafeMutablePointer<UInt8> {
        let taken = unsafe memory
        discard self
        return unsafe taken
    }

    /// Nil if memory is short or there are too many pixels.
    fileprivate consuming func encodedAsPNG(_ strategy: PNGCoding.Strategy) -> SharedBytes? {
        let (widthPx, heightPx, bands) = (widthPx, heightPx, bands)
        let encoder = unsafe PNGEncoder(adopting: take(), widthPx: widthPx, heightPx: heightPx, bands: bands)
        return encoder?.finish(level: ImageEngine.drawnLevel, strategy: strategy)
    }
}

extension VipsImage {
    init(_ drawn: consuming DrawnPixels) throws(ImageError) {
        let (widthPx, heightPx, bands) = (Int32(drawn.widthPx), Int32(drawn.heightPx), Int32(drawn.bands))
        let memory = unsafe drawn.take()
        self = try unsafe Self.made({ .operationFailed(log: $0) }) { image, error in
            unsafe cvips_image_adopt(memory, widthPx, heightPx, bands, CVIPS_RGB, image, error)
        }
    }
}
