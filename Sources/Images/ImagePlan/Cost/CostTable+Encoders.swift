// Measured by `scripts/bench costs` on 2026-11-23: libvips 8.14, libwebp 1.2.4, libaom 3.6, libjxl 0.7, two photographs
// at 400, 800 and 1,600 pixels, on a machine that was not idle, whose unit was 3.9 ns. Memory by libvips' program on 2
// million pixels. Values are between those of the sizes; small images take up to twice as long in GIF. Lossy AVIF takes up to
// 2.6 times as long for noise as for a photograph, so its values are those of noise, measured on 2026-11-26.

extension CostTable {
    /// Units to encode one pixel once. `hasAlpha`: some pixel may be transparent.
    static func encode(_ format: OutputFormat, isLossless: Bool, hasAlpha: Bool, _ encoding: Encoding) -> Double {
        let effort = encoding.effort
        if encoding.colorCount != nil, format.holdsPalette {
            var plain = encoding
            plain.colorCount = nil
            return quantize + encode(format, isLossless: isLossless, hasAlpha: hasAlpha, plain)
        }
        switch format {
        case .jpeg: return encoding.isProgressive ? 4.2 : 1.8
        case .png: return at(effort ?? 6, of: encoding.isProgressive ? interlacedPNG : png)
        case .webp: return isLossless ? 200 : at(effort ?? 7, of: webp) + (hasAlpha && effort == 10 ? slowAlpha : 0)
        case .avif: return at(effort ?? 2, of: isLossless ? exactAVIF : avif)
        case .gif: return at(effort ?? 4, of: gif)
        case .tiff: return 60
        case .jxl: return isLossless ? at(effort ?? 4, of: exactJXL) : at(effort ?? 5, of: jxl)
        }
    }

    /// Units of a frame whatever its size, measured on animations of 16 × 16 pixels on 2026-11-26. Each of a GIF gets a palette.
    static func encodeFrame(_ format: OutputFormat) -> Double {
        switch format {
        case .gif: 400_000
        case .webp: 20_000
        case .jpeg, .png, .avif, .tiff, .jxl: 0
        }
    }

    /// Finding 256 colors and dithering to them, per pixel and in all. Measured on 2026-11-26: 242 ms for a photograph of
    /// 1,600 × 1,200, 27 ms for one of 300 × 200; 16 colors take half.
    private static let quantize = 25.0
    static let quantizeOnce = 4_000_000.0

    // By effort, 1–10; JPEG XL's range is 3–9.

    private static let png: [Double] = [7, 10, 12, 13, 18, 26, 45, 95, 120, 120]
    private static let interlacedPNG: [Double] = [20, 21, 28, 38, 53, 100, 120, 150, 160, 160]
    private static let webp: [Double] = [5, 5, 6, 8.5, 8.5, 20, 20, 20, 22, 42]
    private static let avif: [Double] = [18, 62, 91, 150, 700, 760, 1800, 4700, 5700, 14_400]
    private static let exactAVIF: [Double] = [50, 115, 160, 260, 930, 1030, 2400, 4200, 5200, 13_200]
    private static let gif: [Double] = [60, 60, 60, 80, 120, 120, 130, 180, 200, 250]
    private static let jxl: [Double] = [9, 9, 9, 9, 36, 46, 75, 430, 640, 640]
    private static let exactJXL: [Double] = [45, 45, 45, 230, 280, 330, 560, 1500, 4500, 4500]

    /// At its highest effort libwebp tries everything on alpha, which it compresses without loss.
    private static let slowAlpha = 450.0
    /// Lossless WebP of a flat image relative to a photograph, at most: half of its pixels are new.
    static let flatShare = 0.5

    private static func at(_ effort: Int, of units: [Double]) -> Double { units[min(max(effort, 1), units.count) - 1] }

    /// Bytes that an encoder holds for `pixels` besides the image, with its result.
    static func encoderBytes(
        _ format: OutputFormat, isLossless: Bool, _ encoding: Encoding, pixels: Double, bytesPerPixel: Double
    ) -> Double {
        // The reduced copy, and the histogram.
        if encoding.colorCount != nil, format.holdsPalette {
            var plain = encoding
            plain.colorCount = nil
            return pixels * bytesPerPixel + 8 * 1_048_576
                + encoderBytes(format, isLossless: isLossless, plain, pixels: pixels, bytesPerPixel: bytesPerPixel)
        }
        return switch format {
        case .jpeg: pixels * (encoding.isProgressive ? 6.5 : 1)
        // Up to `PNGCoding.encoderLimit` the rows are held plain, filtered and compressed.
        case .png: pixels * bytesPerPixel * (pixels * bytesPerPixel <= 16 * 1_048_576 ? 3 : 1)
        case .tiff: pixels * bytesPerPixel
        case .webp: pixels * (isLossless ? 34 : 6)
        case .gif: pixels * 12
        case .avif: pixels * (isLossless ? 40 : encoding.effort ?? 2 >= 5 ? 36 : 24)
        case .jxl: pixels * (encoding.effort ?? 5 >= 8 ? 280 : isLossless ? 75 : 42)
        }
    }
}
