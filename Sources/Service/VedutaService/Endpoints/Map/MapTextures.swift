import Bytes
import ImageEngine
import Raster

/// Decodes the pictures that maps are made of: tiles, sprites, images.
enum MapTextures {
    /// The largest file, in bytes.
    private static let byteLimit = 32 << 20
    /// The most pixels.
    private static let pixelLimit = 4096 * 4096

    /// The pixels of a file in one of the formats that the service reads; nil for what is none.
    static let decode: @Sendable (SharedBytes) -> Texture? = { bytes in
        let limits = ImageLimits(sourceByteCount: byteLimit, pixelCount: pixelLimit)
        do throws(ImageError) {
            let pixels = try ImageEngine.pixels(
                of: bytes, in: RenderContext(options: RenderOptions(limits: limits)))
            return Texture(widthPx: pixels.widthPx, heightPx: pixels.heightPx, format: .rgba, texels: pixels.rgba)
        } catch {
            return nil
        }
    }
}
