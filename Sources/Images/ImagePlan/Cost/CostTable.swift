// What pixels cost, as ratios to one unit: fully decoding one pixel of a JPEG with libjpeg-turbo. The ratios were measured on
// 2026-11-21 with libvips 8.14 on x86-64, one thread, on a photograph of 2000×1500 (codecs) and 3000×4000 (shrink-on-load);
// they hold within a factor of two elsewhere. PNG, AVIF and memory were measured again on 2026-11-22, by the jobs of
// `scripts/bench asset`; drawings and the memory of decoders and encoders once more on that day, by libvips' program on
// photographs of 0.12 to 12 million pixels. Encoders at all efforts and scoring are those of `scripts/bench costs`, which is
// to be run again when an encoder changes. Only the unit belongs to one machine.

import Parameters

enum CostTable {
    /// Nanoseconds of the unit on the machine that it was measured on.
    static let unit = 5.5

    /// Decoding one stored pixel.
    static func decode(_ format: SourceFormat, shrink: Int) -> Double {
        switch format {
        case .jpeg: [1: 1.0, 2: 0.7, 4: 0.55, 8: 0.5][shrink] ?? 1
        case .png: 5
        case .webp: 4
        case .gif: 1.6
        case .avif, .heic: 6
        case .tiff: 1.6
        case .jxl: 6.5
        // Drawn, at the size that is needed.
        case .pdf, .svg: 10
        case .bmp, .ico: 0.5
        }
    }

    /// One more scan of a JPEG that is held whole, for one pixel.
    static let heldScan = 0.25
    /// One element of a drawing, and one pixel of the whole for a surface of its own and for a step of a filter, which walks
    /// over an eighth of it as a rule.
    static let drawnElement = 4000.0
    static let drawnLayer = 0.6
    static let drawnFilter = 12.0
    /// Decoding one pixel of a picture inside a drawing.
    static let embeddedPixel = 6.0
    /// One pixel of the length of a line.
    static let drawnLine = 60.0
    /// Counting and parsing one byte of a drawing, and bytes for each part of it while it is counted.
    static let countedByte = 15.0
    static let parsedByte = 30.0
    static let countedPartBytes = 400.0
    /// As above, of a PDF: most of its bytes are packed pictures, which are passed over. Parsing it begins with a fixed part.
    static let countedDocumentByte = 2.0
    static let parsedDocument = 1_000_000.0
    static let parsedDocumentByte = 1.0
    /// Drawings are drawn in squares of this side, and each of their elements for each of the squares.
    static let drawnSquareSide = 2000.0

    /// Bytes for each stored pixel that a decoder holds until the last row is out, where it holds all of them.
    static func decoderBytes(_ header: ImageHeader, bytesPerPixel: Double) -> Double {
        switch header.format {
        // Coefficients of 16 bits of three planes in full size.
        case .jpeg: header.heldScanCount > 0 ? 6 : 0
        case .png: header.heldScanCount > 0 ? 2 * bytesPerPixel : bytesPerPixel
        case .webp, .avif, .heic: max(8, 2 * bytesPerPixel)
        case .jxl: 16
        case .gif: 6
        case .tiff: 0
        case .pdf, .svg, .bmp, .ico: 4
        }
    }

    /// Whether the decoder holds the whole picture, of so many bytes: PNG up to a bound (`PNGCoding.decoderLimit`), above
    /// which it streams.
    static func isDecodedWhole(_ format: SourceFormat, bytes: Double) -> Bool {
        switch format {
        case .jpeg, .tiff: false
        case .png: bytes <= 80 * 1_048_576
        case .webp, .gif, .avif, .heic, .jxl, .pdf, .svg, .bmp, .ico: true
        }
    }

    /// Pixels that a drawing is drawn at, at the most: those of a picture that is decoded as a whole.
    static let drawnPixelLimit = 50_000_000.0

    /// The walk of the resampler: per pixel that was loaded, and per pixel that comes out.
    static let resampleSource = 0.25
    static let resampleResult = 1.0
    /// Steps that move or mix each pixel once.
    static let copy = 0.3
    /// Turning by any angle.
    static let turn = 6.0
    /// Decoding and laying over, as if it were as large as the picture.
    static let overlay = 3.0
    /// Decoding what was encoded, beyond the decoding of a JPEG, and comparing it (SSIMULACRA2).
    static let score = 6.0

    /// One filter on one pixel.
    static func units(_ filter: ImageFilter) -> Double {
        switch filter {
        case .grayscale, .sepia, .invert, .threshold, .posterize, .tint, .duotone, .brightness, .contrast, .saturation,
            .vibrance, .highlights, .shadows, .temperature, .hue, .gamma, .exposure, .pixelate, .noise, .vignette:
            1
        // A wide blur is one of a reduced picture.
        case .blur(let sigma): 2 + min(sigma.double, 8) * 1.5
        case .sharpen(let sigma): 3 + sigma.double * 1.5
        case .unsharp(let radius, _, _): 3 + min(radius.double, 8) * 1.5
        case .median(let radius): 4 + Double(radius * radius)
        case .normalize, .equalize: 1.5
        case .clahe: 6
        case .edges, .emboss: 3
        case .look(let look): look.filters.reduce(0) { $0 + units($1) }
        }
    }

    /// Encoding one pixel of a drawing as PNG: flat colors need no trial of filters.
    static let encodeDrawnPNG = 4.0

    /// Bytes that scoring holds: the planes of the picture for each sight of it and those of an encoding, which is decoded.
    static func scoreBytes(pixels: Double, sightCount: Double) -> Double {
        (7 * sightCount + 11) * min(pixels, 4_000_000) + 4 * pixels
    }
}
