// Costs of pixels in units of fully decoding one JPEG pixel with libjpeg-turbo. Measured on 2026-11-21 with libvips
// 8.14 on x86-64, one thread, on a photograph of 2000×1500 (codecs) and 3000×4000 (shrink-on-load); they hold within a
// factor of two elsewhere. PNG, AVIF and memory were measured again on 2026-11-22 by `scripts/bench asset`, drawings
// and codec memory on that day by libvips' program on photographs of 0.12 to 12 million pixels. Encoders and scoring
// are those of `scripts/bench costs`, to be run again when an encoder changes. Only the unit belongs to one machine.

import Parameters

enum CostTable {
    static let unit = 5.5

    /// Per stored pixel.
    static func decode(_ format: SourceFormat, shrink: Int) -> Double {
        switch format {
        case .jpeg: [1: 1.0, 2: 0.7, 4: 0.55, 8: 0.5][shrink] ?? 1
        case .png: 5
        case .webp: 4
        case .gif: 1.6
        case .avif, .heic: 6
        case .tiff: 1.6
        case .jxl: 6.5
        case .pdf, .svg: 10
        // That of 16 bits, whose masks take up to four divisions per pixel: headers do not tell how many bits there are.
        case .bmp: 5
        // The same with a mask behind it; a PNG, which an icon may be, takes less.
        case .ico: 6
        }
    }

    /// By what factor a PNG or TIFF takes longer than one of 8 bits and as many samples as a picture has: decoders unpack all
    /// bytes, of a TIFF also what its tiles overhang. Up to half more is within the price.
    static func unpacking(_ header: ImageHeader) -> Double {
        guard header.format == .png || header.format == .tiff else { return 1 }
        let depth = header.bitDepth > 8 ? wideSample : 1
        let ratio = Double(header.unpackedByteCount) / (3 * max(1, Double(header.widthPx) * Double(header.heightPx)))
        return ratio > 1.5 ? max(depth, ratio) : depth
    }

    /// Bytes of a sample of 16 bits, beside those of 8 for which all formats were measured.
    static let wideSample = 2.0

    /// Per frame of an animation, and per page that is read of a TIFF, whatever their size.
    static func decodePage(_ format: SourceFormat) -> Double {
        switch format {
        case .webp: 30_000
        case .gif: 15_000
        case .tiff: 5000
        default: 0
        }
    }

    /// Per page of a TIFF, to find a page by the chain of directories.
    static let passedDirectory = 10.0

    /// The directory of a page: libtiff sorts some 250 fields and those so far for each that it does not know. Measured on
    /// 2026-11-27: 1.9 ms for 69 entries, 995 ms for 4,009.
    static func directory(entryCount: Int) -> Double { Double(entryCount) * Double(entryCount + 250) * 15 }

    /// Per pixel, of a JPEG in short segments that is decoded at half of its size or less, and copied.
    static let shrinkKept = 1.2
    /// Per pixel, of one more scan of a JPEG that is held whole.
    static let heldScan = 0.25
    /// Per element of a drawing; per pixel of it for a layer, and for a filter step, which covers an eighth of it.
    static let drawnElement = 4000.0
    static let drawnLayer = 0.6
    static let drawnFilter = 12.0
    /// Per pixel of an embedded image.
    static let embeddedPixel = 6.0
    static let drawnLine = 60.0
    /// Per byte of a drawing to count and to parse it, and bytes held per part while counting.
    static let countedByte = 15.0
    static let parsedByte = 30.0
    static let countedPartBytes = 400.0
    /// The same for a PDF, most of whose bytes are compressed images, which are skipped; parsing has a fixed part.
    static let countedDocumentByte = 2.0
    static let parsedDocument = 1_000_000.0
    static let parsedDocumentByte = 1.0
    /// Drawings are drawn in squares of this side, with each element drawn for each square.
    static let drawnSquareSide = 2000.0

    /// Bytes per stored pixel held by a decoder that holds the whole image.
    static func decoderBytes(_ header: ImageHeader, bytesPerPixel: Double) -> Double {
        switch header.format {
        // 16-bit coefficients of three full-size planes.
        case .jpeg: header.heldScanCount > 0 ? 6 : 0
        case .png: header.heldScanCount > 0 ? 2 * bytesPerPixel : bytesPerPixel
        case .webp, .avif, .heic: max(8, 2 * bytesPerPixel)
        case .jxl: 16
        case .gif: 6
        case .tiff: 0
        case .ico: header.heldScanCount > 0 ? 2 * bytesPerPixel : max(4, bytesPerPixel)
        case .pdf, .svg, .bmp: 4
        }
    }

    /// Whether the decoder holds the whole image of `bytes` pixel bytes; above `PNGCoding.decoderLimit` PNG streams.
    static func isDecodedWhole(_ format: SourceFormat, bytes: Double) -> Bool {
        switch format {
        case .jpeg, .tiff: false
        case .png: bytes <= 80 * 1_048_576
        case .webp, .gif, .avif, .heic, .jxl, .pdf, .svg, .bmp, .ico: true
        }
    }

    /// The most pixels a drawing is drawn at: those of an image that is decoded whole.
    static let drawnPixelLimit = 50_000_000.0

    /// Resampling, per loaded pixel and per resulting pixel.
    static let resampleSource = 0.25
    static let resampleResult = 1.0
    /// The same by libvips, per loaded sample of 16 bits, and for both ways through linear light. Measured on 2026-11-28 on 12
    /// million pixels, reduced 1.1, 2 and 10 times: 33 to 48 ns a pixel of three samples, 37 to 100 in linear light.
    static let resampleWide = 2.5
    static let resampleWideLight = 2.0
    /// Rows of the source that libvips holds meanwhile, as floats.
    static let resampledWideRows = 320.0
    static let copy = 0.3
    /// Per pixel of the small image in which points of interest are looked for; 3.6 ms with decoding where that has 19,200.
    static let interest = 20.0
    static let turn = 6.0
    /// Decoding and compositing an overlay, taken to be as large as the image.
    static let overlay = 3.0
    /// Drawing a text, per pixel of the image, and per character.
    static let text = 1.0
    static let character = 3000.0
    /// Per pixel of a text beyond those of the image: as it is drawn, as it arrives, and straight before and after its colors.
    static let textBytes = 16.0
    /// Decoding an encoding, beyond the cost for a JPEG, and comparing it (SSIMULACRA2).
    static let score = 6.0

    /// Per pixel of an image of `size`.
    static func units(_ filter: ImageFilter, in size: PixelSize) -> Double {
        guard case .within(let region, let inner) = filter else { return units(filter) }
        guard let rect = region.rect(in: size) else { return 0 }
        let share = Double(rect.widthPx) * Double(rect.heightPx) / (Double(size.widthPx) * Double(size.heightPx))
        return 2 * copy + units(inner) * share
    }

    private static func units(_ filter: ImageFilter) -> Double {
        switch filter {
        case .grayscale, .sepia, .invert, .threshold, .posterize, .tint, .duotone, .brightness, .contrast, .saturation,
            .vibrance, .highlights, .shadows, .temperature, .hue, .gamma, .exposure, .pixelate, .noise, .vignette:
            1
        // Wide blurs work on a reduced image.
        case .blur(let sigma): 2 + min(sigma.double, 8) * 1.5
        case .sharpen(let sigma): 3 + sigma.double * 1.5
        case .unsharp(let radius, _, _): 3 + min(radius.double, 8) * 1.5
        case .median(let radius): 4 + Double(radius * radius)
        case .normalize, .equalize: 1.5
        case .clahe: 6
        case .edges, .emboss: 3
        case .look(let look): look.filters.reduce(0) { $0 + units($1) }
        case .within(_, let filter): units(filter)
        }
    }

    /// Per pixel of a drawing as PNG: flat colors need no trial of filters.
    static let encodeDrawnPNG = 4.0

    /// Bytes held by scoring: planes of the image for each view of it, and those of a decoded encoding.
    static func scoreBytes(pixels: Double, sightCount: Double) -> Double {
        (7 * sightCount + 11) * min(pixels, 4_000_000) + 4 * pixels
    }
}
