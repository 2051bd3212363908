import ImagePlan

/// A smaller version of a picture inside a TIFF: a level of a pyramid.
struct TIFFReduction: Equatable {
    let shrink: Int
    let page: Int
    /// The index among the reductions inside the page; nil for a page of its own.
    let level: Int?

    /// Inside `page` (as in OME-TIFF), or as the pages that follow the first, each half as large.
    static func all(in file: RawSpan, page: Int) -> [TIFFReduction] {
        guard let whole = TIFFPage(page: page, of: file), let full = whole.size else { return [] }
        let isInside = !whole.levels.isEmpty
        guard isInside || page == 0 else { return [] }
        var found: [TIFFReduction] = []
        for index in 0..<(isInside ? whole.levels.count : TIFFPage.levelLimit) {
            let size = isInside ? whole.levels[index].size : TIFFPage(page: index + 1, of: file)?.size
            let shrink = 2 << index
            guard let size, isPart(size.widthPx, of: full.widthPx, shrink),
                isPart(size.heightPx, of: full.heightPx, shrink)
            else { break }
            found.append(
                TIFFReduction(shrink: shrink, page: isInside ? page : index + 1, level: isInside ? index : nil))
        }
        return found
    }

    /// A single page of half the size may be a normal page; two successive halves are no accident.
    static func areAllPages(of file: RawSpan) -> Bool {
        let count = TIFFDirectories.count(in: file, limit: TIFFPage.levelLimit + 1)
        guard count > 2, count <= TIFFPage.levelLimit + 1 else { return false }
        let pages = all(in: file, page: 0)
        return pages.count == count - 1 && pages.allSatisfy { $0.level == nil }
    }

    /// The smallest that leaves a factor of two for resampling, if `page` may be shrunk by `limit`.
    static func best(in file: RawSpan, page: Int, limit: Double) -> TIFFReduction? {
        guard limit >= 4, let found = all(in: file, page: page).last(where: { Double($0.shrink) * 2 <= limit }),
            found.level != nil || areAllPages(of: file)
        else { return nil }
        return found
    }

    private static func isPart(_ side: Int, of whole: Int, _ shrink: Int) -> Bool {
        side == max(1, whole / shrink) || side == (whole + shrink - 1) / shrink
            || abs(Double(side) - Double(whole) / Double(shrink)) <= 1
    }
}
