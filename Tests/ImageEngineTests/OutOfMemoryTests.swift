import Bytes
import CVips
import ImagePlan
import Testing

@testable import ImageEngine

/// #15.16b: want of memory says nothing of the picture, so it is an error of its own. More is asked for here than there are
/// addresses.
@Suite struct OutOfMemoryTests {
    @Test func ourOwnMemory() throws {
        try engineStart.get()
        let one = try PixelBuffer(octets: [1, 2, 3], model: CVIPS_RGB)
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
        let image = try PixelBuffer(octets: [1, 2, 3], model: CVIPS_RGB).image()
        let large = try image.extended(to: PixelSize(widthPx: side, heightPx: side), x: 0, y: 0)
        do throws(ImageError) {
            _ = try large.evaluated(shouldStop: { false })
            Issue.record("there was room")
        } catch {
            #expect(error == .outOfMemory)
        }
    }
}
