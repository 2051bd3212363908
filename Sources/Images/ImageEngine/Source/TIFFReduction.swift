import Bytes
import CVips
import ImagePlan

/// A smaller version of a picture that a TIFF has beside it: a level of a pyramid.
struct TIFFReduction: Equatable {
    /// By how much it is smaller: 2, 4, 8, …
    let shrink: Int
    /// The page that it is; 0 where it lies inside the first.
    let page: Int
    /// Which of the reductions inside the page; nil where it is a page of its own.
    let level: Int?

    /// The reductions that `bytes` have of their first page, `image`: inside the page (as OME-TIFF has them) or as the pages
    /// that follow. Each is half as large as the one before, rounded either way; what is not makes an end.
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

    /// Whether the pages that follow the first are reductions of it, all of them. One page of half the size may as well be a
    /// page like any other; two, each half of the one before, are no accident.
    static func areAllPages(_ bytes: SharedBytes, of image: borrowing VipsImage) -> Bool {
        image.pageCount > 2 && image.pageCount <= 17 && image.levelCount == 0
            && all(in: bytes, of: image).count == image.pageCount - 1
    }

    /// The smallest that leaves a factor of two for the resampling where `limit` is how far the picture may be shrunk.
    static func best(in bytes: SharedBytes, of image: borrowing VipsImage, limit: Double) -> TIFFReduction? {
        guard limit >= 4, image.levelCount > 0 || areAllPages(bytes, of: image) else { return nil }
        return all(in: bytes, of: image).last { Double($0.shrink) * 2 <= limit }
    }

    /// nil where the header of the level is broken.
    private static func size(of level: TIFFReduction, in bytes: SharedBytes) -> PixelSize? {
        do throws(ImageError) {
            return try Source.load(bytes, .tiff, page: level.page, level: level.level).size
        } catch {
            return nil
        }
    }

    private static func isPart(_ side: Int, of whole: Int, _ shrink: Int) -> Bool {
        side == max(1, whole / shrink) || side == (whole + shrink - 1) / shrink
            || abs(Double(side) - Double(whole) / Double(shrink)) <= 1
    }
}
