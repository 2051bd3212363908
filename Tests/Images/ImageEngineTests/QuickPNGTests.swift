import CVips
import ImagePlan
import Testing

@testable import ImageEngine

extension EngineTests {
    /// The quick decoder of PNG against libvips'.
    @Suite(.enabled(if: Shared.isPresent, "no test data at ../shared")) struct QuickPNGTests {
        @Test(arguments: [
            "photo1_alpha", "photo1_palette", "photo1_interlaced", "photo1_gray", "photo1_1bit",
        ])
        func pixelsAreThoseOfLibvips(_ name: String) throws {
            try engineStart.get()
            let bytes = try Shared.read("images/\(name).png")
            defer { withExtendedLifetime(bytes) {} }
            let quick = try Decoded(Source.load(bytes, .png))
            var options = cvips_load_options()
            (options.page_count, options.shrink, options.scale, options.level) = (1, 1, 1, -1)
            let plain = try Decoded(Source.loaded(bytes, .png, by: CVIPS_PNG, options))
            #expect(quick.bands == plain.bands)
            #expect(quick.samples == plain.samples)
        }

        @Test func depthOf16BitsSurvives() throws {
            try engineStart.get()
            let tiff = try Shared.read("images/photo1_16bit.tif")
            defer { withExtendedLifetime(tiff) {} }
            let source = try Source(tiff, limits: ImageLimits())
            #expect(source.header.bitDepth == 16)
            for format in [OutputFormat.png, .tiff] {
                let content = try Source.load(tiff, .tiff).encoded(as: format, in: RenderContext())
                let back = try Source(content, limits: ImageLimits())
                #expect(back.header.bitDepth == 16)
                #expect(try words(back.image) == words(Source.load(tiff, .tiff)), "\(format)")
            }
        }

        /// Every 97th row as bytes.
        private func words(_ image: borrowing VipsImage) throws -> [UInt8] {
            let rows = try RowSource(image)
            var data: [UInt8] = []
            for y in 0..<image.heightPx {
                let strip = try rows.strip(left: 0, top: y, width: image.widthPx, height: 1)
                guard y % 97 == 0 else { continue }
                data += UnsafeBufferPointer(start: strip.first, count: image.widthPx * image.bands * 2)
            }
            return data
        }
    }
}
