import CVips
import ImagePlan
import Testing

@testable import ImageEngine

/// #15.16b: want of memory says nothing of the picture, so it is an error of its own. More is asked for here than there are
/// addresses.
@Suite(.timeLimit(.minutes(5))) struct OutOfMemoryTests {
    @Test func ourOwnMemory() throws {
        try engineStart.get()
        let one = try PixelBuffer(bytes: [1, 2, 3], model: CVIPS_RGB)
        let side = 1 << 24
        do throws(ImageError) {
            _ = try PixelBuffer(like: one, size: PixelSize(widthPx: side, heightPx: 1), rowCount: side)
            Issue.record("there was room")
        } catch {
            #expect(error == .outOfMemory)
        }
    }

    @Test func memoryOfLibvips() throws {
        try engineStart.get()
        let side = 9_999_999
        let image = try PixelBuffer(bytes: [1, 2, 3], model: CVIPS_RGB).image()
        let large = try image.extended(to: PixelSize(widthPx: side, heightPx: side), x: 0, y: 0)
        do throws(ImageError) {
            _ = try large.evaluated(in: RenderContext())
            Issue.record("there was room")
        } catch {
            #expect(error == .outOfMemory)
        }
    }

    /// #15.9: memory that our own reader of a bitmap did not get counted as a broken picture.
    @Test func memoryOfDeferredPixels() throws {
        try engineStart.get()
        for isExhausted in [true, false] {
            // What libvips says stands in one buffer for the whole process: another test may take it first.
            let error = (0..<100).lazy.compactMap { _ in Self.failure(isExhausted) }.first {
                $0 != .operationFailed(log: "")
            }
            #expect((error == .outOfMemory) == isExhausted, "\(String(describing: error))")
        }
    }

    /// What becomes of an image whose pixels are not there, for want of memory or because they are not sound.
    private static func failure(_ isExhausted: Bool) -> ImageError? {
        do throws(ImageError) {
            let image = try VipsImage.deferred(widthPx: 4, heightPx: 4, bands: 3) { () throws(ImageError) in
                if isExhausted { _ = try PixelMemory(byteCount: 1 << 60) }
                return nil
            }
            _ = try image.evaluated(in: RenderContext())
            return nil
        } catch {
            return error
        }
    }

    /// #15.9: each library has words of its own for it.
    @Test(arguments: [
        ("out of memory --- size == 4096MB", true),
        ("VipsJpeg: Insufficient memory (case 4)", true),
        ("pngload: libspng read error: out of memory", true),
        ("vips2png: png_image_read: Out of Memory", true),
        ("heif: Memory allocation error: Cannot allocate image memory. (6.5000)", true),
        ("heifsave: Error: Encoder plugin generated an error: Memory allocation error", true),
        ("jp2kload: Not enough memory to create Tile Coder", true),
        ("webpsave: picture memory error", true),
        ("heif: Memory allocation error: Security limit exceeded: 9 bytes, total memory size would be 8 bytes", false),
        ("pngload: invalid memory read", false), ("heif: Invalid input: No 'ftyp' box (2.100)", false), ("", false),
    ])
    func whatLibrariesSayOfIt(_ log: String, _ isExhausted: Bool) {
        #expect((cvips_tells_exhaustion(log) != 0) == isExhausted)
    }
}
