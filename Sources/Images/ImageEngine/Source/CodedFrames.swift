/// The frames in the data of a HEIF item, by what the data say of their size.
struct CodedFrames {
    /// Sides beyond this are longer than any decoder reads; so products cannot overflow.
    private static let sideLimit = 1 << 20

    /// The largest of all sizes; 0 where none is told, which no decoder reads.
    private(set) var widthPx = 0
    private(set) var heightPx = 0
    /// Frames that are decoded, be they shown or not.
    var count = 0

    var isEmpty: Bool { widthPx == 0 || heightPx == 0 }
    /// As if all frames had the largest size.
    var pixelCount: Int { widthPx * heightPx * max(1, count) }

    mutating func note(widthPx: Int, heightPx: Int) {
        self.widthPx = max(self.widthPx, min(widthPx, Self.sideLimit))
        self.heightPx = max(self.heightPx, min(heightPx, Self.sideLimit))
    }
}

/// Counts the parts of coded data (OBUs, NAL units) that are looked at in one file. An image has three to five; of 4,096 × 2,304
/// pixels in slices of one row each, 150.
struct CodedUnits {
    static let limit = 65_536

    private var count = 0

    mutating func next() throws(ImageError) {
        guard count < Self.limit else { throw .tooManyParts(limit: Self.limit) }
        count += 1
    }
}
