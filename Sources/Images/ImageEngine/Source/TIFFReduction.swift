import Bytes
import CVips
import ImagePlan

/// A smaller version of a picture inside a TIFF: a level of a pyramid.
struct TIFFReduction: Equatable {
    let shrink: Int
    /// 0 for a reduction inside the first page.
    let page: Int
    /// The index among the reductions inside the page; nil for a page of its own.
    let level: Int?

    /// Inside the first page, `image` (as in OME-TIFF), or as the pages that follow, each half as large.
    static func all(in bytes: SharedBytes, of image: borrowing VipsImage) -> [TIFFReduction] {
        var found: [TIFFReduction] = []
        let inside = image.levelCount
        let count = min(inside > 0 ? inside : image.pageCount - 1, 16)
        for index in 0..<max(0, count) {
            let next = TIFFReduction(
                shrink: 2 << index, page: inside > 0 ? 0 : index + 1, level: inside > 0 ? index : nil)
            guard let size = size(of: next, in: bytes), isPart(size.widthPx, of: image.widthPx, next.shrink),
                isPart(size.heightPx, of: image.heightPx, next.shrink)
            else { break }
            found.append(next)
        }
        return found
    }

    /// A single page of half the size may be a normal page; two successive halves are no accident.
    static func areAllPages(_ bytes: SharedBytes, of image: borrowing VipsImage) -> Bool {
        image.pageCount > 2 && image.pageCount <= 17 && image.levelCount == 0
            && all(in: bytes, of: image).count == image.pageCount - 1
    }

    /// The smallest that leaves a factor of two for resampling, if the picture may be shrunk by `limit`.
    static func best(in bytes: SharedBytes, of image: borrowing VipsImage, limit: Double) -> TIFFReduction? {
        guard limit >= 4, image.levelCount > 0 || areAllPages(bytes, of: image) else { return nil }
        return all(in: bytes, of: image).last { Double($0.shrink) * 2 <= limit }
    }

    private static func size(of level: TIFFReduction, in bytes: SharedBytes) -> PixelSize? {
        try? Source.load(bytes, .tiff, page: level.page, level: level.level).size
    }

    private static func isPart(_ side: Int, of whole: Int, _ shrink: Int) -> Bool {
        side == max(1, whole / shrink) || side == (whole + shrink - 1) / shrink
            || abs(Double(side) - Double(whole) / Double(shrink)) <= 1
    }
}
