import Bytes
package import ImagePlan
import CVips
import ImageEngine

/// An encoded picture decoded to its pixels, exactly as stored: no orientation is applied, no profile.
package struct DecodedPicture: Sendable {
    package let format: SourceFormat
    package let widthPx: Int
    package let heightPx: Int
    /// RGBA8, straight alpha, row-major without padding.
    package let samples: [UInt8]

    /// What stood in the way of decoding.
    package struct Failure: Error, CustomStringConvertible { package let description: String }

    /// Decodes JPEG, PNG, WebP or AVIF, to its last row.
    package init(_ encoded: [UInt8]) throws {
        try RunningService.prepare()
        let bytes = SharedBytes(encoded)
        guard let format = ImageEngine.sniff(bytes) else { throw Failure(description: "not a picture") }
        self.format = format
        var error = cvips_error()
        defer { cvips_error_clear(&error) }
        var images: [OpaquePointer] = []
        defer { for image in images.reversed() { cvips_image_unref(image) } }
        func step(_ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<cvips_error>) -> Int32) throws {
            var out: OpaquePointer?
            guard call(&out, &error) == 0, let out else {
                throw Failure(description: error.log.map { String(cString: $0) } ?? "libvips failed")
            }
            images.append(out)
        }
        (widthPx, heightPx, samples) = try bytes.withUnsafeBytes { data in
            try step { Self.load(format, data, $0, $1) }
            try step { cvips_to_srgb(images[images.count - 1], $0, $1) }
            try step { cvips_to_8bit(images[images.count - 1], $0, $1) }
            if cvips_has_alpha(images[images.count - 1]) == 0 {
                try step { cvips_add_alpha(images[images.count - 1], $0, $1) }
            }
            return try Self.pixels(of: images[images.count - 1], &error)
        }
    }

    /// Red, green, blue and alpha of a pixel.
    package subscript(x: Int, y: Int) -> [Int] {
        let start = (y * widthPx + x) * 4
        return samples[start..<(start + 4)].map { Int($0) }
    }

    /// The share of pixels, 0…1, that `isWanted` accepts by red, green and blue.
    package func share(where isWanted: (Int, Int, Int) -> Bool) -> Double {
        var count = 0
        for start in stride(from: 0, to: samples.count, by: 4)
        where isWanted(Int(samples[start]), Int(samples[start + 1]), Int(samples[start + 2])) { count += 1 }
        return Double(count) / Double(max(1, widthPx * heightPx))
    }

    private static func load(
        _ format: SourceFormat, _ data: UnsafeRawBufferPointer, _ out: UnsafeMutablePointer<OpaquePointer?>,
        _ error: UnsafeMutablePointer<cvips_error>
    ) -> Int32 {
        let loader: cvips_format =
            switch format {
            case .jpeg: CVIPS_JPEG
            case .png: CVIPS_PNG
            case .webp: CVIPS_WEBP
            case .gif: CVIPS_GIF
            case .tiff: CVIPS_TIFF
            case .avif, .heic: CVIPS_HEIF
            case .jxl: CVIPS_JXL
            case .pdf: CVIPS_PDF
            case .svg, .bmp, .ico: CVIPS_SVG
            }
        var options = cvips_load_options()
        (options.page_count, options.shrink, options.scale, options.level) = (1, 1, 1, -1)
        return cvips_load(loader, data.baseAddress, data.count, &options, out, error)
    }

    private static func pixels(
        of image: OpaquePointer, _ error: inout cvips_error
    ) throws -> (widthPx: Int, heightPx: Int, samples: [UInt8]) {
        let (width, height) = (Int(cvips_width(image)), Int(cvips_height(image)))
        var region: OpaquePointer?
        guard cvips_bands(image) == 4, cvips_region_new(image, &region, &error) == 0, let region else {
            throw Failure(description: "not four bands")
        }
        defer { cvips_region_unref(region) }
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * 4)
        for y in 0..<height {
            var row: UnsafePointer<UInt8>?
            var stride = 0
            guard cvips_region_rows(region, 0, Int32(y), Int32(width), 1, &row, &stride, &error) == 0, let row else {
                throw Failure(description: error.log.map { String(cString: $0) } ?? "row \(y) cannot be decoded")
            }
            samples += UnsafeBufferPointer(start: row, count: width * 4)
        }
        return (width, height, samples)
    }
}
