/// Looks for a part in elements that are given one after the other, in linear time (Knuth, Morris and Pratt).
struct PartSearch<Element: Equatable> {
    private let part: [Element]
    /// For the first `index + 1` elements of the part: how many of the part's first elements they also end with.
    private let borders: [Int]
    private var matched = 0

    /// nil for an empty part.
    init?(_ part: [Element]) {
        if part.isEmpty { return nil }
        var borders = Array(repeating: 0, count: part.count)
        var border = 0
        for index in part.indices.dropFirst() {
            while border > 0, part[index] != part[border] { border = borders[border - 1] }
            if part[index] == part[border] { border += 1 }
            borders[index] = border
        }
        self.part = part
        self.borders = borders
    }

    /// Whether the part ends with this element. What is found later does not overlap.
    mutating func ends(with element: Element) -> Bool {
        while matched > 0, part[matched] != element { matched = borders[matched - 1] }
        if part[matched] == element { matched += 1 }
        guard matched == part.count else { return false }
        matched = 0
        return true
    }
}
